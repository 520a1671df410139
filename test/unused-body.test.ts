// A body that is not needed is not read to its end: the response is sent, and the connection closed.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { openTestService, type TestService } from './support/harness.ts';

const megabyte = Buffer.alloc(1024 * 1024, 0x20);
let service: TestService;
let port: number;
before(async () => {
  service = await openTestService();
  port = Number(new URL(await service.app.listen({ port: 0, host: '127.0.0.1' })).port);
});
after(() => service.close());

/** Sends a head and up to 100 MB, as fast as the other side reads. Gives the response and how much left. */
function upload(head: string, isChunked: boolean): Promise<{ response: string; sentBytes: number }> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let response = '';
    let rounds = 0;
    const send = () => {
      while (rounds < 100 && !socket.destroyed) {
        rounds += 1;
        const wrote = isChunked
          ? socket.write(Buffer.concat([Buffer.from('100000\r\n'), megabyte, Buffer.from('\r\n')]))
          : socket.write(megabyte);
        if (!wrote) return void socket.once('drain', send);
      }
    };
    socket.on('data', (bytes) => {
      response += bytes.toString();
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve({ response, sentBytes: socket.bytesWritten }));
    socket.setTimeout(8000, () => socket.destroy());
    socket.write(head);
    send();
  });
}

const framings: [name: string, header: string][] = [
  ['Content-Length', `content-length: ${100 * megabyte.length}`],
  ['chunks', 'transfer-encoding: chunked'],
];

describe('100 MB', () => {
  for (const [framing, header] of framings)
    for (const [what, line, status] of [
      ['without a key', 'POST /v1/conversions', 401],
      ['to an unknown path', 'POST /v1/nothing', 404],
      ['to an unknown provider', 'POST /v1/providers/x/events', 413],
      ['with a redirect', 'GET /r/NOBODY22', 302],
      ['with an open read', 'GET /openapi.json', 200],
    ] as const)
      test(`${what}, by ${framing}: answered ${status}, and the connection is closed`, async () => {
        const head = `${line} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n${header}\r\n\r\n`;
        const { response, sentBytes } = await upload(head, framing === 'chunks');
        assert.match(response, new RegExp(`^HTTP/1.1 (${status}|4..) `));
        assert.ok(sentBytes < 30 * megabyte.length, `${sentBytes} bytes were taken`);
      });
});

test('a small body that is not needed leaves the connection usable', async () => {
  const body = '{"orderId":"x"}';
  const head = `POST /v1/conversions HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  const response = await new Promise<string>((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes.toString();
      if (text.match(/HTTP\/1\.1 401/g)?.length === 2) socket.end();
      else socket.write(head);
    });
    socket.on('close', () => resolve(text));
    socket.setTimeout(5000, () => socket.destroy());
    socket.write(head);
  });
  assert.equal(response.match(/HTTP\/1\.1 401/g)?.length, 2);
});

/** Sends everything before it reads, as many HTTP clients do. Gives the response; empty if the connection was reset. */
function sendThenRead(head: string, body: Buffer): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let response = '';
    socket.pause();
    socket.on('data', (bytes) => {
      response += bytes.toString();
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(response));
    socket.setTimeout(20_000, () => socket.destroy());
    socket.write(head);
    socket.write(body, () => socket.resume());
  });
}

test('a client that sends its whole body before it reads gets the response instead of a reset', async () => {
  const body = Buffer.alloc(12 * megabyte.length, 0x20);
  const send = (line: string, key = '') =>
    sendThenRead(
      `${line} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n${key}\r\n`,
      body,
    );
  const withKey = `authorization: Bearer ${service.program.key}\r\n`;
  const responses = await Promise.all([
    send('POST /v1/conversions', withKey),
    send('POST /v1/conversions'),
    send('POST /v1/nothing'),
    send('POST /app/media', withKey),
  ]);
  assert.deepEqual(
    responses.map((response) => response.slice(0, 'HTTP/1.1 413'.length)),
    ['HTTP/1.1 413', 'HTTP/1.1 401', 'HTTP/1.1 404', 'HTTP/1.1 403'],
  );
});
