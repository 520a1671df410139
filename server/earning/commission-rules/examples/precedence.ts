// Which rule applies: every step takes precedence over the next; conditions, times, customers.
import { type Case, flat, type Order, one, rule } from './case.ts';

const tea: Order = { lines: [[1000, 'tea', 'Drinks']], group: 'gold' };
const all = rule('all', 1);

// Each rule on its own step; each pays as many percent as its place, so the sum shows which one won.
const allSteps = [
  rule('affiliate × product', 11, { affiliateId: 'ada', productId: 'tea' }),
  rule('group × product', 10, { groupId: 'gold', productId: 'tea' }),
  rule('product', 9, { productId: 'tea' }),
  rule('affiliate × category', 8, { affiliateId: 'ada', category: 'Drinks' }),
  rule('group × category', 7, { groupId: 'gold', category: 'Drinks' }),
  rule('category', 6, { category: 'Drinks' }),
  rule('affiliate', 3, { affiliateId: 'ada' }),
  rule('group', 2, { groupId: 'gold' }),
  all,
];
const personal: Partial<Order> = { couponPays: { type: 'percentage', rate: 5 }, override: { type: 'percentage', rate: 4 } };

const steps: [above: string, below: string, rules: typeof allSteps, order: Order, cents: number][] = [
  ['affiliate × product', 'group × product', allSteps, { ...tea, ...personal }, 110],
  ['group × product', 'product', allSteps.slice(1), { ...tea, ...personal }, 100],
  ['product', 'affiliate × category', allSteps.slice(2), { ...tea, ...personal }, 90],
  ['affiliate × category', 'group × category', allSteps.slice(3), { ...tea, ...personal }, 80],
  ['group × category', 'category', allSteps.slice(4), { ...tea, ...personal }, 70],
  ['category', "the coupon's own rate", allSteps.slice(5), { ...tea, ...personal }, 60],
  ['coupon', "the affiliate's override", allSteps.slice(6), { ...tea, ...personal }, 50],
  ['override', "the affiliate's rule", allSteps.slice(6), { ...tea, override: { type: 'percentage', rate: 4 } }, 40],
  ['affiliate', "the group's rule", allSteps.slice(6), tea, 30],
  ['group', 'the rule for all affiliates', allSteps.slice(7), tea, 20],
  ['all', 'nothing', [all], tea, 10],
];

const at = (moment: string): Order => ({ lines: [[1000]], at: moment });
const bought = (orders: number, since: string | null, moment = '2026-03-10T12:00:00.000Z'): Order => ({
  ...at(moment),
  before: [orders, since],
});

