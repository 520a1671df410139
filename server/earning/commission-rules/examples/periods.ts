// Tiers, budgets, minimum and maximum: what depends on what came before, and limits over several lines.
import { type Case, flat, one, rule } from './case.ts';

const order = (cents: number, at?: string) => (at === undefined ? { lines: [[cents] as [number]] } : { lines: [[cents] as [number]], at });
const count = (from: number, rate: number, period = 'month') => ({ metric: 'conversions', period, from, rate });

export const periods: Case[] = [
  {
    name: 'a tier counts the orders before this one, and the highest reached counts',
    sum: '5 %, 5 %, then from the third on 10 %, from the fifth on 20 %',
    rules: [rule('tiers', 5, { tiers: [count(4, 20), count(2, 10)] })],
    orders: [
      [order(1000), [[1, 'tiers', 50]]],
      [order(1000), [[1, 'tiers', 50]]],
      [order(1000), [[1, 'tiers', 100]]],
      [order(1000), [[1, 'tiers', 100]]],
      [order(1000), [[1, 'tiers', 200]]],
    ],
  },
  {
    name: 'a month begins at midnight UTC on its first',
    sum: '31 March: the second order 10 %; 1 April: 5 % again',
    rules: [rule('tiers', 5, { tiers: [count(1, 10)] })],
    orders: [
      [order(1000, '2026-03-31T23:59:59.000Z'), [[1, 'tiers', 50]]],
      [order(1000, '2026-03-31T23:59:59.999Z'), [[1, 'tiers', 100]]],
      [order(1000, '2026-04-01T00:00:00.000Z'), [[1, 'tiers', 50]]],
    ],
  },
  {
    name: 'quarters and years have their own borders',
    sum: 'quarter: 5, then 10 in March, 5 in April; nothing else',
    rules: [rule('tiers', 5, { tiers: [count(1, 10, 'quarter')] })],
    orders: [
      [order(1000, '2026-01-01T00:00:00.000Z'), [[1, 'tiers', 50]]],
      [order(1000, '2026-03-31T23:59:59.999Z'), [[1, 'tiers', 100]]],
      [order(1000, '2026-04-01T00:00:00.000Z'), [[1, 'tiers', 50]]],
    ],
  },
  {
    name: 'a tier by amount: reached exactly is reached',
    sum: '4000 before: no; 5000 before: yes',
    rules: [rule('tiers', 5, { tiers: [{ metric: 'amountCents', period: 'total', from: 5000, rate: 10 }] })],
    orders: [
      [order(4000), [[1, 'tiers', 200]]],
      [order(1000), [[1, 'tiers', 50]]],
      [order(1000), [[1, 'tiers', 100]]],
    ],
  },
  {
    name: 'a tier by commission counts what was earned on level 1',
    sum: '1000×0.05=50 → 50 reached: 1000×0.10=100',
    rules: [rule('tiers', 5, { tiers: [{ metric: 'commissionCents', period: 'year', from: 50, rate: 10 }] })],
    orders: [
      [order(1000), [[1, 'tiers', 50]]],
      [order(1000), [[1, 'tiers', 100]]],
    ],
  },
  {
    name: 'tiers of a flat rule',
    sum: '100, then 250',
    rules: [flat('flat', 100, { tiers: [{ metric: 'conversions', period: 'month', from: 1, amountCents: 250 }] })],
    orders: [
      [order(1000), [[1, 'flat', 100]]],
      [order(1000), [[1, 'flat', 250]]],
    ],
  },
  {
    name: 'a budget pays its remaining amount, then nothing, and starts again with its period',
    sum: '250 in March: 100, 100, 50, 0; April 100',
    rules: [rule('budget', 10, { budgetCents: 250, budgetPeriod: 'month' })],
    orders: [
      [order(1000), [[1, 'budget', 100]]],
      [order(1000), [[1, 'budget', 100]]],
      [order(1000), [[1, 'budget', 50]]],
      [order(1000), []],
      [order(1000, '2026-04-01T00:00:00.000Z'), [[1, 'budget', 100]]],
    ],
  },
  {
    name: 'a budget used up is not paid by the next rule',
    sum: '50 of 100, then 0: the rule still won',
    rules: [rule('budget', 10, { affiliateId: 'ada', budgetCents: 50, budgetPeriod: 'total' }), rule('all', 5)],
    orders: [
      [order(1000), [[1, 'budget', 50]]],
      [order(1000), []],
    ],
  },
  {
    name: 'what a cap took away is not spent of a budget',
    sum: 'cap 10 % of 1000 = 100 of 200; 150 left for the next: min(200→cap 100) = 100',
    rules: [rule('budget', 20, { budgetCents: 250, budgetPeriod: 'total' })],
    orders: [
      [{ ...order(1000), cap: 10 }, [[1, 'budget', 100]]],
      [{ ...order(1000), cap: 10 }, [[1, 'budget', 100]]],
      [{ ...order(1000), cap: 10 }, [[1, 'budget', 50]]],
    ],
  },
  one('a maximum per order is split over the lines by largest remainder', '1000+500+501 at 10 % = 100+50+50; to 100: 50, 25, 25', {
    rules: [rule('max', 10, { maxPerOrderCents: 100 })],
    order: { lines: [[1000], [500], [501]] },
    paid: [
      [1, 'max', 50],
      [1, 'max', 25],
      [1, 'max', 25],
    ],
  }),
  one('and its odd cent goes to the largest remainder, ties to the earlier line', '10+10+10 to 20: 6.67 each: 7, 7, 6', {
    rules: [rule('max', 10, { maxPerOrderCents: 20 })],
    order: { lines: [[100], [100], [100]] },
    paid: [
      [1, 'max', 7],
      [1, 'max', 7],
      [1, 'max', 6],
    ],
  }),
  one('a maximum covers only the lines of its rule', 'tea 400 → 300; the rest 10 % of 1000 = 100', {
    rules: [rule('tea', 20, { productId: 'tea', maxPerOrderCents: 300 }), rule('all', 10)],
    order: { lines: [[2000, 'tea'], [1000]] },
    paid: [
      [1, 'tea', 300],
      [1, 'all', 100],
    ],
  }),
  one('a minimum per order is raised to, split by what each line earned', '3+7 to 100: 30, 70', {
    rules: [rule('min', 1, { minPerOrderCents: 100 })],
    order: { lines: [[300], [700]] },
    paid: [
      [1, 'min', 30],
      [1, 'min', 70],
    ],
  }),
  one('a minimum never goes above the cap', 'minimum 500, order 300', {
    rules: [rule('min', 1, { minPerOrderCents: 500 })],
    order: { lines: [[300]] },
    paid: [[1, 'min', 300]],
  }),
  one('a minimum of an order of nothing is nothing', '0', {
    rules: [rule('min', 1, { minPerOrderCents: 500 })],
    order: { lines: [[0]] },
    paid: [],
  }),
  one('a flat amount per unit meets its maximum', '12 × 50 = 600 → 450', {
    rules: [flat('piece', 50, { per: 'unit', maxPerOrderCents: 450 })],
    order: { lines: [[6000, null, null, 12]] },
    paid: [[1, 'piece', 450]],
  }),
  one('a maximum of the upline', '5 % of 10000 = 500 → 99', {
    rules: [rule('all', 10), rule('up', 5, { level: 2, maxPerOrderCents: 99 })],
    order: { lines: [[10_000]], upline: {} },
    paid: [
      [1, 'all', 1000],
      [2, 'up', 99],
    ],
  }),
];
