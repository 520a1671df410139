// Why an order was credited and what it paid: the stored decision as data and in sentences.
import { z } from 'zod';
import { findAffiliateReferences } from '../../partners/affiliates/reference.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { centsOut, currencyOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { exampleOf } from '../../platform/http/openapi/schemas.ts';
import { formatCents } from '../../platform/lib/currency.ts';
import { explainCalculation } from '../commission-rules/explain.ts';
import { OrderFacts } from '../commission-rules/order-facts.ts';
import { DetectedFraud } from '../fraud/detect.ts';
import { conversionSlot, SignalOutcome } from './conversion.ts';
import type { Method, SignalOutcome as Signal } from './recording/attribution.ts';
import { CalculatedCommission, LineCandidates, StoredDecision } from './stored-decision.ts';

const rounding = 'Half up, once for each commission, on its whole base.';

export const explainConversion = endpoint({
  id: 'conversions.explanation',
  route: 'GET /v1/programs/:programId/conversions/:id/explanation',
  scope: 'read',
  tag: 'Conversions',
  summary: 'Explain a conversion',
  description:
    'Lists each attribution signal and its outcome, each rule that was considered and why it did or did not apply, the inputs, ' +
    'limits and rounding, as data and in sentences.',
  path: { id: conversionSlot },
  statuses: [200],
  result: z
    .object({
      conversionId: uuidOut,
      orderId: z.string(),
      currency: currencyOut,
      sentences: z.array(z.string()).describe('The explanation in plain English.'),
      signals: z.array(SignalOutcome),
      lines: z.array(LineCandidates).describe('For each line and level, every rule that was considered, with its outcome.'),
      commissions: z.array(CalculatedCommission).describe('What was calculated: rule, rate, base, limits, result.'),
      fraudAlerts: z.array(DetectedFraud),
      inputs: z.record(z.string(), z.unknown()).describe('The inputs of the calculation at the time of the order.'),
      capCents: centsOut.nullable().describe('The maximum that all levels together could earn, in cents.'),
      rounding: z.string(),
    })
    .meta({ id: 'Explanation', example: buildExample() }),
  async handle(ctx, { actor: { programId }, params }) {
    const row = await ctx.db
      .selectFrom('conversions')
      .select(['id', 'orderId', 'currency', 'facts', 'decision'])
      .where('programId', '=', programId)
      .where('id', '=', params.id)
      .executeTakeFirstOrThrow();
    const facts = OrderFacts.parse(row.facts);
    const decision = StoredDecision.parse(row.decision);
    const affiliateIds = decision.signals.flatMap(({ affiliateId }) => affiliateId ?? []);
    const affiliates = await findAffiliateReferences(ctx, programId, affiliateIds);
    return {
      conversionId: row.id,
      orderId: row.orderId,
      currency: row.currency,
      sentences: [
        ...decision.signals.map((signal) => explainSignal(signal, affiliates.get(signal.affiliateId ?? '')?.name)),
        ...explainCalculation(facts, decision, row.currency),
        ...explainCap(decision, row.currency),
        ...decision.alerts.map(explainAlert),
      ],
      signals: decision.signals,
      lines: decision.lines,
      commissions: decision.drafts,
      fraudAlerts: decision.alerts,
      inputs: facts,
      capCents: decision.capCents,
      rounding,
    };
  },
});

const signalNames: Record<Method, string> = {
  affiliate: 'the affiliate named in the report',
  coupon: 'the coupon',
  click: 'the click',
  referral_code: 'the referral code',
  customer: "the customer's first affiliate",
};

const rejectionReasons: Record<string, string> = {
  outranked: 'another signal takes precedence',
  unknown: 'it was not found in this program',
  affiliate_not_active: 'the affiliate is not active',
  outside_the_window: 'it is outside the attribution window',
  after_the_order: 'it came after the order',
  click_has_priority: "the coupon's policy gives precedence to a click",
  checkout_hijack: 'the click came during checkout, and another affiliate had an earlier signal',
  archived: 'the coupon is archived',
  not_started: 'the coupon was not valid yet',
  ended: 'the coupon had expired',
  used_up: 'the coupon had reached its redemption limit',
  below_minimum: "the order is below the coupon's minimum",
  other_products: 'the coupon is for other products',
};

function explainSignal({ signal, value, outcome }: Signal, affiliateName: string | undefined): string {
  const source = value && signal !== 'affiliate' ? `${signalNames[signal]} ${value}` : signalNames[signal];
  if (outcome === 'credited') return `${affiliateName ?? 'The affiliate'} is credited, by ${source}.`;
  const subject = `${source.charAt(0).toUpperCase()}${source.slice(1)}${affiliateName ? ` (${affiliateName})` : ''}`;
  return `${subject} was not credited: ${rejectionReasons[outcome] ?? outcome}.`;
}

function explainCap({ capCents, drafts }: StoredDecision, currency: string): string[] {
  const isCapped = drafts.some(({ limits }) => limits.some(({ by }) => by === 'program_cap'));
  return isCapped && capCents !== null ? [`All levels together earn at most ${formatCents(capCents, currency)} for this order.`] : [];
}

function explainAlert({ kind, action }: DetectedFraud): string {
  const consequence = action === 'hold' ? 'the commission is held until the fraud alert is resolved' : 'the order is flagged';
  return `Fraud alert (${kind.replaceAll('_', ' ')}): ${consequence}.`;
}

function buildExample() {
  const affiliateId = '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f';
  const clickId = '01980a53-9d10-7a44-b0c6-1f2e3d4c5b6a';
  const ruleId = '01980a50-2a3b-7c4d-8e5f-6a7b8c9d0e1f';
  const line = { position: 0, productId: null, category: null, name: null, quantity: 1, amountCents: 4980 };
  return {
    conversionId: '01980a54-1c22-7b6e-8d3f-5e9a7b1c2d3e',
    orderId: 'FF-10023',
    currency: 'USD',
    sentences: [`Ada Lovelace is credited, by the click ${clickId}.`, 'The order ($49.80): 10% by “Standard” (default rule) = $4.98.'],
    signals: [{ signal: 'click', value: clickId, affiliateId, outcome: 'credited' }],
    lines: [{ position: 0, level: 1, candidates: [{ step: 'default', ruleId, version: 1, name: 'Standard', outcome: 'applied' }] }],
    commissions: [exampleOf(CalculatedCommission)],
    fraudAlerts: [],
    inputs: {
      at: '2026-11-02T09:30:00.000Z',
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
}
