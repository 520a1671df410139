// Daily totals: every fact counts on its day, whenever it arrives, and concurrent writes lose nothing.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { aClick, anAffiliate, anOrder, aRule } from '../../../../test/support/builders.ts';
import { flood, randomAddress } from '../../../../test/support/flood.ts';
import { openTestService, type TestProgram, type TestService } from '../../../../test/support/harness.ts';
import { checkInvariants } from '../../../operations/verify/invariants.ts';
import { rebuildDailyTotalsJob } from '../../../views/overview/rebuild-daily-totals.ts';
import { copyFigures } from './copy-figures.ts';
import { copyClickFigures } from './figures.ts';
import { findWrongTotals } from './find-wrong-totals.ts';
import { foldClicks } from './fold-clicks.ts';
import { findWrongFigures } from './recount.ts';

let service: TestService;
let program: TestProgram;
let ada: { id: string; referralCode: string };
let upline: { id: string };

before(async () => {
  service = await openTestService();
});
after(() => service.close());
beforeEach(async () => {
  program = await service.newProgram(`Daily ${Math.random()}`);
  upline = await anAffiliate(service, { status: 'active' }, program);
  ada = await anAffiliate(service, { status: 'active', parentAffiliateId: upline.id }, program);
  await aRule(service, { rate: 10 }, program);
  await aRule(service, { rate: 2, level: 2 }, program);
});

const call = (method: string, path: string, body?: object) =>
  service.request(method, path, body ? { key: program.key, body } : { key: program.key });
const rebuild = () => rebuildDailyTotalsJob.run(service.ctx, { programId: program.programId }, { isLast: false });
const moveTo = (moment: string) => service.clock.advance({ seconds: (Date.parse(moment) - service.clock.now().getTime()) / 1000 });

type Day = { day: string; clicks: number; conversions: number; sales: number; refunds: number; commissions: number; reversals: number };

/** The days of an affiliate: what counts on each. */
async function daysOf(affiliateId: string): Promise<Day[]> {
  const { rows } = await service.pool.query(
    `select day::text, clicks::int, conversions::int, sales_cents::int as sales, refunds_cents::int as refunds,
       commissions_cents::int as commissions, reversals_cents::int as reversals
     from daily_totals where program_id = $1 and affiliate_id = $2
       and (clicks, conversions, sales_cents, refunds_cents, commissions_cents, reversals_cents) <> (0, 0, 0, 0, 0, 0) order by day`,
    [program.programId, affiliateId],
  );
  return rows;
}

async function findBroken(): Promise<unknown[]> {
  return (await checkInvariants(service.ctx)).flatMap(({ name, broken }) => (broken.length > 0 ? [[name, broken]] : []));
}

const nothing = { clicks: 0, conversions: 0, sales: 0, refunds: 0, commissions: 0, reversals: 0 };

