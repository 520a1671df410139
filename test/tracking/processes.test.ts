// Two real server processes on one database: they share each limit, except for clicks that were accepted before they exchanged counts,
// also after a restart; and a duplicate is one at whichever process it arrives.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { after, before, test } from 'node:test';
import { checkInvariants } from '../../server/operations/verify/invariants.ts';
import { typedQueries } from '../../server/platform/db/connect.ts';
import { until } from '../support/time/wait.ts';
import { click, openTwoServers, type TwoServers } from './two-servers.ts';

const limit = 2000;
const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
let two: TwoServers;

before(async () => {
  const settings = { clicksPerIpPerMinute: 0, clicksPerIpPerHour: limit, dedupeSeconds: 0 };
  two = await openTwoServers(settings, { TRUSTED_PROXIES: '127.0.0.0/8' });
  // What each exchange found and left, per network.
  await two.pool.query(`
    create table exchanges (number serial, ip_hash bytea, clicks integer);
    create function log_exchange() returns trigger language plpgsql security definer as
      'begin insert into public.exchanges (ip_hash, clicks) values (new.ip_hash, new.clicks); return null; end';
    create trigger log_exchange after insert or update on click_windows for each row execute function log_exchange()`);
});
after(async () => {
  agent.destroy();
  await two?.close();
});

const visit = (address: string, port: number) =>
  click(agent, { port, code: two.affiliate.referralCode, headers: { 'x-forwarded-for': address } });

/** Sends clicks to both processes until none was recorded for a while. Returns how many each recorded. */
async function floodUntilRejected(address: string): Promise<[number, number]> {
  const recorded: [number, number] = [0, 0];
  const worker = async (index: 0 | 1): Promise<void> => {
    for (let rejected = 0; rejected < 50; ) {
      const { isRedirected, clickId } = await visit(address, two.servers[index].port);
      assert.ok(isRedirected);
      if (clickId === null) rejected += 1;
      else {
        recorded[index] += 1;
        rejected = 0;
      }
    }
  };
  await Promise.all(Array.from({ length: 32 }, (_, index) => worker(index % 2 === 0 ? 0 : 1)));
  return recorded;
}

const countClicks = async (): Promise<number> => (await two.pool.query('select count(*)::int as clicks from clicks')).rows[0].clicks;

test('under load, the clicks beyond a limit are those of one exchange', { timeout: 240_000 }, async () => {
  const recorded = await floodUntilRejected('198.51.100.1');
  // A visitor who waited too long is redirected without an id, even if the click is recorded after all.
  const total = await countClicks();
  assert.ok(recorded[0] + recorded[1] <= total);
  assert.ok(Math.max(...recorded) <= limit, `each process is exact: ${recorded}`);
  assert.ok(total >= limit, `${total} of ${limit}`);
  await until('everything is exchanged', async () => {
    const { rows } = await two.pool.query('select max(clicks)::int as clicks from click_windows');
    return rows[0].clicks === total;
  });
  const { rows } = await two.pool.query<{ clicks: number }>('select clicks from exchanges order by number');
  const sums = rows.map(({ clicks }) => clicks);
  const beyond = sums.filter((sum) => sum >= limit);
  // The process that reaches the limit detects it immediately, the other one at its next exchange. Each can accept more
  // clicks while it waits for the response.
  assert.ok(beyond.length <= 4, `${beyond.length} exchanges after the limit was reached: ${sums}`);
  for (const { port } of two.servers) assert.equal((await visit('198.51.100.1', port)).clickId, null);
  for (const { name, broken } of await checkInvariants({ db: typedQueries(two.pool) })) assert.deepEqual(broken, [], name);
});

test('neither a kill nor a restart resets a limit', { timeout: 240_000 }, async () => {
  const before = await countClicks();
  for (const [index, signal] of [
    [0, 'SIGKILL'],
    [1, 'SIGTERM'],
  ] as const) {
    // biome-ignore format: pairs
    const { process } = two.servers[index];
    process.kill(signal);
    await once(process, 'exit');
    two.servers[index] = await two.startServer();
    for (let clicks = 0; clicks < 20; clicks += 1) assert.equal((await visit('198.51.100.1', two.servers[index].port)).clickId, null);
  }
  assert.equal(await countClicks(), before);
});

test('clicks of one visitor at both processes at the same time are one click', { timeout: 240_000 }, async () => {
  await two.call('PATCH', '/click-settings', { dedupeSeconds: 3600 });
  // Both processes read the settings about once a second.
  for (const [index, { port }] of two.servers.entries()) {
    const address = `203.0.113.${index}`;
    await until('duplicates are detected', async () => {
      const [first, second] = [await visit(address, port), await visit(address, port)];
      return first.clickId === second.clickId;
    });
  }
  const before = await countClicks();
  const visitors = Array.from({ length: 100 }, (_, index) => `198.51.101.${index}`);
  const responses = await Promise.all(
    visitors.flatMap((address) => [0, 1, 0, 1].map((index) => visit(address, two.servers[index === 0 ? 0 : 1].port))),
  );
  assert.equal(await countClicks(), before + visitors.length);
  const ids = new Set(responses.map(({ clickId }) => clickId));
  assert.ok(!ids.has(null));
  assert.equal(ids.size, visitors.length, 'a duplicate has the id of the first click');
});
