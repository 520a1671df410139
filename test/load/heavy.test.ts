// One program's heavy requests must not slow down another program: those beyond the permitted number are rejected. How long another
// program waits is measured by `npm run bench -- neighbors`.
import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, test } from 'node:test';
import { sendFlood } from './flood.ts';
import { fillNeighbors, type Neighbors } from './heavy-requests.ts';
import { type LoadServer, startLoadServer } from './server.ts';

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

test(`of ${atOnce} heavy requests of each kind, some get 429 with Retry-After, and another program's requests are answered`, async (t) => {
  for (const [kind, request] of Object.entries(neighbors.requests)) {
    const flood = sendFlood({ ...request(), port: server.port, key: neighbors.heavy.key, atOnce });
    const [me, redirect] = await Promise.all([
      read('/v1/me', { authorization: `Bearer ${neighbors.neighbor.key}` }),
      read(`/r/${neighbors.neighbor.code}`, { 'user-agent': browser }),
    ]);
    const { statuses, hasRetryAfter } = await flood;
    t.diagnostic(`${kind}: ${JSON.stringify(statuses)}`);
    assert.deepEqual([me, redirect], [200, 302], kind);
    assert.ok(hasRetryAfter, `${kind}: a 429 came without Retry-After`);
    // Pages of lists wait for their turn, the others are rejected beyond ten at once.
    const expected = kind.startsWith('image upload') ? ['200', '400', '429', 'closed'] : ['200', '400', '429'];
    const rejected = (statuses['429'] ?? 0) + (statuses.closed ?? 0);
    if (!kind.startsWith('page of')) assert.ok(rejected > 0, `${kind}: no request was rejected`);
    for (const status of Object.keys(statuses)) assert.ok(expected.includes(status), `${kind} was answered ${status}`);
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