describe('on the day of the order count', () => {
  test('the order, its commissions on both levels, later refunds and adjustments', async () => {
    moveTo('2026-05-10T12:00:00Z');
    const order = await anOrder(
      service,
      { affiliateId: ada.id, orderId: 'late', amountCents: 10_000, occurredAt: '2026-05-07T23:59:59Z' },
      program,
    );
    assert.deepEqual(await daysOf(ada.id), [{ ...nothing, day: '2026-05-07', conversions: 1, sales: 10_000, commissions: 1000 }]);
    assert.deepEqual(await daysOf(upline.id), [{ ...nothing, day: '2026-05-07', commissions: 200 }]);
    moveTo('2026-06-10T12:00:00Z');
    const { status } = await call('POST', '/v1/refunds', { refundId: 'r-1', orderId: 'late', amountCents: 2500 });
    assert.equal(status, 201);
    const adjusted = { amountCents: -50, note: 'Shipping' };
    assert.equal((await call('POST', `${program.path}/commissions/${order.commissions[0].id}/adjust`, adjusted)).status, 201);
    assert.deepEqual(await daysOf(ada.id), [
      { ...nothing, day: '2026-05-07', conversions: 1, sales: 10_000, refunds: 2500, commissions: 950, reversals: 250 },
    ]);
    assert.deepEqual(await daysOf(upline.id), [{ ...nothing, day: '2026-05-07', commissions: 200, reversals: 50 }]);
    assert.deepEqual(await findBroken(), []);
  });

  test('a dispute that is lost, and won after all', async () => {
    moveTo('2026-06-11T12:00:00Z');
    await anOrder(service, { affiliateId: ada.id, orderId: 'disputed', amountCents: 10_000 }, program);
    moveTo('2026-07-01T12:00:00Z');
    const report = (body: object) => call('POST', '/v1/disputes', { disputeId: 'd-1', orderId: 'disputed', ...body });
    for (const status of ['opened', 'lost']) assert.ok((await report({ status })).status < 300);
    const lost = { ...nothing, day: '2026-06-11', conversions: 1, sales: 10_000, refunds: 10_000, commissions: 1000, reversals: 1000 };
    assert.deepEqual(await daysOf(ada.id), [lost]);
    assert.ok((await report({ status: 'won' })).status < 300);
    assert.deepEqual(await daysOf(ada.id), [{ ...lost, refunds: 0, reversals: 0 }]);
    assert.deepEqual(await findBroken(), []);
  });

  test('the reversals of an order that was fraud', async () => {
    moveTo('2026-07-02T12:00:00Z');
    const email = (await call('GET', `${program.path}/affiliates/${ada.id}`)).body.email;
    await anOrder(service, { affiliateId: ada.id, amountCents: 10_000, customer: { email } }, program);
    moveTo('2026-07-05T12:00:00Z');
    const { fraudEvents } = (await call('GET', `${program.path}/fraud-events`)).body;
    const resolved = await call('POST', `${program.path}/fraud-events/${fraudEvents[0].id}/resolve`, { resolution: 'fraud' });
    assert.equal(resolved.status, 200, resolved.text);
    assert.deepEqual(await daysOf(ada.id), [
      { ...nothing, day: '2026-07-02', conversions: 1, sales: 10_000, commissions: 1000, reversals: 1000 },
    ]);
    assert.deepEqual(await findBroken(), []);
  });
});

test('a bonus and its adjustment count on the day it was granted', async () => {
  moveTo('2026-07-08T12:00:00Z');
  const bonus = await call('POST', `${program.path}/commissions`, { affiliateId: ada.id, amountCents: 5000, note: 'Speaker fee' });
  moveTo('2026-07-09T12:00:00Z');
  await call('POST', `${program.path}/commissions/${bonus.body.id}/adjust`, { amountCents: -1000, note: 'Agreed' });
  assert.deepEqual(await daysOf(ada.id), [{ ...nothing, day: '2026-07-08', commissions: 4000 }]);
  assert.deepEqual(await findBroken(), []);
});

test('a changed time zone moves what counts on another day in it, including the hour that daylight saving time repeats', async () => {
  // New York leaves daylight saving time on 2026-11-01: 05:30 and 06:30 UTC are both 01:30 there.
  for (const moment of ['2026-10-31T02:00:00Z', '2026-11-01T05:30:00Z', '2026-11-01T06:30:00Z', '2026-11-02T04:59:00Z']) {
    moveTo(moment);
    await anOrder(service, { affiliateId: ada.id, amountCents: 100 }, program);
    await aClick(service, ada.id, program);
  }
  const dates = async () => (await daysOf(ada.id)).map(({ day, clicks, conversions }) => [day, clicks, conversions]);
  assert.deepEqual(await dates(), [
    ['2026-10-31', 1, 1],
    ['2026-11-01', 2, 2],
    ['2026-11-02', 1, 1],
  ]);
  assert.equal((await call('PATCH', program.path, { timezone: 'America/New_York' })).status, 200);
  const { rows } = await service.pool.query(`select data from job_outbox where name = 'daily_totals.rebuild'`);
  assert.deepEqual(rows.at(-1), { data: { programId: program.programId } });
  assert.deepEqual(await findBroken(), []);
  service.clock.advance({ seconds: 60 });
  await rebuild();
  assert.deepEqual(await dates(), [
    ['2026-10-30', 1, 1],
    ['2026-11-01', 3, 3],
  ]);
  assert.deepEqual(await findBroken(), []);
});

test('a job copies the clicks of the last minutes to the figures, even where it is still yesterday', async () => {
  await service.pool.query(`update programs set timezone = 'Etc/GMT+12' where id = $1`, [program.programId]);
  await aClick(service, ada.id, program);
  await copyClickFigures.run(service.ctx, {}, { isLast: false });
  const { rows } = await service.pool.query('select clicks::int from affiliate_figures where affiliate_id = $1', [ada.id]);
  assert.deepEqual(rows, [{ clicks: 1 }]);
});

