// The example of an explanation in the API's documents: an order by a click, under the default rule.
import { calculatedExample } from '../stored-decision.ts';

const affiliateId = '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f';
const clickId = '01980a53-9d10-7a44-b0c6-1f2e3d4c5b6a';
const ruleId = '01980a50-2a3b-7c4d-8e5f-6a7b8c9d0e1f';
const occurredAt = '2026-11-02T09:30:00.000Z';
const maturesAt = '2026-12-02T09:30:00.000Z';

export const rounding = 'Half up, once for each commission, on its whole base.';

const line = { position: 0, productId: null, category: null, name: null, quantity: 1, amountCents: 4980 };

const terms = {
  type: 'percentage',
  rate: 10,
  amountCents: null,
  per: 'order',
  basis: 'order',
  effectiveFrom: null,
  effectiveTo: null,
  durationMonths: null,
  maxOccurrences: null,
  conditions: [],
};

const commission = {
  ...calculatedExample,
  name: 'Standard',
  id: '01980a54-1c23-7d11-a2b3-8c7d6e5f4a3b',
  status: 'pending',
  reversedCents: 0,
  paidCents: 0,
  maturesAt,
  parts: [{ position: 0, amountCents: 498, reversedCents: 0 }],
};

export const explanationExample = {
  conversionId: '01980a54-1c22-7b6e-8d3f-5e9a7b1c2d3e',
  orderId: 'FF-10023',
  status: 'pending',
  affiliateId,
  currency: 'USD',
  exchange: null,
  occurredAt,
  createdAt: '2026-11-02T09:30:01.000Z',
  totals: {
    amountCents: 4980,
    refundedCents: 0,
    commissionCents: 498,
    creditedCents: 498,
    uplineCents: 0,
    reversedCents: 0,
    adjustedCents: 0,
    netCents: 498,
  },
  sentences: [`Ada Lovelace is credited, by the click ${clickId}.`, 'The order ($49.80): 10% by “Standard” (default rule) = $4.98.'],
  affiliates: [{ id: affiliateId, name: 'Ada Lovelace', status: 'active', groupName: 'Clinicians' }],
  signals: [
    {
      signal: 'click',
      value: clickId,
      affiliateId,
      outcome: 'credited',
      facts: { clickedAt: '2026-11-02T09:12:00.000Z', secondsBeforeOrder: 1080 },
    },
  ],
  items: [
    {
      position: 0,
      productId: null,
      name: null,
      quantity: 1,
      amountCents: 4980,
      refundedCents: 0,
      original: null,
      remainingQuantity: 1,
      commissionCents: 498,
      reversedCents: 0,
    },
  ],
  lines: [{ position: 0, level: 1, candidates: [{ step: 'default', ruleId, version: 1, name: 'Standard', outcome: 'applied', terms }] }],
  commissions: [commission],
  zeroCommissions: [],
  adjustments: [],
  refunds: [],
  changes: [],
  fraudAlerts: [],
  fraudEvents: [],
  timeline: [
    {
      level: 1,
      affiliateId,
      steps: [
        { step: 'earned', state: 'done', startsAt: occurredAt, endsAt: null, amountCents: 498, reasons: [] },
        { step: 'pending', state: 'current', startsAt: occurredAt, endsAt: maturesAt, amountCents: 498, reasons: [] },
        { step: 'ready', state: 'upcoming', startsAt: maturesAt, endsAt: null, amountCents: 498, reasons: [] },
        { step: 'paid', state: 'upcoming', startsAt: null, endsAt: null, amountCents: 498, reasons: [] },
      ],
    },
  ],
  inputs: {
    at: occurredAt,
    amountCents: 4980,
    lines: [line],
    affiliate: { id: affiliateId, groupId: null, override: null },
    upline: null,
    coupon: null,
    sequence: null,
    country: null,
    isNewCustomer: null,
    customer: null,
    capPercent: null,
  },
  capCents: null,
  rounding,
};
