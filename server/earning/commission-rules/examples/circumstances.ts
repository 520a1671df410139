// Under which circumstances a rule pays: each operator of the conditions, the times of a rule and of a
// customer to the instant, tiers at the borders of their periods. Every sum is calculated manually.
import { type Case, type Order, one, rule } from './case.ts';

const order = (at: string, more: Partial<Order> = {}): Order => ({ lines: [[1000]], at, ...more });
const noon = '2026-03-10T12:00:00.000Z';
const when = (field: string, operator: string, value: unknown) => ({ conditions: [{ field, operator, value }] });
const tier = (metric: string, period: string, from: number) => ({ tiers: [{ metric, period, from, rate: 10 }] });

export const circumstances: Case[] = [
  {
    name: 'country in: one of several; other countries and an unknown country never match',
    sum: '1000 × 0.20 = 200 where it holds, else nothing',
    rules: [rule('near', 20, when('country', 'in', ['DE', 'AT', 'CH']))],
    orders: [
      [order(noon, { country: 'AT' }), [[1, 'near', 200]]],
      [order(noon, { country: 'FR' }), []],
      [order(noon), []],
    ],
  },
  {
    name: 'new customer is false: reported by the store, or known by earlier orders; unknown is neither',
    sum: '1000 × 0.20 = 200 where it holds, else nothing',
    rules: [rule('old', 20, when('newCustomer', 'is', false))],
    orders: [
      [order(noon, { isNew: false }), [[1, 'old', 200]]],
      [order(noon, { before: [3, '2026-01-01T00:00:00.000Z'] }), [[1, 'old', 200]]],
      [order(noon, { before: [0, null] }), []],
      [order(noon, { isNew: true }), []],
      [order(noon), []],
    ],
  },
  {
    name: 'coupon used is false',
    sum: '1000 × 0.20 = 200 without one, nothing with one',
    rules: [rule('full price', 20, when('couponUsed', 'is', false))],
    orders: [
      [order(noon), [[1, 'full price', 200]]],
      [order(noon, { couponUsed: true }), []],
    ],
  },
  one('the amount of a condition is the whole order, not the line', '600×0.20=120, 400×0.20=80: 1000 is reached together', {
    rules: [rule('large', 20, when('orderAmountCents', 'at_least', 1000))],
    order: { lines: [[600], [400]] },
    paid: [
      [1, 'large', 120],
      [1, 'large', 80],
    ],
  }),
  {
    name: 'all conditions must hold, not one of them',
    sum: '1000 × 0.20 = 200 when both do',
    rules: [
      rule('both', 20, {
        conditions: [
          { field: 'country', operator: 'in', value: ['US'] },
          { field: 'newCustomer', operator: 'is', value: true },
        ],
      }),
      rule('all', 1),
    ],
    orders: [
      [order(noon, { country: 'US', isNew: true }), [[1, 'both', 200]]],
      [order(noon, { country: 'US', isNew: false }), [[1, 'all', 10]]],
      [order(noon, { country: 'CA', isNew: true }), [[1, 'all', 10]]],
    ],
  },
  {
    name: 'one rule follows another without a gap and without both',
    sum: '1000×0.05=50 to the last millisecond, then 1000×0.08=80',
    rules: [
      rule('spring', 5, { effectiveFrom: '2026-03-01T00:00:00.000Z', effectiveTo: '2026-06-01T00:00:00.000Z' }),
      rule('summer', 8, { effectiveFrom: '2026-06-01T00:00:00.000Z', effectiveTo: '2026-09-01T00:00:00.000Z' }),
    ],
    orders: [
      [order('2026-02-28T23:59:59.999Z'), []],
      [order('2026-03-01T00:00:00.000Z'), [[1, 'spring', 50]]],
      [order('2026-05-31T23:59:59.999Z'), [[1, 'spring', 50]]],
      [order('2026-06-01T00:00:00.000Z'), [[1, 'summer', 80]]],
      [order('2026-09-01T00:00:00.000Z'), []],
    ],
  },
  one('more conditions count above a later start', '1000 × 0.05 = 50', {
    rules: [
      rule('later', 9, { effectiveFrom: '2026-03-01T00:00:00.000Z' }),
      rule('narrower', 5, { effectiveFrom: '2026-01-01T00:00:00.000Z', ...when('country', 'in', ['US']) }),
    ],
    order: { lines: [[1000]], country: 'US' },
    paid: [[1, 'narrower', 50]],
  }),
  one('a rule with a start comes before one that was always there', '1000 × 0.05 = 50', {
    rules: [rule('always', 9, { id: '2' }), rule('since', 5, { id: '1', effectiveFrom: '2026-01-01T00:00:00.000Z' })],
    order: { lines: [[1000]] },
    paid: [[1, 'since', 50]],
  }),
  {
    name: 'one month from 31 January of a leap year ends on the 29th',
    sum: '1000 × 0.20 = 200 before, nothing from the instant on',
    rules: [rule('month', 20, { durationMonths: 1 })],
    orders: [
      [order('2028-02-29T09:59:59.999Z', { before: [1, '2028-01-31T10:00:00.000Z'] }), [[1, 'month', 200]]],
      [order('2028-02-29T10:00:00.000Z', { before: [1, '2028-01-31T10:00:00.000Z'] }), []],
    ],
  },
  {
    name: 'twelve months from 29 February end on 28 February, and two from 31 December too',
    sum: '1000 × 0.20 = 200 before, 1000 × 0.30 = 300 for the shorter one, nothing from the instant on',
    rules: [rule('year', 20, { durationMonths: 12 }), rule('two', 30, { groupId: 'gold', durationMonths: 2 })],
    orders: [
      [order('2029-02-28T09:59:59.999Z', { before: [1, '2028-02-29T10:00:00.000Z'] }), [[1, 'year', 200]]],
      [order('2029-02-28T10:00:00.000Z', { before: [1, '2028-02-29T10:00:00.000Z'] }), []],
      [order('2026-02-28T09:59:59.999Z', { group: 'gold', before: [1, '2025-12-31T10:00:00.000Z'] }), [[1, 'two', 300]]],
      [order('2026-02-28T10:00:00.000Z', { group: 'gold', before: [1, '2025-12-31T10:00:00.000Z'] }), [[1, 'year', 200]]],
    ],
  },
  {
    name: 'later orders earn for a number of months, then nothing',
    sum: 'first: nothing; second: 1000×0.20=200; after a month: nothing',
    rules: [rule('renewals', 20, { trigger: 'subsequent', durationMonths: 1 })],
    orders: [
      [order(noon, { before: [0, null] }), []],
      [order(noon, { before: [1, '2026-03-01T00:00:00.000Z'] }), [[1, 'renewals', 200]]],
      [order(noon, { before: [2, '2026-01-01T00:00:00.000Z'] }), []],
    ],
  },
  {
    name: 'an occurrence is an order of the customer, whichever rule paid for it',
    sum: 'once: 1000×0.20=200, then 1000×0.01=10; an order without a customer counts as new: 200',
    rules: [rule('once', 20, { affiliateId: 'ada', maxOccurrences: 1 }), rule('all', 1)],
    orders: [
      [order(noon, { before: [0, null] }), [[1, 'once', 200]]],
      [order(noon, { before: [1, '2026-03-01T00:00:00.000Z'] }), [[1, 'all', 10]]],
      [order(noon), [[1, 'once', 200]]],
    ],
  },
  {
    name: 'without a customer the place in the subscription decides whether an order is the first',
    sum: '1000 × 0.50 = 500 for the first payment, 1000 × 0.01 = 10 for a later one and for one that nothing is known of',
    rules: [rule('first', 50, { affiliateId: 'ada', trigger: 'first' }), rule('all', 1)],
    orders: [
      [order(noon, { sequence: 1 }), [[1, 'first', 500]]],
      [order(noon, { sequence: 2 }), [[1, 'all', 10]]],
      [order(noon), [[1, 'all', 10]]],
      [order(noon, { sequence: 1, isNew: false }), [[1, 'all', 10]]],
      [order(noon, { sequence: 2, isNew: true }), [[1, 'all', 10]]],
    ],
  },
  {
    name: 'a later payment of a subscription is never a first order, a first payment of a known customer neither',
    sum: '1000 × 0.50 = 500 for the first order, else 1000 × 0.01 = 10',
    rules: [rule('first', 50, { affiliateId: 'ada', trigger: 'first' }), rule('all', 1)],
    orders: [
      [order(noon, { before: [0, null], sequence: 1 }), [[1, 'first', 500]]],
      [order(noon, { before: [0, null], sequence: 3 }), [[1, 'all', 10]]],
      [order(noon, { before: [1, '2026-03-01T00:00:00.000Z'], sequence: 1 }), [[1, 'all', 10]]],
    ],
  },
  {
    name: 'payments of a subscription are occurrences, even without a customer',
    sum: 'twice: 1000×0.20=200, 200, then 1000×0.01=10',
    rules: [rule('twice', 20, { affiliateId: 'ada', maxOccurrences: 2 }), rule('all', 1)],
    orders: [
      [order(noon, { sequence: 1 }), [[1, 'twice', 200]]],
      [order(noon, { sequence: 2 }), [[1, 'twice', 200]]],
      [order(noon, { sequence: 3 }), [[1, 'all', 10]]],
    ],
  },
  one('a later payment of a subscription is a subsequent order', '1000 × 0.10 = 100 for a subsequent payment', {
    rules: [rule('renewals', 10, { trigger: 'subsequent' })],
    order: order(noon, { sequence: 2 }),
    paid: [[1, 'renewals', 100]],
  }),
  {
    name: 'a tier of a year starts again with the year, in UTC',
    sum: '50 in January, 100 in December, 50 in the new year',
    rules: [rule('tiers', 5, tier('conversions', 'year', 1))],
    orders: [
      [order('2026-01-01T00:00:00.000Z'), [[1, 'tiers', 50]]],
      [order('2026-12-31T23:59:59.999Z'), [[1, 'tiers', 100]]],
      [order('2027-01-01T00:00:00.000Z'), [[1, 'tiers', 50]]],
    ],
  },
  {
    name: 'a tier in total has no border',
    sum: '50, and 100 nine years later',
    rules: [rule('tiers', 5, tier('conversions', 'total', 1))],
    orders: [
      [order('2026-01-01T00:00:00.000Z'), [[1, 'tiers', 50]]],
      [order('2035-01-01T00:00:00.000Z'), [[1, 'tiers', 100]]],
    ],
  },
  {
    name: 'a tier by commission counts what was paid, not what a cap took away',
    sum: '1000×0.05=50, capped to 40: 40 < 50, so 5 % again: 50; 90 reached: 1000×0.10=100',
    rules: [rule('tiers', 5, tier('commissionCents', 'month', 50))],
    orders: [
      [order(noon, { cap: 4 }), [[1, 'tiers', 40]]],
      [order(noon), [[1, 'tiers', 50]]],
      [order(noon), [[1, 'tiers', 100]]],
    ],
  },
  {
    name: 'an order that pays nothing counts for tiers by number and by amount too',
    sum: '0 for a rule of 0 %, then 1000×0.10=100',
    rules: [rule('tiers', 0, tier('conversions', 'month', 1))],
    orders: [
      [order(noon), []],
      [order(noon), [[1, 'tiers', 100]]],
    ],
  },
  {
    name: 'the highest of several tiers by amount, reached to the cent',
    sum: '999: 5 %; 999 before → 10 % is from 1000: 5 %: 0.05→0; 1000 before: 10 %; 2000 before: 20 %',
    rules: [
      rule('tiers', 5, {
        tiers: [
          { metric: 'amountCents', period: 'month', from: 1000, rate: 10 },
          { metric: 'amountCents', period: 'month', from: 2000, rate: 20 },
        ],
      }),
    ],
    orders: [
      [{ lines: [[999]] }, [[1, 'tiers', 50]]], // 999 × 0.05 = 49.95
      [{ lines: [[1]] }, []], // 1 × 0.05 = 0.05
      [{ lines: [[1000]] }, [[1, 'tiers', 100]]],
      [{ lines: [[1000]] }, [[1, 'tiers', 200]]],
    ],
  },
];
