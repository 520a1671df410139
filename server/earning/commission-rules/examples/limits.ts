// Limits over several lines with odd cents, the order in which they bite, and who yields to the cap.
// Every sum is calculated manually; a split is by largest remainder, ties to the earlier line.
import { type Case, flat, type Order, one, rule } from './case.ts';

const order = (cents: number, at?: string): Order => (at === undefined ? { lines: [[cents]] } : { lines: [[cents]], at });
const spending = (period: string) => rule('budget', 10, { budgetCents: 150, budgetPeriod: period });

export const limits: Case[] = [
  one('a minimum over three lines with an odd cent', '3.33→3, 3, 3.34→3; 100 by 3:3:3 = 33.3 each → 34, 33, 33', {
    rules: [rule('min', 1, { minPerOrderCents: 100 })],
    order: { lines: [[333], [333], [334]], cap: null },
    paid: [
      [1, 'min', 34],
      [1, 'min', 33],
      [1, 'min', 33],
    ],
  }),
  one('a minimum of lines that earn nothing is split by what they cost', '10 by 100:200 = 3.33, 6.67 → 3, 7', {
    rules: [rule('min', 0, { minPerOrderCents: 10 })],
    order: { lines: [[100], [200]] },
    paid: [
      [1, 'min', 3],
      [1, 'min', 7],
    ],
  }),
  {
    name: 'minimum and maximum alike make a fixed amount',
    sum: '1000×0.10=100→250; 100000×0.10=10000→250',
    rules: [rule('fixed', 10, { minPerOrderCents: 250, maxPerOrderCents: 250 })],
    orders: [
      [order(1000), [[1, 'fixed', 250]]],
      [order(100_000), [[1, 'fixed', 250]]],
    ],
  },
  {
    name: 'a limit that is met exactly changes nothing',
    sum: '1000×0.10=100, 1001×0.10=100.1→100, 1005×0.10=100.5→101→100',
    rules: [rule('max', 10, { maxPerOrderCents: 100, minPerOrderCents: 100 })],
    orders: [
      [order(1000), [[1, 'max', 100]]],
      [order(1001), [[1, 'max', 100]]],
      [order(1005), [[1, 'max', 100]]],
    ],
  },
  one('a maximum of 0 pays nothing', '100 → 0', { rules: [rule('max', 10, { maxPerOrderCents: 0 })], order: order(1000), paid: [] }),
  one('a budget partly left is split over the lines', '50+50+51=151 to 100: 33.11, 33.11, 33.77 → 33, 33, 34', {
    rules: [rule('budget', 10, { budgetCents: 100, budgetPeriod: 'month' })],
    order: { lines: [[500], [500], [510]] },
    paid: [
      [1, 'budget', 33],
      [1, 'budget', 33],
      [1, 'budget', 34],
    ],
  }),
  one('a budget of one cent goes to the earlier of two equal lines', '100+100 to 1: 0.5 each → 1, 0', {
    rules: [rule('budget', 10, { budgetCents: 1, budgetPeriod: 'total' })],
    order: { lines: [[1000], [1000]] },
    paid: [[1, 'budget', 1]],
  }),
  {
    name: 'a budget of a quarter starts again with the quarter, in UTC',
    sum: '150: 100 in January, 50 in March; April 100',
    rules: [spending('quarter')],
    orders: [
      [order(1000, '2026-01-01T00:00:00.000Z'), [[1, 'budget', 100]]],
      [order(1000, '2026-03-31T23:59:59.999Z'), [[1, 'budget', 50]]],
      [order(1000, '2026-04-01T00:00:00.000Z'), [[1, 'budget', 100]]],
    ],
  },
  {
    name: 'a budget of a year starts again with the year, in UTC',
    sum: '150: 100 in January, 50 in December; next year 100',
    rules: [spending('year')],
    orders: [
      [order(1000, '2026-01-01T00:00:00.000Z'), [[1, 'budget', 100]]],
      [order(1000, '2026-12-31T23:59:59.999Z'), [[1, 'budget', 50]]],
      [order(1000, '2027-01-01T00:00:00.000Z'), [[1, 'budget', 100]]],
    ],
  },
  {
    name: 'a budget in total never starts again',
    sum: '150: 100, 50, and nothing nine years later',
    rules: [spending('total')],
    orders: [
      [order(1000, '2026-01-01T00:00:00.000Z'), [[1, 'budget', 100]]],
      [order(1000, '2027-01-01T00:00:00.000Z'), [[1, 'budget', 50]]],
      [order(1000, '2035-01-01T00:00:00.000Z'), []],
    ],
  },
  {
    name: 'a budget of the upline is its own',
    sum: 'level 1 100 each; level 2 50 of 60, then 10, then nothing',
    rules: [rule('all', 10), rule('up', 5, { level: 2, budgetCents: 60, budgetPeriod: 'month' })],
    orders: [
      [{ ...order(1000), upline: {} }, [[1, 'all', 100], [2, 'up', 50]]], // biome-ignore format: one line an order
      [{ ...order(1000), upline: {} }, [[1, 'all', 100], [2, 'up', 10]]], // biome-ignore format: one line an order
      [{ ...order(1000), upline: {} }, [[1, 'all', 100]]],
    ],
  },
  {
    name: 'first the maximum, then the budget, then the cap',
    sum: '1000 → max 600 → budget 500 → cap 40 % of 1000 = 400; then budget 100 left: 100; then nothing',
    rules: [rule('all', 100, { maxPerOrderCents: 600, budgetCents: 500, budgetPeriod: 'total' })],
    orders: [
      [{ ...order(1000), cap: 40 }, [[1, 'all', 400]]],
      [{ ...order(1000), cap: 40 }, [[1, 'all', 100]]],
      [{ ...order(1000), cap: 40 }, []],
    ],
  },
  one('without a cap a minimum may be more than the order', '300×0.01=3→500', {
    rules: [rule('min', 1, { minPerOrderCents: 500 })],
    order: { ...order(300), cap: null },
    paid: [[1, 'min', 500]],
  }),
  one('without a cap both levels may be more than the order', '1000×0.80=800; 1000×0.70=700', {
    rules: [rule('all', 80), rule('up', 70, { level: 2 })],
    order: { ...order(1000), upline: {}, cap: null },
    paid: [
      [1, 'all', 800],
      [2, 'up', 700],
    ],
  }),
  one('the cap is rounded like everything, half a cent up', '12.5 % of 1004 = 125.5 → 126', {
    rules: [rule('all', 50)],
    order: { ...order(1004), cap: 12.5 },
    paid: [[1, 'all', 126]],
  }),
  one('a cap of 0 pays nothing', '0 % of 1000 = 0', { rules: [rule('all', 50)], order: { ...order(1000), cap: 0 }, paid: [] }),
  one('rules of one level yield to the cap in proportion', '600×0.50=300, 400×0.25=100; cap 30 % of 1000 = 300: 225, 75', {
    rules: [rule('tea', 50, { productId: 'tea' }), rule('all', 25)],
    order: { lines: [[600, 'tea'], [400]], cap: 30 },
    paid: [
      [1, 'tea', 225],
      [1, 'all', 75],
    ],
  }),
  one(
    'only level 2 yields while level 1 fits, its odd cents to the earlier lines',
    'cap 50; level 1 10+10+10; level 2 20 by 1:1:1 → 7, 7, 6',
    {
      rules: [rule('all', 10), rule('up', 10, { level: 2 })],
      // 300 × 16.6667 % = 50.0001 → 50; 50 − 30 = 20, 6.67 each: 6+6+6=18, the last two cents to the first two.
      order: { lines: [[100], [100], [100]], upline: {}, cap: 16.6667 },
      paid: [
        [1, 'all', 10],
        [1, 'all', 10],
        [1, 'all', 10],
        [2, 'up', 7],
        [2, 'up', 7],
        [2, 'up', 6],
      ],
    },
  ),
  one(
    'a flat amount yields to the cap beside a percentage',
    'flat 500, 10 % of 700 = 70; cap 19 % of 1000 = 190: 166.67, 23.33 → 167, 23',
    {
      rules: [flat('tea', 500, { productId: 'tea' }), rule('all', 10)],
      // 190×500/570 = 166.67, 190×70/570 = 23.33: 166+23=189, the last cent to .67.
      order: { lines: [[300, 'tea'], [700]], cap: 19 },
      paid: [
        [1, 'tea', 167],
        [1, 'all', 23],
      ],
    },
  ),
];
