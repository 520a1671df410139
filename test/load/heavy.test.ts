// One program's heavy requests must not slow down another program: those beyond the permitted number are rejected. How long another
// program waits is measured by `npm run bench -- neighbors`.
import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, describe, test } from 'node:test';
import { fillNeighbors, heavyRequests, type Neighbors } from './heavy-requests.ts';
import { type LoadServer, startLoadServer } from './server.ts';
import { startFlood } from './start-flood.ts';

const atOnce = 20;
const ledgerEntries = 12_000;
const browser = 'Mozilla/5.0 (X11; Linux x64) Firefox/140.0';

let server: LoadServer;
let neighbors: Neighbors;

before(async () => {
  server = await startLoadServer();
  neighbors = await fillNeighbors(server.pool, ledgerEntries);
});
after(() => server?.close());

describe(`while a program has ${atOnce} requests open`, () => {
  for (const [kind, request] of Object.entries(heavyRequests)) {
    test(`for a ${kind}, those beyond the permitted number get 429, and another program's requests are answered`, async (t) => {
      const { heavy, neighbor } = neighbors;
      // Pages of lists wait for their turn, the others are rejected beyond ten at once.
      const waitsForRejection = !kind.startsWith('page of');
      const flood = startFlood({ ...request(neighbors), port: server.port, key: heavy.key, atOnce, leastMs: 0, waitsForRejection });
      const others = [read('/v1/me', { authorization: `Bearer ${neighbor.key}` }), read(`/r/${neighbor.code}`, { 'user-agent': browser })];
      const { statuses, hasRetryAfter } = await flood;
      t.diagnostic(JSON.stringify(statuses));
      assert.deepEqual(await Promise.all(others), [200, 302]);
      assert.ok(hasRetryAfter, 'a 429 came without Retry-After');
      if (waitsForRejection) assert.ok((statuses['429'] ?? 0) > 0, 'no request was rejected');
      for (const status of Object.keys(statuses)) assert.ok(['200', '400', '429'].includes(status), `a ${kind} was answered ${status}`);
    });
  }
});

/** The status of the response to a GET request; redirects are not followed. */
function read(path: string, headers: Record<string, string>): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  http
    .get({ agent: false, host: '127.0.0.1', port: server.port, path, headers }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode));
    })
    .once('error', reject);
  return promise;
}
