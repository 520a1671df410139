// The parts of an explanation add up to the commission, the reversal and the ledger to the cent, for random orders with
// uplines, caps, limits, coupons, refunds by line and by amount, and orders that earned nothing.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { aCoupon, anAffiliate, aProduct, aRule } from '../../../../test/support/builders.ts';
import { openTestService, type TestProgram, type TestService } from '../../../../test/support/harness.ts';
import { splitCommission } from './parts.ts';

type Amounts = { amountCents: number; reversedCents: number };

let service: TestService;
let programs: { program: TestProgram; products: string[]; affiliates: string[] }[];

before(async () => {
  service = await openTestService();
  programs = [await aProgram('Capped', { commissionCapPercent: 11 }), await aProgram('Flat', { flatRefunds: 'keep' })];
});
after(() => service.close());

async function aProgram(name: string, settings: object) {
  const program = await service.newProgram(name);
  await service.request('PATCH', program.path, { body: settings, key: program.key });
  const upline = await anAffiliate(service, { status: 'active' }, program);
  const ada = await anAffiliate(service, { status: 'active', parentAffiliateId: upline.id }, program);
  const products = [await aProduct(service, {}, program), await aProduct(service, { category: 'Tea' }, program)];
  await aRule(service, { rate: 7.77 }, program);
  await aRule(service, { category: 'Tea', type: 'flat', amountCents: 333, per: 'unit', maxPerOrderCents: 901 }, program);
  await aRule(service, { productId: products[0], type: 'flat', amountCents: 500, excludeCouponOrders: true }, program);
  await aRule(service, { level: 2, type: 'percentage', rate: 33.3, basis: 'commission' }, program);
  await aRule(service, { productId: products[0], rate: 0, conditions: [{ field: 'couponUsed', operator: 'is', value: true }] }, program);
  await aCoupon(service, { affiliateId: upline.id, code: 'UP', commissionType: 'percentage', commissionRate: 3.3 }, program);
  return { program, products, affiliates: [ada.id, upline.id] };
}

const item = fc.record({
  product: fc.integer({ min: 0, max: 2 }),
  quantity: fc.integer({ min: 1, max: 4 }),
  amountCents: fc.oneof({ weight: 1, arbitrary: fc.constant(0) }, { weight: 6, arbitrary: fc.integer({ min: 1, max: 9999 }) }),
});
const order = fc.record({
  program: fc.integer({ min: 0, max: 1 }),
  affiliate: fc.integer({ min: 0, max: 1 }),
  items: fc.array(item, { maxLength: 5 }),
  discount: fc.integer({ min: 0, max: 50 }),
  hasCoupon: fc.boolean(),
  refunds: fc.array(fc.integer({ min: 1, max: 100 }), { maxLength: 3 }),
  byLine: fc.boolean(),
});

const sum = (rows: readonly Amounts[], name: keyof Amounts) => rows.reduce((total, row) => total + row[name], 0);

