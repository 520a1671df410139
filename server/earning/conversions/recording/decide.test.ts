// The decision about a batch of reported orders, without a database.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CouponTerms } from '../../../promotion/coupons/redeem.ts';
import { createRunningTotals } from '../../commission-rules/calculate.ts';
import { unchangedRules } from '../../commission-rules/choose-rule.ts';
import type { KnownAffiliate } from '../../commission-rules/earners/affiliate-at-order.ts';
import { rule } from '../../commission-rules/examples/case.ts';
import { FraudSettings } from '../../fraud/detect.ts';
import { ReportedOrder } from '../order.ts';
import { attributeOrders, type Decision, decideOrders, type Report } from './decide.ts';
import type { Lookup } from './look-up.ts';

const now = new Date('2026-03-10T12:00:00Z');
const ada = '01980a51-4b8e-7c3e-9f61-000000000001';
const eve = '01980a51-4b8e-7c3e-9f61-000000000002';
const gone = '01980a51-4b8e-7c3e-9f61-000000000003';

const affiliate = (id: string, given: Partial<KnownAffiliate> = {}): KnownAffiliate => ({
  id,
  email: `${id}@example.com`,
  status: 'active',
  groupId: null,
  parentId: null,
  type: null,
  rate: null,
  holdDays: null,
  invitedAt: new Date('2026-01-01T00:00:00Z'),
  firstOrderAt: null,
  past: [],
  ...given,
});

const coupon: CouponTerms = {
  id: 'coupon-1',
  code: 'ONCE',
  affiliateId: ada,
  status: 'active',
  startsAt: null,
  endsAt: null,
  maxRedemptions: 1,
  redemptions: 0,
  minOrderCents: null,
  creditPolicy: 'always',
  productIds: [],
  commissionType: null,
  commissionRate: null,
  createdAt: new Date('2026-01-01T00:00:00Z'),
  firstOrderAt: null,
  past: [],
};

const found: Lookup = {
  settings: {
    currency: 'USD',
    timezone: 'UTC',
    exchangeRateSource: 'off',
    policy: { model: 'last_click', priority: 'coupon_first', windowDays: 30, hijackGuardSeconds: 0 },
    holdDays: 30,
    capPercent: null,
    remembersCustomers: true,
    hashKey: Buffer.from('key'),
    fraud: FraudSettings.parse({}),
    flatRefunds: 'pro_rata',
  },
  recorded: new Map(),
  links: new Map([['ada', ada]]),
  visits: new Map(),
  browsers: new Map(),
  rates: new Map(),
  coupons: new Map([['once', coupon]]),
  customers: { keys: new Map(), bindings: new Map() },
  products: [],
  affiliates: new Map([affiliate(ada), affiliate(eve), affiliate(gone, { status: 'suspended' })].map((one) => [one.id, one])),
};

const rules = unchangedRules([rule('Standard', 10), rule('First order', 50, { affiliateId: eve, trigger: 'first' })]);

/** What becomes of these orders, in turn. */
function decide(orders: object[], given: Partial<Lookup> = {}): Decision[] {
  const lookup = { ...found, ...given };
  const reports = orders.map((order, index): Report => {
    const parsed = ReportedOrder.parse({ orderId: `order-${index}`, amountCents: 1000, ...order });
    return { id: `conversion-${index}`, customerId: `customer-${index}`, order: parsed, actor: { kind: 'command', id: 'test' } };
  });
  const attempts = attributeOrders(reports, lookup, now);
  return decideOrders(attempts, lookup, { history: rules, running: createRunningTotals() }, now).decisions;
}

/** The part of a decision that the examples compare. */
function summarize(decision: Decision): unknown[] {
  switch (decision.kind) {
    case 'credited':
      return [decision.kind, decision.affiliate.id, decision.calculation.drafts.map(({ amountCents }) => amountCents)];
    case 'duplicate':
      return [decision.kind, decision.conversionId, decision.matchesOriginal];
    default:
      return [decision.kind, decision.reason];
  }
}

const recorded = () => {
  const [first] = decide([{ affiliateId: ada }]);
  assert.equal(first?.kind, 'credited');
  return new Map([['order-0', { conversionId: 'recorded', facts: first.facts }]]);
};
const large = { affiliateId: ada, amountCents: 99_999_999_999 };
const huge = unchangedRules([rule('Flat', 99_999_999_999, { flat: true, per: 'unit' })]);

