import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { HttpFailure } from '../../lib/http.ts';
import { createOutgoingHttp, isPublicAddress } from './outgoing.ts';

const restricted = createOutgoingHttp({ allowPrivate: false });
const unrestricted = createOutgoingHttp({ allowPrivate: true });
let requestCount = 0;
const server = createServer((request, response) => {
  requestCount += 1;
  if (request.url === '/hang') return;
  if (request.url === '/reset') return void request.socket.destroy();
  response.writeHead(request.url === '/away' ? 302 : 200, { location: 'https://example.com/' }).end('ok');
});
let base: string;
before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(async () => {
  await Promise.all([restricted.close(), unrestricted.close()]);
  server.closeAllConnections();
  server.close();
});

describe('calls to external systems', () => {
  test('reach no private address, in any notation', async () => {
    const port = new URL(base).port;
    const hosts = ['127.0.0.1', 'localhost', '0', '0x7f.1', '2130706433', '[::1]', '[::ffff:127.0.0.1]', '10.0.0.1', '169.254.169.254'];
    for (const host of hosts)
      for (const scheme of ['http', 'https'])
        await assert.rejects(
          restricted({ method: 'GET', url: `${scheme}://${host}:${port}/` }),
          (error: HttpFailure) => !error.mayHaveArrived,
          host,
        );
    assert.equal(requestCount, 0);
    const inner = ['127.0.0.1', '10.1.2.3', '192.168.0.1', '100.64.0.1', '::1', 'fe80::1', 'fc00::1', '::ffff:10.0.0.1', '::127.0.0.1'];
    for (const address of [...inner, '64:ff9b::7f00:1', '2002:7f00:1::', '0.0.0.0', '169.254.1.1', '224.0.0.1', 'x']) {
      assert.equal(isPublicAddress(address), false, address);
    }
    for (const address of ['93.184.216.34', '2606:2800:220:1::1']) assert.equal(isPublicAddress(address), true, address);
  });

  test('follow no redirects', async () => {
    const { status, headers } = await unrestricted({ method: 'GET', url: `${base}/away` });
    assert.deepEqual([status, headers.location], [302, 'https://example.com/']);
  });

  test('report whether a request without a response may have arrived', async () => {
    const mayHaveArrived = async (url: string) => {
      const error = await unrestricted({ method: 'POST', url, body: '{}', timeoutMs: 300 }).then(
        () => null,
        (thrown: unknown) => thrown,
      );
      assert.ok(error instanceof HttpFailure);
      return error.mayHaveArrived;
    };
    assert.equal(await mayHaveArrived('http://127.0.0.1:1/'), false);
    assert.equal(await mayHaveArrived('http://nowhere.invalid/'), false);
    assert.equal(await mayHaveArrived(`${base}/hang`), true);
    assert.equal(await mayHaveArrived(`${base}/reset`), true);
  });
});
