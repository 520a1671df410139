// Percentages, flat amounts, rounding, levels, caps. Every sum is calculated manually.
import { type Case, flat, one, rule } from './case.ts';

const all = (percent: number) => rule('all', percent);
const order = (...lines: Case['orders'][number][0]['lines']) => ({ lines });

export const amounts: Case[] = [
  one('10 % of 49.80 is 4.98', '4980 × 0.10 = 498', { rules: [all(10)], order: order([4980]), paid: [[1, 'all', 498]] }),
  one('more than half a cent goes up', '999 × 0.125 = 124.875 → 125', { rules: [all(12.5)], order: order([999]), paid: [[1, 'all', 125]] }),
  one('exactly half a cent goes up', '1005 × 0.10 = 100.5 → 101', { rules: [all(10)], order: order([1005]), paid: [[1, 'all', 101]] }),
  one('less than half a cent goes down', '1004 × 0.10 = 100.4 → 100', { rules: [all(10)], order: order([1004]), paid: [[1, 'all', 100]] }),
  one('four decimals of a rate count', '100000 × 0.123457 = 12345.7 → 12346', {
    rules: [all(12.3457)],
    order: order([100_000]),
    paid: [[1, 'all', 12_346]],
  }),
  one('a third and its rest', '100 × 0.333333 = 33.3333 → 33', { rules: [all(33.3333)], order: order([100]), paid: [[1, 'all', 33]] }),
  one('a cent earns nothing at 10 %', '1 × 0.10 = 0.1 → 0: no commission', { rules: [all(10)], order: order([1]), paid: [] }),
  one('5 cents earn one at 10 %', '5 × 0.10 = 0.5 → 1', { rules: [all(10)], order: order([5]), paid: [[1, 'all', 1]] }),
  one('an order of nothing earns nothing', '0 × 0.10 = 0', { rules: [all(10)], order: order([0]), paid: [] }),
  one('0 % is a rule that pays nothing', '1000 × 0 = 0', { rules: [all(0)], order: order([1000]), paid: [] }),
  one('the largest amount is exact', '99999999999 × 1 = 99999999999', {
    rules: [all(100)],
    order: order([99_999_999_999]),
    paid: [[1, 'all', 99_999_999_999]],
  }),
  one('the largest amount at an odd rate is exact', '99999999999 × 0.123457 = 12345699999.876543 → 12345700000', {
    rules: [all(12.3457)],
    order: order([99_999_999_999]),
    paid: [[1, 'all', 12_345_700_000]],
  }),
  one('both levels of the largest amount, without a cap', '99999999999 each', {
    rules: [all(100), rule('up', 100, { level: 2 })],
    order: { ...order([99_999_999_999]), upline: {}, cap: null },
    paid: [
      [1, 'all', 99_999_999_999],
      [2, 'up', 99_999_999_999],
    ],
  }),
  one('each line is rounded for itself, not their sum', '105×0.1=10.5→11, three times = 33 (one line of 315 would be 32)', {
    rules: [all(10)],
    order: order([105], [105], [105]),
    paid: [
      [1, 'all', 11],
      [1, 'all', 11],
      [1, 'all', 11],
    ],
  }),
  one('a flat amount is once an order, however many lines', '500', {
    rules: [flat('flat', 500)],
    order: order([1000], [2000], [333]),
    paid: [[1, 'flat', 500]],
  }),
  one('a flat amount per unit is for each piece of each line', '3 × 40 = 120, 2 × 40 = 80', {
    rules: [flat('piece', 40, { per: 'unit' })],
    order: order([900, null, null, 3], [600, null, null, 2]),
    paid: [
      [1, 'piece', 120],
      [1, 'piece', 80],
    ],
  }),
  one('a flat amount of a product is once an order for its lines together', 'tea twice: 150; the rest 10 % of 1000 = 100', {
    rules: [flat('tea', 150, { productId: 'tea' }), all(10)],
    order: order([700, 'tea'], [1000, 'mug'], [800, 'tea']),
    paid: [
      [1, 'tea', 150],
      [1, 'all', 100],
    ],
  }),
  one('level 2 is a percentage of the order, not of level 1', '10000 × 0.10 = 1000; 10000 × 0.02 = 200', {
    rules: [all(10), rule('up', 2, { level: 2 })],
    order: { ...order([10_000]), upline: {} },
    paid: [
      [1, 'all', 1000],
      [2, 'up', 200],
    ],
  }),
  one('level 2 is a percentage of the commission where the rule says so', '9999×0.1=999.9→1000; 1000×0.15=150', {
    rules: [all(10), rule('up', 15, { level: 2, basis: 'commission' })],
    order: { ...order([9999]), upline: {} },
    paid: [
      [1, 'all', 1000],
      [2, 'up', 150],
    ],
  }),
  one('of the commission of several lines together', '11+11=22 → 22×0.25=5.5→6', {
    rules: [all(10), rule('up', 25, { level: 2, basis: 'commission' })],
    order: { ...order([105], [105]), upline: {} },
    paid: [
      [1, 'all', 11],
      [1, 'all', 11],
      [2, 'up', 6],
    ],
  }),
  one('without an upline nothing is paid on level 2', '10000 × 0.10 = 1000', {
    rules: [all(10), rule('up', 2, { level: 2 })],
    order: order([10_000]),
    paid: [[1, 'all', 1000]],
  }),
  one("level 2 follows the upline's group", 'gold: 10000 × 0.03 = 300', {
    rules: [all(10), rule('up', 2, { level: 2 }), rule('up gold', 3, { level: 2, groupId: 'gold' })],
    order: { ...order([10_000]), upline: { groupId: 'gold' } },
    paid: [
      [1, 'all', 1000],
      [2, 'up gold', 300],
    ],
  }),
  one("the upline's override is not for level 2", '10000 × 0.02 = 200', {
    rules: [all(10), rule('up', 2, { level: 2 })],
    order: { ...order([10_000]), upline: { override: { type: 'percentage', rate: 50 } } },
    paid: [
      [1, 'all', 1000],
      [2, 'up', 200],
    ],
  }),
  one('the cap leaves level 1 what it can and gives level 2 the rest', 'cap 15 % of 10000 = 1500: 1000, then 500 of 800', {
    rules: [all(10), rule('up', 8, { level: 2 })],
    order: { ...order([10_000]), upline: {}, cap: 15 },
    paid: [
      [1, 'all', 1000],
      [2, 'up', 500],
    ],
  }),
  one('the cap limits level 1 over its lines by largest remainder', '20 % of 301 = 60.2→60; lines 100 and 51 of 151: 39.7→40, 20.3→20', {
    rules: [rule('half', 50)],
    order: { ...order([200], [101]), cap: 20 },
    // 200×0.5=100, 101×0.5=50.5→51; 60×100/151=39.735, 60×51/151=20.265: 39+20=59, the last cent to the first.
    paid: [
      [1, 'half', 40],
      [1, 'half', 20],
    ],
  }),
  one('a flat amount above the order is capped at the order', '500 → 300', {
    rules: [flat('flat', 500)],
    order: order([300]),
    paid: [[1, 'flat', 300]],
  }),
  one('without a cap a flat amount is paid for a free order', '500', {
    rules: [flat('flat', 500)],
    order: { ...order([0]), cap: null },
    paid: [[1, 'flat', 500]],
  }),
  one('level 2 gets nothing once level 1 used the cap up', 'cap 100 % of 1000: 1000, 0', {
    rules: [all(100), rule('up', 5, { level: 2 })],
    order: { ...order([1000]), upline: {} },
    paid: [[1, 'all', 1000]],
  }),
  one('an override in percent', '4999 × 0.15 = 749.85 → 750', {
    rules: [all(10)],
    order: { ...order([4999]), override: { type: 'percentage', rate: 15 } },
    paid: [[1, 'override', 750]],
  }),
  one('a flat override is once an order', '700, not 700 a line', {
    rules: [all(10)],
    order: { ...order([4000], [5000]), override: { type: 'flat', rate: 700 } },
    paid: [[1, 'override', 700]],
  }),
  one('an override of 0 pays nothing', '0, and not the rule for all affiliates', {
    rules: [all(10)],
    order: { ...order([4000]), override: { type: 'percentage', rate: 0 } },
    paid: [],
  }),
];