const examples: { name: string; orders: object[]; given?: Partial<Lookup>; decisions: unknown[][] }[] = [
  { name: 'an explicit affiliate is credited', orders: [{ affiliateId: ada }], decisions: [['credited', ada, [100]]] },
  { name: 'a referral code is credited', orders: [{ referralCode: 'ADA' }], decisions: [['credited', ada, [100]]] },
  { name: 'an order without signals is unattributed', orders: [{}], decisions: [['unattributed', 'no_signal']] },
  { name: 'an unknown code is unattributed', orders: [{ referralCode: 'other' }], decisions: [['unattributed', 'unknown']] },
  {
    name: 'an affiliate who is not active is unattributed',
    orders: [{ affiliateId: gone }],
    decisions: [['unattributed', 'affiliate_not_active']],
  },
  {
    name: 'an affiliate who is not found is rejected',
    orders: [{ affiliateId: '01980a51-4b8e-7c3e-9f61-000000000009' }],
    decisions: [['rejected', 'affiliate_not_found']],
  },
  {
    name: 'another currency is rejected',
    orders: [{ affiliateId: ada, currency: 'EUR' }],
    decisions: [['rejected', 'currency_mismatch']],
  },
  {
    name: 'an order is rejected when its time is more than an hour ahead',
    orders: [
      { affiliateId: ada, occurredAt: '2026-03-10T13:00:00Z' },
      { affiliateId: ada, occurredAt: '2026-03-10T13:00:01Z' },
    ],
    decisions: [
      ['credited', ada, [100]],
      ['rejected', 'occurred_in_future'],
    ],
  },
  {
    name: 'a recorded order is a duplicate that matches if the amount is the same',
    orders: [{ affiliateId: eve }],
    given: { recorded: recorded() },
    decisions: [['duplicate', 'recorded', true]],
  },
  {
    name: 'a recorded order with another amount is a duplicate that differs',
    orders: [{ amountCents: 999 }],
    given: { recorded: recorded() },
    decisions: [['duplicate', 'recorded', false]],
  },
  {
    name: 'a recorded order that would be too large after its conversion is a duplicate, and the next order is credited',
    orders: [{ ...large, currency: 'GBP' }, { affiliateId: ada }],
    given: {
      settings: { ...found.settings, exchangeRateSource: 'uploaded' },
      recorded: recorded(),
      rates: new Map([['GBP 2026-03-10', { rate: '999999', quotedOn: '2026-03-10', rateSource: 'uploaded' }]]),
    },
    decisions: [
      ['duplicate', 'recorded', false],
      ['credited', ada, [100]],
    ],
  },
  {
    name: 'a repeated order id in a batch is a duplicate of the first one',
    orders: [
      { orderId: 'same', affiliateId: ada },
      { orderId: 'same', affiliateId: eve, amountCents: 5 },
    ],
    decisions: [
      ['credited', ada, [100]],
      ['duplicate', 'conversion-0', false],
    ],
  },
  {
    name: 'an unattributed order can be corrected in the same batch',
    orders: [{ orderId: 'same' }, { orderId: 'same', affiliateId: ada }],
    decisions: [
      ['unattributed', 'no_signal'],
      ['credited', ada, [100]],
    ],
  },
  {
    name: 'the next order of a customer in the batch is credited to the same affiliate',
    orders: [{ affiliateId: ada, customer: { externalId: 'c1' } }, { customer: { externalId: 'c1' } }],
    decisions: [
      ['credited', ada, [100]],
      ['credited', ada, [100]],
    ],
  },
  {
    name: 'a first-order rule pays once for a customer in the batch',
    orders: [1, 2].map(() => ({ affiliateId: eve, customer: { externalId: 'c2' } })),
    decisions: [
      ['credited', eve, [500]],
      ['credited', eve, [100]],
    ],
  },
  {
    name: 'a redemption limit applies within the batch',
    orders: [{ couponCode: 'once' }, { couponCode: 'ONCE' }],
    decisions: [
      ['credited', ada, [100]],
      ['unattributed', 'used_up'],
    ],
  },
];

describe('deciding about reported orders', () => {
  for (const { name, orders, given, decisions } of examples)
    test(name, () => assert.deepEqual(decide(orders, given).map(summarize), decisions));

  test('a commission that is too large rejects this order and its repeats, and no other order', () => {
    const reports = [large, { affiliateId: ada, items: [{ amountCents: 1, quantity: 2 }], amountCents: 1 }, large].map(
      (order, index): Report => {
        const parsed = ReportedOrder.parse({ orderId: index === 0 ? 'first' : 'same', ...order });
        return { id: `conversion-${index}`, customerId: `customer-${index}`, order: parsed, actor: { kind: 'command', id: 'test' } };
      },
    );
    const attempts = attributeOrders(reports, found, now);
    const { decisions } = decideOrders(attempts, found, { history: huge, running: createRunningTotals() }, now);
    assert.deepEqual(decisions.map(summarize), [
      ['credited', ada, [99_999_999_999]],
      ['rejected', 'commission_too_large'],
      ['rejected', 'commission_too_large'],
    ]);
  });

  test('does not change what was looked up', () => {
    const [before, running] = [structuredClone(found), createRunningTotals()];
    const attempts = attributeOrders(
      [
        {
          id: 'c',
          customerId: 'k',
          order: ReportedOrder.parse({ orderId: 'o', amountCents: 1000, couponCode: 'once', customer: { externalId: 'c3' } }),
          actor: { kind: 'command', id: 'test' },
        },
      ],
      found,
      now,
    );
    decideOrders(attempts, found, { history: rules, running }, now);
    assert.deepEqual(structuredClone(found), before);
    assert.deepEqual(running, createRunningTotals());
  });
});
