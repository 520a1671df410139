// A click that is rejected costs no statement, and a program whose clicks can't be written doesn't affect others.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { chrome } from '../../../../test/support/browsers.ts';
import { anAffiliate } from '../../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';
import { countRoundTrips } from '../../../../test/support/round-trips.ts';
import { connect, typedQueries } from '../../../platform/db/connect.ts';
import type { Link } from '../links/find-links.ts';
import { createLinkCache } from '../links/links.ts';
import { type ClickSettings, defaultClickSettings } from '../settings.ts';
import type { Click } from './click.ts';
import { createClickRecorder } from './record.ts';

let service: TestService;
let own: Link;
let foreign: Link;
let suspended: Link;
before(async () => {
  service = await openTestService();
  const links = createLinkCache(service.ctx);
  const findLink = async (program = service.program): Promise<Link> => {
    const { referralCode } = await anAffiliate(service, { status: 'active' }, program);
    const found = await links.find({ kind: 'code', name: referralCode, program: '' });
    assert.ok(found);
    return found.link;
  };
  own = await findLink();
  foreign = await findLink(service.foreign);
  suspended = await findLink();
});
after(() => service.close());

function aClickOf(link: Link, ip: string, settings: Partial<ClickSettings> = {}): Click {
  const facts = {
    agent: chrome,
    via: 'api' as const,
    visitorId: null,
    country: null,
    adParameter: null,
    referrerHost: null,
    destination: null,
  };
  const at = service.clock.now();
  return {
    ...facts,
    link,
    ip,
    at,
    recordedAt: at,
    settings: { ...defaultClickSettings, ...settings },
    timezone: 'UTC',
    subIds: [],
    flag: null,
    wait: { isOver: false },
  };
}

/** While `work` runs, each statement that writes what belongs to the program's clicks fails. */
async function withoutWriting(programId: string, work: () => Promise<void>): Promise<void> {
  const tables = ['clicks', 'click_deltas', 'click_windows', 'click_repeats'];
  const inAll = (toSql: (table: string) => string) => service.pool.query(tables.map(toSql).join(';'));
  await service.pool.query(
    `create or replace function fail() returns trigger language plpgsql as $$ begin raise exception 'no writing'; end $$`,
  );
  await inAll(
    (table) => `create trigger fails before insert on ${table} for each row when (new.program_id = '${programId}') execute function fail()`,
  );
  await work().finally(() => inAll((table) => `drop trigger fails on ${table}`));
}

test('clicks over the limit and known duplicates are rejected without a statement', async () => {
  const { record } = createClickRecorder(service.ctx);
  const limited = () => aClickOf(own, '192.0.2.1', { clicksPerIpPerMinute: 2 });
  const repeated = () => aClickOf(own, '192.0.2.2', { dedupeSeconds: 60 });
  assert.deepEqual([(await record(limited())).recorded, (await record(limited())).recorded], [true, true]);
  const first = await record(repeated());
  await withoutWriting(own.programId, async () => {
    assert.deepEqual(await record(limited()), { recorded: false, clickId: null, reason: 'rate_limited' });
    assert.deepEqual(await record(repeated()), { recorded: false, clickId: first.clickId, reason: 'duplicate' });
    assert.equal((await record(aClickOf(own, '192.0.2.4'))).reason, 'unavailable', 'a click to record does write');
  });
});

test('a batch rejects the clicks of affiliates who are not active, and only those; for a second, without a statement', async () => {
  const { record } = createClickRecorder(service.ctx);
  const setStatus = (status: string) =>
    service.pool.query('update affiliates set status = $1 where program_id = $2 and id = $3', [
      status,
      suspended.programId,
      suspended.affiliateId,
    ]);
  const settings = { dedupeSeconds: 60, duplicates: 'ignore' as const };
  const both = () => Promise.all([record(aClickOf(suspended, '192.0.2.3', settings)), record(aClickOf(own, '192.0.2.3'))]);
  const rejected = { recorded: false, clickId: null, reason: 'affiliate_not_active' };
  await setStatus('suspended');
  const [first, second] = await both();
  assert.deepEqual([first, second?.recorded], [rejected, true]);
  await setStatus('active');
  assert.deepEqual(record(aClickOf(suspended, '192.0.2.3', settings)), rejected, 'without a promise');
  service.clock.advance({ seconds: 1 });
  assert.equal((await record(aClickOf(suspended, '192.0.2.3', settings))).recorded, true, 'a rejected click has no duplicates');
});

