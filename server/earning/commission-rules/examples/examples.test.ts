// Worked examples: each checks one guarantee, with amounts that were calculated manually.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { calculate, createRunningTotals, metricKey, type RunningTotals } from '../calculate.ts';
import { amounts } from './amounts.ts';
import { carts } from './carts.ts';
import { type Case, factsOf, type Order, type Paid } from './case.ts';
import { circumstances } from './circumstances.ts';
import { limits } from './limits.ts';
import { periods } from './periods.ts';
import { precedence } from './precedence.ts';

const cases = [...amounts, ...carts, ...circumstances, ...precedence, ...limits, ...periods];

/** As in the database: the totals are 0 before the first order. */
function startTotals(running: RunningTotals, { rules }: Case, order: Order): void {
  for (const { terms } of rules) {
    const [tier] = terms.tiers;
    if (!tier) continue;
    const key = metricKey('ada', tier, new Date(factsOf(order).at), 'UTC');
    if (!running.totals.has(key)) running.totals.set(key, 0);
  }
}

describe('worked examples', () => {
  test('cover at least 100 orders, each example under its own name', () => {
    assert.ok(cases.flatMap(({ orders }) => orders).length >= 100, `${cases.flatMap(({ orders }) => orders).length} orders`);
    assert.equal(new Set(cases.map(({ name }) => name)).size, cases.length);
  });

  for (const example of cases) {
    test(`${example.name}: ${example.sum}`, () => {
      const running = createRunningTotals();
      for (const [index, [order, paid]] of example.orders.entries()) {
        startTotals(running, example, order);
        const facts = factsOf(order);
        const { drafts } = calculate(facts, example.rules, running);
        const got = drafts.map(({ level, source, ruleId, amountCents }): Paid => {
          const name = example.rules.find(({ id }) => id === ruleId)?.name;
          return [level, name ?? source, amountCents];
        });
        assert.deepEqual(got, paid, `order ${index + 1}`);
        for (const { level, affiliateId } of drafts) assert.equal(affiliateId, level === 1 ? 'ada' : 'una');
        assert.deepEqual(JSON.parse(JSON.stringify(facts)), facts, 'facts are the same after they were stored');
      }
    });
  }
});
