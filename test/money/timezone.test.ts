// A program's time zone decides which month and which day something belongs to. New York is 4 or 5 hours behind UTC.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { anAffiliate, anOrder, aRule } from '../support/builders.ts';
import { openTestService, type TestProgram, type TestService } from '../support/harness.ts';
import { pay } from '../support/pay.ts';

let service: TestService;
let program: TestProgram;
let ada: { id: string; referralCode: string };

before(async () => {
  service = await openTestService();
});
after(() => service.close());
beforeEach(async () => {
  program = await service.newProgram(`Zoned ${Math.random()}`);
  const body = { timezone: 'America/New_York', minimumPayoutCents: 0 };
  assert.equal((await service.request('PATCH', program.path, { key: program.key, body })).status, 200);
  ada = await anAffiliate(service, { status: 'active' }, program);
});

const get = async (path: string) => {
  const { status, body, text } = await service.request('GET', `${program.path}/${path}`, { key: program.key });
  assert.equal(status, 200, text);
  return body ?? text;
};
const at = (moment: string) => service.clock.advance({ seconds: (Date.parse(moment) - service.clock.now().getTime()) / 1000 });
const earned = async (occurredAt: string) =>
  (await anOrder(service, { affiliateId: ada.id, amountCents: 10_000, occurredAt }, program)).commissionCents;

describe("in the program's time zone are", () => {
  test('the months of volume tiers', async () => {
    at('2026-05-02T00:00:00Z');
    await aRule(service, { rate: 10, tiers: [{ metric: 'conversions', period: 'month', from: 2, rate: 20 }] }, program);
    const cents = [];
    for (const moment of ['2026-03-31T12:00:00Z', '2026-04-01T03:59:59Z', '2026-04-01T03:59:59Z', '2026-04-01T04:00:00Z']) {
      cents.push(await earned(moment));
    }
    assert.deepEqual(cents, [1000, 1000, 2000, 1000]);
  });

  test('the months of budgets', async () => {
    await aRule(service, { rate: 10, budgetCents: 1500, budgetPeriod: 'month' }, program);
    const cents = [];
    for (const moment of ['2026-03-31T12:00:00Z', '2026-04-01T03:59:59Z', '2026-04-01T04:00:00Z']) cents.push(await earned(moment));
    assert.deepEqual(cents, [1000, 500, 1000]);
  });

  test('the months of statements: each ends where the next begins, and times are in UTC', async () => {
    await aRule(service, { rate: 10 }, program);
    for (const moment of ['2026-06-01T03:59:59Z', '2026-06-01T04:00:00Z', '2026-07-01T03:59:59Z', '2026-07-01T04:00:00Z']) {
      at(moment);
      await earned(moment);
    }
    const [may, june, july] = [
      await get(`affiliates/${ada.id}/statement?month=2026-05`),
      await get(`affiliates/${ada.id}/statement?month=2026-06`),
      await get(`affiliates/${ada.id}/statement`),
    ];
    assert.deepEqual([may.earnedCents, june.earnedCents, july.month, july.earnedCents], [1000, 2000, '2026-07', 1000]);
    assert.deepEqual([june.openingCents, july.openingCents, july.timezone], [may.closingCents, june.closingCents, 'America/New_York']);
    assert.deepEqual(
      june.lines.map(({ createdAt }: { createdAt: string }) => createdAt),
      ['2026-06-01T04:00:00.000Z', '2026-07-01T03:59:59.000Z'],
    );
    await service.request('PATCH', program.path, { key: program.key, body: { timezone: 'UTC' } });
    assert.equal((await get(`affiliates/${ada.id}/statement?month=2026-06`)).earnedCents, 2000, 'a change applies immediately');
    assert.equal((await get(`affiliates/${ada.id}/statement?month=2026-05`)).closingCents, 0);
  });

  test('the days of the forecast, even when the clocks change', async () => {
    at('2026-10-31T03:00:00Z'); // Still the 30th in New York.
    await service.request('PATCH', program.path, { key: program.key, body: { holdDays: 2 } });
    await aRule(service, { rate: 10 }, program);
    for (const moment of ['2026-10-30T04:30:00Z', '2026-10-30T23:00:00Z', '2026-10-31T02:00:00Z']) await earned(moment);
    const { days, timezone, laterCents } = await get('payouts/forecast?days=4');
    assert.equal(timezone, 'America/New_York');
    assert.deepEqual(
      days.map(({ maturesOn, maturingCents }: { maturesOn: string; maturingCents: number }) => [maturesOn, maturingCents]),
      [
        ['2026-10-30', 0],
        ['2026-10-31', 0],
        ['2026-11-01', 3000], // 25 hours, from 04:00 to 05:00 UTC.
        ['2026-11-02', 0],
      ],
    );
    assert.equal(laterCents, 0);
  });

  test('the daily sums of the journal and of rejected clicks', async () => {
    await aRule(service, { rate: 10 }, program);
    for (const moment of ['2026-12-01T04:59:59Z', '2026-12-01T05:00:00Z', '2026-12-02T04:59:59Z']) {
      at(moment);
      await earned(moment);
    }
    const csv = await get('ledger/journal?groupBy=day&createdFrom=2026-12-01T00:00:00Z&createdTo=2026-12-03T00:00:00Z');
    const rows: Record<string, string>[] = parse(csv, { columns: true });
    assert.deepEqual(
      rows.map(({ postedOn, entryCount, amountCents }) => [postedOn, entryCount, amountCents]),
      [
        ['2026-11-30', '1', '1000'],
        ['2026-12-01', '2', '2000'],
      ],
    );
    await service.request('PATCH', `${program.path}/click-settings`, { key: program.key, body: { bots: 'ignore' } });
    const headers = { 'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' };
    await service.request('GET', `/r/${ada.referralCode}`, { key: null, headers });
    const { rejectedClicks } = await get('rejected-clicks');
    assert.deepEqual(
      rejectedClicks.map(({ clickedOn }: { clickedOn: string }) => clickedOn),
      ['2026-12-01'],
    );
  });

  test('the years of tax totals', async () => {
    await pay(service.ctx, program, ada.id, [
      ['2027-01-01T04:59:59Z', 700],
      ['2027-01-01T05:00:00Z', 300],
    ]);
    at('2027-01-01T06:00:00Z');
    const totals = async (query: string) =>
      (await get(`tax/totals${query}`)).totals.map(({ amountCents }: { amountCents: number }) => amountCents);
    assert.deepEqual([await totals('?year=2026'), await totals('')], [[700], [300]]);
  });
});
