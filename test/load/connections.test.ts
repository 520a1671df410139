// Connections that never become requests must not block others. Measured on a real server process with few descriptors.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { after, before, describe, test } from 'node:test';
import { holdsFor, until } from '../support/time/wait.ts';
import { fillProgram } from './fill.ts';
import { type LoadServer, startLoadServer } from './server.ts';

const descriptors = 220;
/** When a body without credentials must arrive at the minimum rate (http/load/slow-bodies.ts). */
const slowBodyMs = 5000;
const waitMs = { firstRequest: 1000, headers: 2000 };

let server: LoadServer;
const sockets = new Set<net.Socket>();

before(async () => {
  const environment = { FIRST_REQUEST_SECONDS: '1', HEADERS_SECONDS: '2' };
  server = await startLoadServer(environment, ['sh', '-c', `ulimit -n ${descriptors} && exec "$0" "$@"`]);
});
after(async () => {
  for (const socket of sockets) socket.destroy();
  await server?.close();
});

test('a process with few descriptors serves the console', async () => {
  await until('the console is served', async () => (await statusOf('/console')) === 200 || (await statusOf('/health/ready')) !== 200);
  assert.deepEqual([await statusOf('/console'), await statusOf('/health/ready')], [200, 200]);
});

describe('connections', () => {
  test('that trickle a request one byte at a time are closed, and another client is served in the meantime', async () => {
    const slow = await Promise.all(Array.from({ length: 200 }, () => open()));
    for (const { socket } of slow) socket.write('GET /v1/me HTTP/1.1\r\nHost: a\r\nX-Slow: ');
    const trickle = setInterval(() => {
      for (const { socket } of slow) if (socket.writable) socket.write('x');
    }, 200);
    try {
      await holdsFor(500, 'another client is served', async () => (await statusOf('/health/live')) === 200);
      await allClosed(slow, waitMs.headers + 3000);
    } finally {
      clearInterval(trickle);
    }
    assert.equal(await statusOf('/health/live'), 200);
  });

  test('that stay silent are closed', async () => {
    const silent = await Promise.all(Array.from({ length: 100 }, () => open()));
    await allClosed(silent, waitMs.firstRequest + 3000);
  });

  test('that are more than the process has descriptors for are rejected; once they are gone, others are served', async () => {
    const many = await Promise.all(Array.from({ length: 400 }, () => open()));
    await allClosed(many, waitMs.firstRequest + 5000);
    assert.equal(await statusOf('/health/ready'), 200);
  });

  test('that send one request and then trickle another make room when there are too many', async () => {
    const many = await Promise.all(Array.from({ length: 120 }, () => open()));
    for (const { socket } of many) socket.write('GET /health/live HTTP/1.1\r\nHost: a\r\n\r\nGET /');
    await until('there is room', async () => (await statusOf('/health/ready')) === 200, waitMs.firstRequest);
    await allClosed(many, waitMs.headers + 5000);
  });

  test('that trickle a body without credentials leave room for others, and are closed with a 408', async () => {
    const slow = await Promise.all(Array.from({ length: 150 }, () => open()));
    const answers = slow.map(({ socket }) => readAnswer(socket));
    for (const { socket } of slow) socket.write(slowBody('/app/sign-in'));
    const trickle = setInterval(() => {
      for (const { socket } of slow) if (socket.writable) socket.write(' ');
    }, 200);
    try {
      await statusOf('/health/live');
      const statuses = await Promise.all(Array.from({ length: 40 }, () => statusOf('/health/live')));
      assert.deepEqual(new Set(statuses), new Set([200]), `${statuses.filter((status) => status !== 200).length} of 40 failed`);
      await allClosed(slow, slowBodyMs + 5000);
    } finally {
      clearInterval(trickle);
    }
    const timedOut = (await Promise.all(answers)).filter((answer) => answer.startsWith('HTTP/1.1 408 '));
    assert.ok(timedOut.length > 0, 'none was answered');
    assert.match(timedOut[0] ?? '', /"code":"request_timeout"/);
  });

  test('that send a body slowly stay open with a valid key', async () => {
    const { key } = await fillProgram(server.pool, 1);
    const withKey = await open();
    const answer = readAnswer(withKey.socket);
    withKey.socket.write(slowBody('/v1/conversions', `Authorization: Bearer ${key}\r\n`));
    const without = await open();
    without.socket.write(slowBody('/app/sign-in', 'Authorization: Bearer trb_live_unknown\r\n'));
    await allClosed([without], slowBodyMs + 5000);
    assert.equal(withKey.socket.closed, false);
    withKey.socket.write(' '.repeat(998));
    withKey.socket.end('{}');
    assert.match(await answer, /^HTTP\/1\.1 400 /);
  });

  test('that are kept alive between requests stay open while they are used', async () => {
    const { socket, closed } = await open();
    let isClosed = false;
    void closed.then(() => {
      isClosed = true;
    });
    for (let turn = 0; turn < 4; turn += 1) {
      socket.write('GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n');
      await once(socket, 'data');
      await holdsFor(700, 'the connection is open', () => !isClosed);
    }
    socket.destroy();
  });
});

function slowBody(path: string, headers = ''): string {
  const type = 'Content-Type: application/json\r\nContent-Length: 1000\r\n';
  return `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://127.0.0.1:${server.port}\r\n${headers}${type}\r\n`;
}

/** What the server sent until it closed the connection. */
async function readAnswer(socket: net.Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(socket, 'close').catch(() => undefined);
  return Buffer.concat(chunks).toString();
}

type Open = { socket: net.Socket; closed: Promise<unknown> };

/** A connected socket. One that is rejected immediately counts as closed. */
async function open(): Promise<Open> {
  const socket = net.connect(server.port, '127.0.0.1');
  sockets.add(socket);
  socket.on('error', () => {});
  socket.resume();
  const closed = once(socket, 'close').catch(() => undefined);
  await Promise.race([once(socket, 'connect').catch(() => undefined), closed]);
  return { socket, closed };
}

async function allClosed(opened: readonly Open[], withinMs: number): Promise<void> {
  let left = opened.length;
  for (const { closed } of opened) void closed.then(() => (left -= 1));
  await until(`${opened.length} connections are closed`, () => left === 0, withinMs);
}

function statusOf(path: string): Promise<number> {
  return fetch(`http://127.0.0.1:${server.port}${path}`, { signal: AbortSignal.timeout(3000), headers: { connection: 'close' } }).then(
    ({ status }) => status,
    () => 0,
  );
}
