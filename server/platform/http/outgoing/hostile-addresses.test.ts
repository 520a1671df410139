// No URL that a customer stores can make the service connect to itself or to a private network. A canary listens on
// loopback, under IPv4 and IPv6, and must not receive a single connection.
import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { hostileHosts, ipv6Hosts, hostileNames as names } from '../../../../test/support/webhooks/hostile-hosts.ts';
import { HttpFailure } from '../../lib/http.ts';
import { isPublicAddress } from '../../lib/network/public-address.ts';
import { createOutgoingHttp, type OutgoingHttp } from './outgoing.ts';

const connections: string[] = [];
const countConnection = (socket: Socket) => {
  connections.push(String(socket.localAddress));
  socket.destroy();
};
const canary = createServer(countConnection);
const canary6 = createServer(countConnection);
let port: number;
let http: OutgoingHttp;
const resolved: string[] = [];
/** Public at the first look-up, and loopback at every later one. */
const resolve = async (host: string): Promise<LookupAddress[]> => {
  resolved.push(host);
  if (host !== 'rebinding.example') return names[host] ?? [];
  const isFirst = resolved.filter((name) => name === host).length === 1;
  return [{ address: isFirst ? '93.184.216.34' : '127.0.0.1', family: 4 }];
};

before(async () => {
  await new Promise<void>((done) => canary.listen(0, '127.0.0.1', done));
  ({ port } = canary.address() as AddressInfo);
  await new Promise<void>((done) => canary6.listen(port, '::1', done));
  // The canary's port counts as usual, so that only the address can be the reason.
  http = createOutgoingHttp({ allowPrivate: false, resolve, ports: [443, port] });
});
after(async () => {
  await http.close();
  canary.close();
  canary6.close();
});

/** The reason why a call failed. */
async function callFails(url: string): Promise<string> {
  const failure = await http({ method: 'POST', url, body: '{}', timeoutMs: 5000 }).then(
    () => null,
    (error: unknown) => error,
  );
  assert.ok(failure instanceof HttpFailure, url);
  assert.equal(failure.mayHaveArrived, false, url);
  return failure.reason;
}

describe('a hostile URL', () => {
  const hosts = hostileHosts;

  test('is one of at least 120', () => assert.ok(new Set(hosts).size >= 120, `${new Set(hosts).size}`));

  test('is rejected when it is stored, and blocked when it is called', async () => {
    for (const host of hosts) {
      const url = `https://${host}:${port}/`;
      assert.notEqual(await http.checkUrl(url), null, url);
      if (URL.canParse(url)) assert.equal(await callFails(url), 'blocked', url);
    }
    assert.deepEqual(connections, []);
  });

  test('is rejected for its scheme, port or credentials', async () => {
    const rejected = [
      'http://example.com/',
      'ftp://example.com/',
      'file:///etc/passwd',
      'https://user@example.com/',
      'https://:secret@example.com/',
    ];
    const ports = [22, 25, 80, 6379, 5432].map((other) => `https://93.184.216.34:${other}/`);
    for (const url of [...rejected, ...ports, 'https://', 'example.com', '']) assert.notEqual(await http.checkUrl(url), null, url);
    for (const url of [...rejected.slice(0, 3), ...ports]) assert.equal(await callFails(url), 'blocked', url);
  });

  test('is blocked if its name is given a private address after it was stored', async () => {
    const url = `https://rebinding.example:${port}/`;
    assert.equal(await http.checkUrl(url), null);
    for (let call = 0; call < 3; call += 1) assert.equal(await callFails(url), 'blocked');
    assert.deepEqual(connections, []);
    // One look-up for each connection: the address that was checked is the one that the socket uses.
    assert.equal(resolved.filter((name) => name === 'rebinding.example').length, 4);
  });

  test('would have reached the canary without the checks', async () => {
    const unchecked = createOutgoingHttp({ allowPrivate: true });
    for (const host of ['127.1', '0x7f.1', '2130706433', '127｡0｡0｡1', '[::1]', '[::ffff:127.0.0.1]'])
      await assert.rejects(unchecked({ method: 'GET', url: `https://${host}:${port}/`, timeoutMs: 5000 }), host);
    await unchecked.close();
    assert.ok(connections.length >= 6);
  });
});

test('public addresses are public', () => {
  for (const address of ['93.184.216.34', '8.8.8.8', '1.1.1.1', '2606:2800:220:1::1', '2a00:1450:4001:81b::200e', '2001:4860:4860::8888'])
    assert.equal(isPublicAddress(address), true, address);
  for (const host of ipv6Hosts) assert.equal(isPublicAddress(host), false, host);
});
