import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { HttpFailure } from '../../lib/http.ts';
import { createOutgoingHttp } from './outgoing.ts';

const unrestricted = createOutgoingHttp({ allowPrivate: true });
const server = createServer((request, response) => {
  if (request.url === '/hang') return;
  if (request.url === '/endless') return void streamForever(response);
  if (request.url === '/reset') return void request.socket.destroy();
  response.writeHead(request.url === '/away' ? 302 : 200, { location: 'https://example.com/' }).end('ok');
});
const streamForever = (response: ServerResponse) => {
  response.writeHead(200);
  const timer = setInterval(() => response.write('x'.repeat(300)), 5);
  response.on('close', () => clearInterval(timer));
};
let base: string;
before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(async () => {
  await unrestricted.close();
  server.closeAllConnections();
  server.close();
});

describe('calls to external systems', () => {
  test('follow no redirects', async () => {
    const { status, headers } = await unrestricted({ method: 'GET', url: `${base}/away` });
    assert.deepEqual([status, headers.location], [302, 'https://example.com/']);
  });

  test('read only the start of a response, if the caller limits it', async () => {
    const responseLimit = { bytes: 1000, ms: 5000 };
    const { status, body } = await unrestricted({ method: 'POST', url: `${base}/endless`, responseLimit });
    assert.deepEqual([status, body.length], [200, 1000]);
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
