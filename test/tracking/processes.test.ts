// Two real server processes on one database: a limit is one limit, however many processes count.
import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, test } from 'node:test';
import { checkInvariants } from '../../server/operations/verify/invariants.ts';
import { typedQueries } from '../../server/platform/db/connect.ts';
import { click, openTwoServers, type TwoServers } from './two-servers.ts';

const clicks = 10_000;
const limit = 100;
let two: TwoServers;

before(async () => {
  two = await openTwoServers({ clicksPerIpPerMinute: 0, clicksPerIpPerHour: limit });
});
after(() => two?.close());

const randomAddress = () => Array.from({ length: 4 }, () => 1 + Math.floor(Math.random() * 250)).join('.');

test(`${clicks} clicks of one peer over two processes: exactly ${limit} recorded, all redirected`, async () => {
  await awayFromTheHour();
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
  let left = clicks;
  let redirected = 0;
  let recorded = 0;
  const worker = async (port: number): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const headers = { 'x-forwarded-for': randomAddress() };
      const { isRedirected, clickId } = await click(agent, { port, code: two.affiliate.referralCode, headers });
      if (isRedirected) redirected += 1;
      if (clickId !== null) recorded += 1;
    }
  };
  await Promise.all(Array.from({ length: 64 }, (_, index) => worker(two.servers[index % 2 === 0 ? 0 : 1].port)));
  agent.destroy();
  const { rows } = await two.pool.query('select count(*)::int as clicks from clicks');
  assert.deepEqual({ redirected, recorded, rows: rows[0].clicks }, { redirected: clicks, recorded: limit, rows: limit });
  for (const { name, broken } of await checkInvariants({ db: typedQueries(two.pool) })) assert.deepEqual(broken, [], name);
});

/** The processes have the real clock: a new hour in between would be a new limit. */
async function awayFromTheHour(): Promise<void> {
  const secondsLeft = 3600 - (Math.floor(Date.now() / 1000) % 3600);
  if (secondsLeft < 60) await new Promise((resolve) => setTimeout(resolve, (secondsLeft + 1) * 1000));
}
