// One program's heavy requests must not slow down another program: those beyond the permitted number are rejected. How long another
// program waits is measured by `npm run bench -- neighbors`.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sendFlood } from './flood.ts';
import { fillNeighbors, type Neighbors } from './heavy-requests.ts';
import { type LoadServer, startLoadServer } from './server.ts';

const atOnce = 20;
const ledgerEntries = 12_000;

let server: LoadServer;
let neighbors: Neighbors;

before(async () => {
  server = await startLoadServer();
  neighbors = await fillNeighbors(server.pool, ledgerEntries);
});
after(() => server?.close());

test(`of ${atOnce} heavy requests of each kind, those beyond the permitted number get 429 with Retry-After`, async (t) => {
  for (const [kind, request] of Object.entries(neighbors.requests)) {
    const { statuses, hasRetryAfter } = await sendFlood({ ...request(), port: server.port, key: neighbors.heavy.key, atOnce });
    t.diagnostic(`${kind}: ${JSON.stringify(statuses)}`);
    assert.ok(hasRetryAfter, `${kind}: a 429 came without Retry-After`);
    // Pages of lists wait for their turn. Small bodies are read one after the other, so they may never be ten at once.
    const expected = kind.startsWith('image upload') ? ['200', '400', '429', 'closed'] : ['200', '400', '429'];
    const rejected = (statuses['429'] ?? 0) + (statuses.closed ?? 0);
    if (!/^(page|body) of/.test(kind)) assert.ok(rejected > 0, `${kind}: no request was rejected`);
    for (const status of Object.keys(statuses)) assert.ok(expected.includes(status), `${kind} was answered ${status}`);
  }
});
