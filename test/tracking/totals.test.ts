// Clicks are only appended, and their totals follow each second. At any moment the totals plus what is pending are what was
// recorded: while two processes write and fold, and after one of them was killed.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { after, before, test } from 'node:test';
import { checkInvariants } from '../../server/operations/verify/invariants.ts';
import { findWrongTotals } from '../../server/partners/affiliates/totals/find-wrong-totals.ts';
import { typedQueries } from '../../server/platform/db/connect.ts';
import { until } from '../support/time/wait.ts';
import { click, openTwoServers, type TwoServers } from './two-servers.ts';

const leastClicks = 1500;
const connectionsPerServer = 16;

let two: TwoServers;
before(async () => {
  two = await openTwoServers({ clicksPerIpPerMinute: 0, clicksPerIpPerHour: 0 });
});
after(() => two?.close());

const answered = new Set<string>();
let sent = 0;
let isOver = false;

/** Sends clicks until the test is over or the server is gone. */
async function visit(agent: http.Agent, port: number): Promise<void> {
  while (!isOver) {
    sent += 1;
    const outcome = await click(agent, { port, code: two.affiliate.referralCode }).catch(() => null);
    if (outcome === null) return;
    if (outcome.clickId !== null) answered.add(outcome.clickId);
  }
}

/** Compares the totals once, in the database and as the API returns them. */
async function readTotals(): Promise<void> {
  const snapshot = typedQueries(two.pool).transaction().setIsolationLevel('repeatable read');
  const { rows } = await two.pool.query('select program_id as id from affiliates where id = $1', [two.affiliate.id]);
  const wrong = await snapshot.execute((db) => findWrongTotals({ db }, rows[0].id));
  assert.deepEqual(wrong, { daily: [], lifetime: [] });
  const before = answered.size;
  const { clicks } = await two.call('GET', `/affiliates/${two.affiliate.id}`);
  const { total } = await two.call('GET', '/clicks?limit=1');
  const { total: ofPeriod } = await two.call('GET', '/clicks?limit=1&createdFrom=2020-01-01T05:00:00Z');
  for (const counted of [clicks, total, ofPeriod])
    assert.ok(before <= Number(counted) && Number(counted) <= sent, `${before} answered <= ${counted} counted <= ${sent} sent`);
}

const isFolded = async () => (await two.pool.query('select from click_deltas limit 1')).rowCount === 0;

test('totals are exact at any moment while two processes record and fold, and no answered click is lost by a kill', {
  timeout: 240_000,
}, async () => {
  const [first, second] = two.servers;
  const agent = new http.Agent({ keepAlive: true });
  const load = Promise.all([first, second].flatMap(({ port }) => Array.from({ length: connectionsPerServer }, () => visit(agent, port))));
  let reads = 0;
  const readers = (async () => {
    for (; !isOver; reads += 1) await readTotals();
  })();
  await until('clicks are recorded', () => answered.size >= leastClicks);
  await until('clicks are folded', async () => (await two.pool.query('select from affiliates where clicks > 0')).rowCount === 1);
  second.process.kill('SIGKILL');
  await once(second.process, 'exit');
  const atKill = answered.size;
  await until('clicks are recorded after the kill', () => answered.size >= atKill + leastClicks / 3);
  isOver = true;
  await Promise.all([load, readers]);
  agent.destroy();
  assert.ok(reads > 3, `${reads} reads`);

  const { rowCount } = await two.pool.query('select from clicks where id = any($1)', [[...answered]]);
  assert.equal(rowCount, answered.size, 'every answered click is stored');
  await until('everything is folded', isFolded);
  const { rows } = await two.pool.query(
    `select (select count(*)::int from clicks) as rows, (select sum(clicks)::int from affiliates) as lifetime,
       (select sum(clicks)::int from daily_totals) as daily`,
  );
  assert.deepEqual([rows[0].lifetime, rows[0].daily], [rows[0].rows, rows[0].rows]);
  for (const { name, broken } of await checkInvariants({ db: typedQueries(two.pool) })) assert.deepEqual(broken, [], name);
});
