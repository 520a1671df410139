// Explanations add up as written: every sentence is parsed and recalculated from its own text.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { formatCents } from '../../platform/lib/currency.ts';
import { divideRounded, sumOf } from '../../platform/lib/money.ts';
import { calculate, createRunningTotals, metricKey } from './calculate.ts';
import { factsOf, flat, type LineOf, type Order, rule } from './examples/case.ts';
import { explainCalculation } from './explain.ts';

const money = String.raw`\$([\d,]+\.\d\d)`;
const sentenceForm = new RegExp(
  String.raw`^(?<what>.+) \(${money}\): (?<formula>.+?)(?<upline> for the upline)? by (?<by>.+?) = ${money}(?<limits>(?:, (?:raised|lowered) to .+? \(${money}\) = ${money})*)\.$`,
);
const limitForm = new RegExp(String.raw`, (raised|lowered) to (its share of )?([^(]+) \(${money}\) = ${money}`, 'g');

const fromDecimal = (text = '') => Math.round(Number(text.replaceAll(',', '')) * 100);
const percent = (rate: string, cents: number) =>
  Number(divideRounded(BigInt(cents) * BigInt(Math.round(Number(rate) * 10_000)), 1_000_000n));

/** The first result of a sentence, from its text. */
function recalculated(formula: string, baseCents: number): number {
  const ofCommission = formula.match(new RegExp(`^([\\d.]+)% of the level 1 commission of ${money}$`));
  if (ofCommission) return percent(ofCommission[1] ?? '', fromDecimal(ofCommission[2]));
  const ofBase = formula.match(/^([\d.]+)%$/);
  if (ofBase) return percent(ofBase[1] ?? '', baseCents);
  const perUnit = formula.match(new RegExp(`^(\\d+) × ${money}$`));
  if (perUnit) return Number(perUnit[1]) * fromDecimal(perUnit[2]);
  const once = formula.match(new RegExp(`^${money} flat$`));
  assert.ok(once, `unknown formula: ${formula}`);
  return fromDecimal(once[1]);
}

type Share = { key: string; totalCents: number; cents: number };

/** Checks one sentence; returns its result and its shares of limits that cover several commissions. */
function check(sentence: string): { cents: number; shares: Share[] } {
  const found = sentence.match(sentenceForm);
  assert.ok(found?.groups, `unknown sentence: ${sentence}`);
  const { formula = '', by = '', limits = '', upline = '' } = found.groups;
  let cents = recalculated(formula, fromDecimal(found[2]));
  assert.equal(cents, fromDecimal(found[6]), sentence);
  const shares: Share[] = [];
  for (const [, verb, share, limit = '', total, after] of limits.matchAll(limitForm)) {
    const [totalCents, next] = [fromDecimal(total), fromDecimal(after)];
    assert.ok(verb === 'raised' ? next >= cents : next <= cents, sentence);
    if (!share) assert.equal(next, totalCents, sentence);
    else shares.push({ key: `${limit}${upline}${limit.includes('cap') ? '' : by}`, totalCents, cents: next });
    cents = next;
  }
  return { cents, shares };
}

const cents = fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 2_000_000 }));
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 2 });
const rate = fc.integer({ min: 0, max: 1_000_000 }).map((ppm) => ppm / 10_000);
const terms = fc
  .record({
    kind: fc.constantFrom('percentage', 'commission', 'order', 'unit'),
    rate,
    amountCents: cents,
    min: maybe(cents),
    max: maybe(cents),
  })
  .chain((given) =>
    fc.record({ given: fc.constant(given), budget: maybe(cents), tier: maybe(rate), level: fc.constantFrom(1 as const, 2 as const) }),
  );
const ruleOf = fc.tuple(terms, maybe(fc.constantFrom('tea', 'soap')), fc.uuid()).map(([{ given, budget, tier, level }, productId, id]) => {
  const limits = {
    minPerOrderCents: given.min,
    maxPerOrderCents: given.max === null ? null : Math.max(given.max, given.min ?? 0),
    budgetCents: budget,
    budgetPeriod: budget === null ? null : 'month',
    productId,
    level,
  };
  if (given.kind === 'percentage' || given.kind === 'commission') {
    const basis = given.kind === 'commission' && level === 2 ? 'commission' : 'order';
    const tiers = tier === null ? [] : [{ metric: 'conversions', period: 'month', from: 0, rate: tier }];
    return rule(`rule ${id}`, given.rate, { ...limits, basis, tiers });
  }
  return flat(`rule ${id}`, given.amountCents, { ...limits, per: given.kind });
});
const line = fc
  .tuple(cents, maybe(fc.constantFrom('tea', 'soap', 'cup')), fc.integer({ min: 1, max: 9 }))
  .map(([amount, product, quantity]): LineOf => [amount, product, null, quantity]);
const order: fc.Arbitrary<Order> = fc.record({
  lines: fc.array(line, { minLength: 1, maxLength: 5 }),
  upline: fc.constant({}),
  cap: fc.oneof(fc.constant(null), rate),
});

describe('explanations', () => {
  test('can be recomputed from their text, for 1,000 random orders', () => {
    const seen = new Set<string>();
    const property = fc.property(order, fc.array(ruleOf, { minLength: 1, maxLength: 6 }), (given, rules) => {
      const facts = factsOf(given);
      const running = createRunningTotals();
      const at = new Date(facts.at);
      for (const id of ['ada', 'una']) running.totals.set(metricKey(id, { metric: 'conversions', period: 'month' }, at, 'UTC'), 0);
      const calculation = calculate(facts, rules, running);
      const sentences = explainCalculation(facts, calculation, 'USD');
      const calculated = sentences.filter((sentence) => !sentence.includes('earns nothing'));
      const results = calculated.map(check);
      assert.equal(sumOf(results.map((result) => result.cents)), sumOf(calculation.drafts.map(({ amountCents }) => amountCents)));
      for (const [key, shares] of Map.groupBy(
        results.flatMap((result) => result.shares),
        (share) => share.key,
      ))
        assert.deepEqual([key, sumOf(shares.map((share) => share.cents))], [key, shares[0]?.totalCents]);
      for (const phrase of ['level 1 commission', ' × ', ' flat', 'tier', 'minimum', 'maximum', 'budget', 'cap', 'share', 'earns nothing'])
        if (sentences.some((sentence) => sentence.includes(phrase))) seen.add(phrase);
    });
    fc.assert(property, { numRuns: 1000, seed: 20_261_121 });
    assert.equal(seen.size, 10, [...seen].join());
  });

  test('name the base of a percentage, and the number of units of a flat amount', () => {
    const facts = factsOf({ lines: [[18_061, null, null, 3]], upline: {} });
    const rules = [rule('one', 1), rule('half', 50, { level: 2, basis: 'commission' })];
    const explain = (of: typeof rules) => explainCalculation(facts, calculate(facts, of, createRunningTotals()), 'EUR');
    assert.deepEqual(explain(rules), [
      'The order (€180.61): 1% by “one” (default rule) = €1.81.',
      'The order (€180.61): 50% of the level 1 commission of €1.81 for the upline by “half” (default rule) = €0.91.',
    ]);
    assert.deepEqual(explain([flat('each', 500, { per: 'unit', maxPerOrderCents: 1200 })]), [
      'The order (€180.61): 3 × €5.00 by “each” (default rule) = €15.00, lowered to the maximum per order (€12.00) = €12.00.',
    ]);
    assert.equal(formatCents(1200, 'EUR'), '€12.00');
  });
});
