// Random orders and random rules: the guarantees of every calculation.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { AmountTooLarge, shareOf, sumOf } from '../../platform/lib/money.ts';
import { buildLines, ReportedOrder } from '../conversions/order.ts';
import { calculate, createRunningTotals } from './calculate.ts';
import type { OrderFacts } from './order-facts.ts';
import type { Rule } from './terms.ts';
import { Terms } from './terms.ts';

const largest = 99_999_999_999;
const cents = fc.oneof(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: 1_000_000 }), fc.constant(largest));
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 2 });
const rate = fc.integer({ min: 0, max: 1_000_000 }).map((ppm) => ppm / 10_000);

const terms = fc
  .record({
    isFlat: fc.boolean(),
    rate,
    amountCents: cents,
    per: fc.constantFrom('order' as const, 'unit' as const),
    basis: fc.constantFrom('order' as const, 'commission' as const),
    min: maybe(cents),
    max: maybe(cents),
    budget: maybe(cents),
  })
  .map(({ isFlat, rate: percent, amountCents, per, basis, min, max, budget }) =>
    Terms.parse({
      type: isFlat ? 'flat' : 'percentage',
      amountCents: isFlat ? Math.min(amountCents, 1_000_000) : undefined,
      per: isFlat ? per : undefined,
      rate: isFlat ? undefined : percent,
      basis: isFlat ? undefined : basis,
      minPerOrderCents: min,
      maxPerOrderCents: max === null ? null : Math.max(max, min ?? 0),
      budgetCents: budget,
      budgetPeriod: budget === null ? null : 'month',
    }),
  );

const rules: fc.Arbitrary<Rule[]> = fc.array(
  fc.record({
    id: fc.uuid(),
    version: fc.constant(1),
    name: fc.constant('r'),
    isArchived: fc.constant(false),
    level: fc.constantFrom(1 as const, 2 as const),
    productId: maybe(fc.constantFrom('a', 'b')),
    category: fc.constant(null),
    groupId: fc.constant(null),
    affiliateId: maybe(fc.constantFrom('ada', 'una')),
    effectiveFrom: fc.constant(null),
    effectiveTo: fc.constant(null),
    terms,
  }),
  { maxLength: 6 },
);

const facts: fc.Arbitrary<OrderFacts> = fc
  .record({
    lines: fc.array(
      fc.record({ amountCents: cents, quantity: fc.integer({ min: 1, max: 50 }), productId: maybe(fc.constantFrom('a', 'b', 'c')) }),
      {
        minLength: 1,
        maxLength: 6,
      },
    ),
    override: maybe(fc.record({ type: fc.constant('percentage' as const), rate })),
    hasUpline: fc.boolean(),
    capPercent: maybe(rate),
  })
  .map(({ lines, override, hasUpline, capPercent }) => ({
    at: '2026-03-10T12:00:00.000Z',
    amountCents: lines.reduce((sum, line) => sum + line.amountCents, 0),
    lines: lines.map((line, position) => ({ position, category: null, name: null, ...line })),
    affiliate: { id: 'ada', groupId: null, override },
    upline: hasUpline ? { id: 'una', groupId: null, override: null } : null,
    coupon: null,
    sequence: null,
    country: null,
    isNewCustomer: null,
    customer: null,
    capPercent,
  }));

const runs = { numRuns: 20_000, seed: 20_261_121 };

/** A commission that is too large is a separate error (test/money/large-amounts.test.ts). */
function calculateOrSkip(...given: Parameters<typeof calculate>): ReturnType<typeof calculate> {
  try {
    return calculate(...given);
  } catch (error) {
    fc.pre(!(error instanceof AmountTooLarge));
    throw error;
  }
}

describe('every calculation (20,000)', () => {
  test('returns safe integers above 0, within the cap, for lines of the order, and is repeatable', () => {
    fc.assert(
      fc.property(facts, rules, (order, of) => {
        const { drafts, capCents } = calculateOrSkip(order, of, createRunningTotals());
        for (const { amountCents, positions, baseCents, level } of drafts) {
          assert.ok(Number.isSafeInteger(amountCents) && amountCents > 0);
          const bases = positions.map((position) => order.lines[position]?.amountCents ?? Number.NaN);
          assert.equal(baseCents, sumOf(bases));
          assert.ok(level === 1 || order.upline);
        }
        const total = sumOf(drafts.map(({ amountCents }) => amountCents));
        assert.ok(capCents === null || total <= capCents, 'above the cap');
        for (const level of [1, 2]) {
          const positions = drafts.filter((draft) => draft.level === level).flatMap((draft) => draft.positions);
          assert.equal(new Set(positions).size, positions.length, 'a line was paid twice');
        }
        const stored = JSON.parse(JSON.stringify(order)) as OrderFacts;
        assert.deepEqual(calculate(stored, of, createRunningTotals()).drafts, drafts);
      }),
      runs,
    );
  });

  test('the maximum and the budget of a rule limit the sum of its commissions in an order', () => {
    fc.assert(
      fc.property(facts, rules, (order, of) => {
        const { drafts } = calculateOrSkip(order, of, createRunningTotals());
        for (const rule of of) {
          const paid = sumOf(drafts.filter(({ ruleId }) => ruleId === rule.id).map(({ amountCents }) => amountCents));
          if (rule.terms.maxPerOrderCents !== null) assert.ok(paid <= rule.terms.maxPerOrderCents);
          if (rule.terms.budgetCents !== null) assert.ok(paid <= rule.terms.budgetCents);
        }
      }),
      runs,
    );
  });
});

describe('the lines of an order (10,000)', () => {
  const item = fc.record({ amountCents: fc.integer({ min: 0, max: 1_000_000 }), discountShare: fc.integer({ min: 0, max: 100 }) });
  test('add up to its amount after any discounts, and none exceeds its price', () => {
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 12 }), fc.integer({ min: 0, max: 100 }), (items, share) => {
        const priced = items.map(({ amountCents, discountShare }) => ({
          amountCents,
          discountCents: shareOf(amountCents, discountShare * 10_000),
        }));
        const total = sumOf(priced.map(({ amountCents, discountCents }) => amountCents - discountCents));
        const order = ReportedOrder.parse({ orderId: 'o', amountCents: shareOf(total, share * 10_000), items: priced });
        const lines = buildLines(order, []);
        assert.equal(sumOf(lines.map(({ amountCents }) => amountCents)), order.amountCents);
        for (const [index, { amountCents }] of lines.entries()) {
          const { amountCents: price, discountCents } = priced[index] ?? { amountCents: 0, discountCents: 0 };
          assert.ok(amountCents >= 0 && amountCents <= price - discountCents);
        }
      }),
      { ...runs, numRuns: 10_000 },
    );
  });
});