describe('an explanation', () => {
  test('adds up to the cent', async () => {
    let serial = 0;
    const seen = { level2: 0, refunded: 0, nothing: 0, capped: 0 };
    await fc.assert(
      fc.asyncProperty(order, async (given) => {
        serial += 1;
        const orderId = `random-${serial}`;
        const { program, products, affiliates } = programs[given.program] ?? assert.fail();
        const items = given.items.map(({ product, ...rest }) => ({ ...rest, productId: products[product] ?? null }));
        const gross = items.reduce((total, { amountCents }) => total + amountCents, 0);
        const amountCents = items.length === 0 ? 4321 : gross - Math.floor((gross * given.discount) / 100);
        const body = { orderId, amountCents, items, affiliateId: affiliates[given.affiliate], couponCode: given.hasCoupon ? 'UP' : null };
        const reported = await service.request('POST', '/v1/conversions', { body, key: program.key });
        assert.equal(reported.status, 201, reported.text);
        for (const [index, percent] of given.refunds.entries()) {
          const cents = Math.ceil((amountCents * percent) / 250);
          const refund = given.byLine && items.length > 0 ? { items: [{ position: index % items.length }] } : { amountCents: cents };
          await service.request('POST', '/v1/refunds', { body: { refundId: `${orderId}-${index}`, orderId, ...refund }, key: program.key });
        }
        await checkExplanation(program, reported.body.id, seen);
      }),
      { numRuns: 60, seed: 20261122 },
    );
    for (const [what, times] of Object.entries(seen)) assert.ok(times > 0, `${what} was never drawn`);
  });

  test('splits a reversal by what was refunded, and never more than a part', () => {
    const amount = fc.integer({ min: 0, max: 5000 });
    const lines = fc.array(fc.record({ amountCents: amount, refunded: fc.integer({ min: 0, max: 100 }) }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(lines, amount, fc.integer({ min: 0, max: 100 }), (given, amountCents, percent) => {
        const reversedCents = Math.floor((amountCents * percent) / 100);
        const amounts = new Map(
          given.map((line, position) => [position, { ...line, refundedCents: Math.floor((line.amountCents * line.refunded) / 100) }]),
        );
        const parts = splitCommission({ positions: [...amounts.keys()], amountCents, reversedCents }, amounts);
        assert.deepEqual([sum(parts, 'amountCents'), sum(parts, 'reversedCents')], [amountCents, reversedCents]);
        for (const part of parts) assert.ok(part.reversedCents >= 0 && part.reversedCents <= part.amountCents);
      }),
    );
  });
});

async function checkExplanation(program: TestProgram, id: string, seen: Record<string, number>): Promise<void> {
  const { status, body } = await service.request('GET', `${program.path}/conversions/${id}/explanation`, { key: program.key });
  assert.equal(status, 200);
  const conversion = (await service.request('GET', `${program.path}/conversions/${id}`, { key: program.key })).body;
  const { totals, commissions, items, refunds, timeline } = body;
  const parts = commissions.flatMap((one: { parts: Amounts[] }) => one.parts);
  assert.equal(totals.commissionCents, conversion.commissionCents);
  assert.equal(totals.reversedCents, conversion.reversedCents);
  for (const name of ['amountCents', 'reversedCents'] as const) {
    const expected = name === 'amountCents' ? totals.commissionCents : totals.reversedCents;
    assert.equal(sum(commissions, name), expected, name);
    assert.equal(sum(parts, name), expected, `${name} of the parts`);
  }
  assert.equal(sum(items, 'reversedCents'), totals.reversedCents);
  assert.equal(
    items.reduce((total: number, one: { commissionCents: number }) => total + one.commissionCents, 0),
    totals.commissionCents,
  );
  assert.equal(sum(refunds, 'reversedCents'), totals.reversedCents);
  assert.equal(totals.creditedCents + totals.uplineCents, totals.commissionCents);
  assert.equal(sum(items, 'amountCents'), totals.amountCents);
  const ids = commissions.map((one: { id: string }) => one.id);
  const { rows } = await service.pool.query(
    `select coalesce(sum(case when debit = 'commissions' then cents when credit = 'commissions' then -cents else 0 end), 0)::int as cents
     from ledger_entries where commission_id = any($1::uuid[])`,
    [ids],
  );
  assert.equal(rows[0].cents, totals.netCents);
  const earned = timeline.flatMap((one: { steps: { step: string; amountCents: number }[] }) =>
    one.steps.filter(({ step }) => step === 'earned'),
  );
  assert.equal(
    earned.reduce((total: number, one: { amountCents: number }) => total + one.amountCents, 0),
    totals.commissionCents,
  );
  const isCapped = commissions.some((one: { limits: { by: string }[] }) => one.limits.some(({ by }) => by === 'program_cap'));
  const found = {
    level2: totals.uplineCents > 0,
    refunded: totals.reversedCents > 0,
    nothing: totals.commissionCents === 0,
    capped: isCapped,
  };
  for (const [what, happened] of Object.entries(found)) seen[what] = (seen[what] ?? 0) + Number(happened);
}
