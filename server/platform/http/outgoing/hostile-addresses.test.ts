// No URL that a customer stores can make the service connect to itself or to a private network. A canary listens on
// loopback, under IPv4 and IPv6, and must not receive a single connection.
import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { HttpFailure } from '../../lib/http.ts';
import { isPublicAddress } from '../../lib/network/public-address.ts';
import { createOutgoingHttp, type OutgoingHttp } from './outgoing.ts';

/** Notations of 127.0.0.1 and of other private IPv4 addresses, as hosts of a URL. */
const ipv4Hosts = [
  ...['127.0.0.1', '127.1', '127.0.1', '127.0.0.1.', '127.000.000.001', '127.0.0.2', '127.255.255.254', '0', '0.0.0.0', '0.0'],
  ...['0x7f000001', '0x7f.0.0.1', '0x7f.1', '0x7F.0x0.0x0.0x1', '0x7f.0.1', '0x0000007f.0.0.1', '0x7f.0x1'],
  ...['017700000001', '0177.0.0.1', '0177.1', '0177.0.1', '0177.0000.0000.0001', '00000177.0.0.1', '0177.0x0.0.1'],
  ...['2130706433', '2130706434', '0x7f000002', '017700000002', '127.0.256', '127.65536', '127.0.0x1'],
  ...[
    '１２７.０.０.１',
    '１２７.1',
    '127。0。0。1',
    '127．0．0．1',
    '127｡0｡0｡1',
    '①②⑦.⓪.⓪.①',
    '２１３０７０６４３３',
    '０x7f.1',
    '𝟏𝟐𝟕.𝟎.𝟎.𝟏',
  ],
  ...['%31%32%37.0.0.1', '127%2e0%2e0%2e1', '%30x7f.1'],
  ...['10.0.0.1', '10.1', '0x0a000001', '167772161', '012.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '0xac100001'],
  ...['192.168.0.1', '192.168.1', '3232235521', '0xc0a80001', '0300.0250.0.1', '100.64.0.1', '100.127.255.255'],
  ...['169.254.169.254', '0xa9fea9fe', '2852039166', '0251.0376.0251.0376', '169.254.43518', '169.16689662', '１６９.254.169.254'],
  ...['192.0.0.1', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '192.88.99.1', '224.0.0.1', '239.255.255.255'],
  ...['240.0.0.1', '255.255.255.255', '0.1.2.3', '4294967295', '0xffffffff', '037777777777'],
];

const ipv6Hosts = [
  ...['::1', '0:0:0:0:0:0:0:1', '0000:0000:0000:0000:0000:0000:0000:0001', '::', '::0', '0::1', '::0001'],
  ...['::ffff:127.0.0.1', '::ffff:7f00:1', '0:0:0:0:0:ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:a9fe:a9fe', '::ffff:0:127.0.0.1'],
  ...['::127.0.0.1', '::7f00:1', '::10.0.0.1', '::a9fe:a9fe', '::192.168.0.1'],
  ...['64:ff9b::127.0.0.1', '64:ff9b::7f00:1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::7f00:1', '64:ff9b:1:fffe::10.0.0.1', '64:ff9b::8.8.8.8'],
  ...['2002:7f00:1::', '2002:7f00:1::1', '2002:a00:1::', '2002:a9fe:a9fe::1', '2002:c0a8:1::1', '2002:808:808::1'],
  ...['2001::1', '2001:0:7f00:1::', '2001:0:4136:e378:8000:63bf:80ff:fffe', '2001:10::1', '2001:20::1', '2001:db8::1', '2001:5::1'],
  ...['2606:4700::5efe:7f00:1', '2606:4700::200:5efe:7f00:1', '2606:4700::5efe:10.0.0.1'],
  ...['fe80::1', 'febf::1', 'fec0::1', 'fc00::1', 'fd00::1', 'fd12:3456:789a::1', 'ff02::1', 'ff0e::1', '100::1', '100:0:0:1::1'],
  ...['3fff::1', '5f00::1', '4000::1', '8000::1', 'e000::1', '1::1', '200::1'],
];

const names: Record<string, LookupAddress[]> = {
  localhost: [{ address: '127.0.0.1', family: 4 }],
  'localhost.': [{ address: '::1', family: 6 }],
  'app.localhost': [{ address: '127.0.0.1', family: 4 }],
  'private.example': [{ address: '10.0.0.7', family: 4 }],
  'metadata.example': [{ address: '169.254.169.254', family: 4 }],
  'mapped.example': [{ address: '::ffff:127.0.0.1', family: 6 }],
  'nat64.example': [{ address: '64:ff9b::7f00:1', family: 6 }],
  'zone.example': [{ address: 'fe80::1%lo', family: 6 }],
  'text.example': [{ address: 'not an address', family: 4 }],
  'mixed.example': [
    { address: '93.184.216.34', family: 4 },
    { address: '127.0.0.1', family: 4 },
  ],
  'mixed6.example': [
    { address: '2606:2800:220:1::1', family: 6 },
    { address: '::1', family: 6 },
  ],
  'empty.example': [],
};

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
  const hosts = [...ipv4Hosts, ...ipv6Hosts.map((host) => `[${host}]`), ...Object.keys(names)];

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