test('clicks, orders, refunds and rebuilds at the same time lose nothing and count nothing twice', { timeout: 120_000 }, async () => {
  moveTo('2026-11-10T23:59:58Z');
  const others = await Promise.all(Array.from({ length: 4 }, () => anAffiliate(service, { status: 'active' }, program)));
  const affiliates = [ada, ...others];
  const pick = (index: number) => affiliates[index % affiliates.length] ?? ada;
  const clicks = Array.from({ length: 1500 }, (_, index) => ({ from: randomAddress(), code: pick(index).referralCode }));
  const orders = Array.from({ length: 120 }, async (_, index) => {
    const order = { affiliateId: pick(index).id, orderId: `race-${index}`, amountCents: 1000 + index };
    await anOrder(service, order, program);
    if (index % 3 === 0) await call('POST', '/v1/refunds', { refundId: `race-${index}`, orderId: `race-${index}`, amountCents: 500 });
  });
  const rebuilds = async () => {
    for (let index = 0; index < 6; index += 1) {
      await rebuild();
      const snapshot = service.ctx.db.transaction().setIsolationLevel('repeatable read');
      const wrong = await snapshot.execute(async (db) => [
        await findWrongTotals({ db }, program.programId),
        await findWrongFigures({ db }, program.programId),
      ]);
      assert.deepEqual(wrong, [{ daily: [], lifetime: [] }, []]);
      service.clock.advance({ seconds: 1 });
    }
  };
  let isOver = false;
  const folds = async () => {
    while (!isOver) await Promise.all([foldClicks(service.ctx), copyFigures(service.ctx)]);
  };
  const writes = Promise.all([flood(service, clicks), Promise.all(orders), rebuilds()]).finally(() => {
    isOver = true;
  });
  await Promise.all([writes, folds(), folds()]);
  await foldClicks(service.ctx);
  await copyFigures(service.ctx);
  const sums = (await Promise.all(affiliates.map(({ id }) => daysOf(id)))).flat();
  const sum = (measure: 'clicks' | 'conversions' | 'sales' | 'refunds') => sums.reduce((total, day) => total + day[measure], 0);
  const { rows } = await service.pool.query(
    `select (select count(*)::int from clicks where program_id = $1) as clicks,
       (select count(*)::int from conversions where program_id = $1) as conversions,
       (select sum(amount_cents)::int from conversions where program_id = $1) as sales,
       (select sum(amount_cents)::int from refunds where program_id = $1) as refunds`,
    [program.programId],
  );
  const counted = { clicks: sum('clicks'), conversions: sum('conversions'), sales: sum('sales'), refunds: sum('refunds') };
  assert.deepEqual(counted, rows[0]);
  const marks = await service.pool.query('select from figure_changes where program_id = $1', [program.programId]);
  assert.equal(marks.rowCount, 0);
  assert.ok(counted.clicks > 100 && counted.conversions === 120 && counted.refunds > 5000, JSON.stringify(counted));
  assert.deepEqual(await findBroken(), []);
});

describe('verify finds', () => {
  for (const [what, breaking] of [
    ['a wrong amount', `update daily_totals set sales_cents = sales_cents + 1`],
    ['a wrong day', `update daily_totals set day = day + 1000`],
    ['a missing row', `delete from daily_totals`],
    [
      'a row too many',
      `insert into daily_totals (program_id, day, affiliate_id, clicks) select program_id, '2001-01-01', id, 1 from affiliates`,
    ],
  ] as const) {
    test(what, async () => {
      await anOrder(service, { affiliateId: ada.id }, program);
      await service.pool.query(breaking);
      const names = (await findBroken()).map((finding) => (finding as [string])[0]);
      assert.deepEqual(names, ['daily totals equal the clicks, orders, refunds and commissions of their days']);
      for (const { id } of (await service.pool.query('select id from programs')).rows)
        await rebuildDailyTotalsJob.run(service.ctx, { programId: id }, { isLast: false });
      await service.pool.query(`delete from daily_totals where day < '2002-01-01'`);
      assert.deepEqual(await findBroken(), []);
    });
  }
});