export const precedence: Case[] = [
  ...steps.map(([above, below, rules, order, cents]) =>
    one(`${above} comes before ${below}`, `1000 × ${cents / 10} % = ${cents}`, {
      rules: [...rules].reverse(),
      order,
      paid: [[1, above, cents]],
    }),
  ),
  one('an override never beats a product rule (Contract §2.3)', '1000 × 0.03 = 30, not 1000 × 0.50', {
    rules: [rule('tea', 3, { productId: 'tea' }), all],
    order: { ...tea, override: { type: 'percentage', rate: 50 } },
    paid: [[1, 'tea', 30]],
  }),
  one('in a mixed cart each line goes by its own rule', 'tea 2000×0.04=80; drinks 1500×0.06=90; the rest 999×0.10=99.9→100', {
    rules: [rule('tea', 4, { productId: 'tea' }), rule('drinks', 6, { category: 'drinks' }), rule('rest', 10)],
    order: {
      lines: [
        [2000, 'tea', 'Drinks'],
        [1500, 'milk', 'Drinks'],
        [999, 'mug', 'Home'],
      ],
    },
    paid: [
      [1, 'tea', 80],
      [1, 'drinks', 90],
      [1, 'rest', 100],
    ],
  }),
  one('an override pays the lines that no product rule is for', 'tea 1000×0.03=30; the rest 1000×0.20=200', {
    rules: [rule('tea', 3, { productId: 'tea' }), all],
    order: {
      lines: [
        [1000, 'tea'],
        [1000, 'mug'],
      ],
      override: { type: 'percentage', rate: 20 },
    },
    paid: [
      [1, 'tea', 30],
      [1, 'override', 200],
    ],
  }),
  one('an order without items resolves below products and categories', '1000 × 0.04 = 40', {
    rules: [rule('tea', 30, { productId: 'tea' }), rule('drinks', 20, { category: 'Drinks' }), all],
    order: { lines: [[1000]], override: { type: 'percentage', rate: 4 } },
    paid: [[1, 'override', 40]],
  }),
  one('rules of others are not for me', '1000 × 0.01 = 10', {
    rules: [rule('eve', 50, { affiliateId: 'eve' }), rule('silver', 40, { groupId: 'silver' }), rule('mug', 30, { productId: 'mug' }), all],
    order: tea,
    paid: [[1, 'all', 10]],
  }),
  one('on one step more conditions win', '1000 × 0.05 = 50', {
    rules: [rule('a', 9), rule('b', 5, { conditions: [{ field: 'country', operator: 'in', value: ['US'] }] })],
    order: { lines: [[1000]], country: 'US' },
    paid: [[1, 'b', 50]],
  }),
  one('then the one that became effective later', '1000 × 0.05 = 50', {
    rules: [rule('a', 9, { effectiveFrom: '2026-01-01T00:00:00.000Z' }), rule('b', 5, { effectiveFrom: '2026-02-01T00:00:00.000Z' })],
    order: { lines: [[1000]] },
    paid: [[1, 'b', 50]],
  }),
  one('then the newer one', '1000 × 0.05 = 50', {
    rules: [rule('a', 9, { id: '1' }), rule('b', 5, { id: '2' })],
    order: { lines: [[1000]] },
    paid: [[1, 'b', 50]],
  }),
  one('a rule counts from its first instant', '1000 × 0.09 = 90', {
    rules: [rule('new', 9, { groupId: 'gold', effectiveFrom: '2026-03-10T12:00:00.000Z' }), all],
    order: { ...at('2026-03-10T12:00:00.000Z'), group: 'gold' },
    paid: [[1, 'new', 90]],
  }),
  one('and not at its last', '1000 × 0.01 = 10', {
    rules: [rule('old', 9, { groupId: 'gold', effectiveTo: '2026-03-10T12:00:00.000Z' }), all],
    order: { ...at('2026-03-10T12:00:00.000Z'), group: 'gold' },
    paid: [[1, 'all', 10]],
  }),
  one('an archived rule pays nothing', '1000 × 0.01 = 10', {
    rules: [rule('gone', 9, { groupId: 'gold', isArchived: true }), all],
    order: tea,
    paid: [[1, 'all', 10]],
  }),
  {
    name: 'first and later orders of a customer',
    sum: 'first: 1000×0.30=300; later: 1000×0.05=50',
    rules: [rule('first', 30, { trigger: 'first' }), rule('later', 5, { trigger: 'subsequent' })],
    orders: [
      [bought(0, null), [[1, 'first', 300]]],
      [bought(1, '2026-02-01T00:00:00.000Z'), [[1, 'later', 50]]],
      // Whether the customer is new is unknown: neither rule applies.
      [{ lines: [[1000]] }, []],
      // The store says so.
      [{ lines: [[1000]], isNew: true }, [[1, 'first', 300]]],
      [{ lines: [[1000]], isNew: false }, [[1, 'later', 50]]],
      // Known to us as new, but the store has seen them before.
      [{ ...bought(0, null), isNew: false }, [[1, 'later', 50]]],
    ],
  },
  {
    name: 'one month from 31 January ends on 28 February, to the instant',
    sum: '1000 × 0.20 = 200 before, 1000 × 0.01 = 10 from then on',
    rules: [rule('month', 20, { groupId: 'gold', durationMonths: 1 }), all],
    orders: [
      [{ ...bought(1, '2026-01-31T10:00:00.000Z', '2026-02-28T09:59:59.999Z'), group: 'gold' }, [[1, 'month', 200]]],
      [{ ...bought(1, '2026-01-31T10:00:00.000Z', '2026-02-28T10:00:00.000Z'), group: 'gold' }, [[1, 'all', 10]]],
      [{ ...bought(0, null), group: 'gold' }, [[1, 'month', 200]]],
    ],
  },
  {
    name: 'three orders of a customer earn, the fourth does not',
    sum: '1000 × 0.20 = 200, then 10',
    rules: [rule('thrice', 20, { groupId: 'gold', maxOccurrences: 3 }), all],
    orders: [
      [{ ...bought(2, '2026-01-01T00:00:00.000Z'), group: 'gold' }, [[1, 'thrice', 200]]],
      [{ ...bought(3, '2026-01-01T00:00:00.000Z'), group: 'gold' }, [[1, 'all', 10]]],
    ],
  },
  {
    name: 'conditions: country, new customer, coupon, amount',
    sum: '1000 × 0.20 = 200 where it holds',
    rules: [
      rule('abroad', 20, { conditions: [{ field: 'country', operator: 'not_in', value: ['US', 'CA'] }] }),
      rule('new', 21, { conditions: [{ field: 'newCustomer', operator: 'is', value: true }] }),
      rule('coupon', 22, { conditions: [{ field: 'couponUsed', operator: 'is', value: true }] }),
      rule('large', 23, { conditions: [{ field: 'orderAmountCents', operator: 'at_least', value: 5000 }] }),
      rule('small', 24, { conditions: [{ field: 'orderAmountCents', operator: 'below', value: 100 }] }),
    ],
    orders: [
      [{ lines: [[1000]], country: 'DE' }, [[1, 'abroad', 200]]],
      [{ lines: [[1000]], country: 'US' }, []],
      // An unknown country matches neither "in" nor "not in".
      [{ lines: [[1000]] }, []],
      [{ lines: [[1000]], isNew: true }, [[1, 'new', 210]]],
      [{ lines: [[1000]], couponUsed: true }, [[1, 'coupon', 220]]],
      [{ lines: [[5000]] }, [[1, 'large', 1150]]],
      [{ lines: [[4999]] }, []],
      [{ lines: [[99]] }, [[1, 'small', 24]]], // 99 × 0.24 = 23.76
      [{ lines: [[100]] }, []],
    ],
  },
  one('a rule may leave out orders with a coupon', '1000 × 0.01 = 10', {
    rules: [rule('full price', 20, { groupId: 'gold', excludeCouponOrders: true }), all],
    order: { ...tea, couponUsed: true },
    paid: [[1, 'all', 10]],
  }),
  one("a coupon's flat rate is once an order", '250', {
    rules: [all],
    order: { lines: [[1000], [2000]], couponPays: { type: 'flat', rate: 250 } },
    paid: [[1, 'coupon', 250]],
  }),
  one('categories are compared without regard to case', '1000 × 0.06 = 60', {
    rules: [rule('c', 6, { category: 'dRINKS' })],
    order: tea,
    paid: [[1, 'c', 60]],
  }),
  one('a flat rule of one person beside the rule of a product', 'tea 1000×0.04=40; the rest flat 99', {
    rules: [rule('tea', 4, { productId: 'tea' }), flat('ada', 99, { affiliateId: 'ada' })],
    order: { lines: [[1000, 'tea'], [500], [500]] },
    paid: [
      [1, 'tea', 40],
      [1, 'ada', 99],
    ],
  }),
];
