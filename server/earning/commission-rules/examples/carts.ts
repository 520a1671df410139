// Carts of several lines on both levels: each line goes by its own rule, and what an upline gets of a
// commission is split as the commission was. Every sum is calculated manually.
import { type Case, flat, one, rule } from './case.ts';

const all = (percent: number) => rule('all', percent);

export const carts: Case[] = [
  one('odd rates over odd cents, each line rounded once', '333×0.075=24.975→25; 777×0.125=97.125→97; 105×0.333333=34.999965→35', {
    rules: [rule('tea', 7.5, { productId: 'tea' }), rule('drinks', 12.5, { category: 'Drinks' }), all(33.3333)],
    order: { lines: [[333, 'tea', 'Drinks'], [777, 'milk', 'Drinks'], [105]] },
    paid: [
      [1, 'tea', 25],
      [1, 'drinks', 97],
      [1, 'all', 35],
    ],
  }),
  one(
    'crossings pay the lines they are for, the override what is left',
    '1000 × 15 %, 12 %, 8 % = 150, 120, 80; then twice 1000 × 5 % = 50',
    {
      rules: [
        rule('ada × tea', 15, { affiliateId: 'ada', productId: 'tea' }),
        rule('gold × drinks', 12, { groupId: 'gold', category: 'Drinks' }),
        rule('home', 8, { category: 'Home' }),
        all(1),
      ],
      order: {
        lines: [[1000, 'tea', 'Drinks'], [1000, 'cola', 'Drinks'], [1000, 'mug', 'Home'], [1000, 'pen', 'Office'], [1000]],
        group: 'gold',
        override: { type: 'percentage', rate: 5 },
      },
      paid: [
        [1, 'ada × tea', 150],
        [1, 'gold × drinks', 120],
        [1, 'home', 80],
        [1, 'override', 50],
        [1, 'override', 50],
      ],
    },
  ),
  one('a product rule whose condition fails leaves the line to the next step', '1000 × 0.06 = 60, not 1000 × 0.50', {
    rules: [
      rule('tea in the US', 50, { productId: 'tea', conditions: [{ field: 'country', operator: 'in', value: ['US'] }] }),
      rule('drinks', 6, { category: 'Drinks' }),
    ],
    order: { lines: [[1000, 'tea', 'Drinks']], country: 'DE', override: { type: 'percentage', rate: 40 } },
    paid: [[1, 'drinks', 60]],
  }),
  one("a coupon's own rate pays no line of a product rule", 'tea 1000×0.03=30; the rest 500×0.07=35', {
    rules: [rule('tea', 3, { productId: 'tea' }), all(10)],
    order: { lines: [[1000, 'tea'], [500]], couponPays: { type: 'percentage', rate: 7 } },
    paid: [
      [1, 'tea', 30],
      [1, 'coupon', 35],
    ],
  }),
  one('without any rule an order pays nothing', '0', { rules: [], order: { lines: [[1000], [2000]], upline: {} }, paid: [] }),
  one('level 2 has its own ladder over the lines', '999×0.10=99.9→100, 1001×0.10=100.1→100; 999×0.03=29.97→30, 1001×0.01=10.01→10', {
    rules: [all(10), rule('up', 1, { level: 2 }), rule('up tea', 3, { level: 2, productId: 'tea' })],
    order: { lines: [[999, 'tea'], [1001]], upline: {} },
    paid: [
      [1, 'all', 100],
      [1, 'all', 100],
      [2, 'up tea', 30],
      [2, 'up', 10],
    ],
  }),
  one("a rule for the upline's own person beats its group on level 2", '10000×0.10=1000; 10000×0.04=400', {
    rules: [all(10), rule('up gold', 3, { level: 2, groupId: 'gold' }), rule('up una', 4, { level: 2, affiliateId: 'una' })],
    order: { lines: [[10_000]], upline: { groupId: 'gold' } },
    paid: [
      [1, 'all', 1000],
      [2, 'up una', 400],
    ],
  }),
  one('a flat amount for the upline is once an order', '500×0.10=50 twice; 75, not 150', {
    rules: [all(10), flat('up', 75, { level: 2 })],
    order: { lines: [[500], [500]], upline: {} },
    paid: [
      [1, 'all', 50],
      [1, 'all', 50],
      [2, 'up', 75],
    ],
  }),
  one('level 2 of the order is paid also where level 1 earns nothing', '0; 10000×0.02=200', {
    rules: [all(10), rule('up', 2, { level: 2 })],
    order: { lines: [[10_000]], upline: {}, override: { type: 'percentage', rate: 0 } },
    paid: [[2, 'up', 200]],
  }),
  one('level 2 of the commission is nothing where level 1 earns nothing', '0; 0×0.50=0', {
    rules: [all(10), rule('up', 50, { level: 2, basis: 'commission' })],
    order: { lines: [[10_000]], upline: {}, override: { type: 'percentage', rate: 0 } },
    paid: [],
  }),
  one('level 2 of a commission that was raised to its minimum', '1000×0.01=10→500; 500×0.10=50', {
    rules: [rule('all', 1, { minPerOrderCents: 500 }), rule('up', 10, { level: 2, basis: 'commission' })],
    order: { lines: [[1000]], upline: {} },
    paid: [
      [1, 'all', 500],
      [2, 'up', 50],
    ],
  }),
  {
    name: 'level 2 of a commission that its budget lowered',
    sum: '150 in all: 100, 50, 0; the half of each: 50, 25, 0',
    rules: [rule('all', 10, { budgetCents: 150, budgetPeriod: 'total' }), rule('up', 50, { level: 2, basis: 'commission' })],
    orders: [
      [
        { lines: [[1000]], upline: {} },
        [
          [1, 'all', 100],
          [2, 'up', 50],
        ],
      ],
      [
        { lines: [[1000]], upline: {} },
        [
          [1, 'all', 50],
          [2, 'up', 25],
        ],
      ],
      [{ lines: [[1000]], upline: {} }, []],
    ],
  },
  one('two upline rules share a flat commission to the cent, the tie to the earlier line', '101 over 1000 and 1000: 50.5 each → 51, 50', {
    rules: [
      flat('flat', 101),
      rule('up tea', 100, { level: 2, basis: 'commission', productId: 'tea' }),
      rule('up mug', 100, { level: 2, basis: 'commission', productId: 'mug' }),
    ],
    order: {
      lines: [
        [1000, 'tea'],
        [1000, 'mug'],
      ],
      upline: {},
    },
    paid: [
      [1, 'flat', 101],
      [2, 'up tea', 51],
      [2, 'up mug', 50],
    ],
  }),
  one('three upline rules share a flat commission by largest remainder', '100 over 200, 300, 400 of 900: 22.2, 33.3, 44.4 → 22, 33, 45', {
    rules: [
      flat('flat', 100),
      rule('up tea', 100, { level: 2, basis: 'commission', productId: 'tea' }),
      rule('up mug', 100, { level: 2, basis: 'commission', productId: 'mug' }),
      rule('up', 100, { level: 2, basis: 'commission' }),
    ],
    // 100×200/900=22.22, 100×300/900=33.33, 100×400/900=44.44: 22+33+44=99, the last cent to .444.
    order: { lines: [[200, 'tea'], [300, 'mug'], [400]], upline: {} },
    paid: [
      [1, 'flat', 100],
      [2, 'up tea', 22],
      [2, 'up mug', 33],
      [2, 'up', 45],
    ],
  }),
];