const readStored = async () => {
  const { rows } = await service.pool.query(
    `select (select count(*)::int from clicks where program_id = $1) as clicks,
       (select count(*)::int from click_repeats where program_id = $1) as repeats,
       (select coalesce(sum(added), 0)::int from click_deltas, unnest(clicks) as added where program_id = $1) as sums`,
    [own.programId],
  );
  return rows[0];
};

test('a batch of clicks takes two round trips, and one more to find the first clicks of visitors', async (t) => {
  const { host, port, user, database } = service.pool.options;
  const pool = connect({ host, port, user, database, max: 1 });
  t.after(() => pool.end());
  const count = countRoundTrips(pool);
  const { record } = createClickRecorder({ ...service.ctx, db: typedQueries(pool) });
  const unlimited = { clicksPerIpPerMinute: 0, clicksPerIpPerHour: 0, dedupeSeconds: 0 };
  const countFor = async (settings: Partial<ClickSettings>): Promise<number> => {
    const before = count();
    const recorded = await Promise.all([1, 2, 3].map((number) => record(aClickOf(own, `198.51.100.${number}`, settings))));
    assert.deepEqual(
      recorded.map((one) => one.recorded),
      [true, true, true],
    );
    return count() - before;
  };
  // Loads the salt of the day.
  await countFor(unlimited);
  assert.equal(await countFor(unlimited), 2);
  assert.equal(await countFor({ ...unlimited, dedupeSeconds: 60 }), 3);
});

test('clicks, their sums and the first clicks of visitors are stored together or not at all', async (t) => {
  const { record } = createClickRecorder(service.ctx);
  const settings = { dedupeSeconds: 60, duplicates: 'ignore' as const };
  await record(aClickOf(own, '198.51.100.10', settings));
  const before = await readStored();
  await service.pool.query('alter table click_deltas add constraint click_deltas_rejected check (false) not valid');
  t.after(() => service.pool.query('alter table click_deltas drop constraint if exists click_deltas_rejected'));
  const failed = await record(aClickOf(own, '198.51.100.11', settings));
  assert.deepEqual([failed.reason, await readStored()], ['unavailable', before]);
  await service.pool.query('alter table click_deltas drop constraint click_deltas_rejected');
  const recorded = await record(aClickOf(own, '198.51.100.11', settings));
  const { clicks, repeats, sums } = before;
  assert.deepEqual([recorded.recorded, await readStored()], [true, { clicks: clicks + 1, repeats: repeats + 1, sums: sums + 1 }]);
});

test('when the clicks of one program fail, only this program pauses; its failed clicks do not use up the limit', async () => {
  const { record } = createClickRecorder(service.ctx);
  const limits = { clicksPerIpPerMinute: 3 };
  await withoutWriting(own.programId, async () => {
    for (let round = 0; round < 10; round += 1) {
      assert.equal((await record(aClickOf(own, '192.0.2.9', limits))).reason, 'unavailable');
      assert.equal((await record(aClickOf(foreign, `192.0.2.${round}`, limits))).recorded, true);
    }
  });
  for (const deadline = Date.now() + 60_000; !(await record(aClickOf(own, '192.0.2.8'))).recorded; )
    assert.ok(Date.now() < deadline, 'it continues');
  const after = [];
  for (let round = 0; round < 4; round += 1) after.push((await record(aClickOf(own, '192.0.2.9', limits))).reason);
  assert.deepEqual(after, [null, null, null, 'rate_limited']);
});
