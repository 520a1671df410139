// The explanation of an order as declared types: everything that a drawing or a translation needs, as codes and facts.
import { z } from 'zod';
import { NamedActor } from '../../../platform/http/declaration/actor-shape.ts';
import { centsOut, countOut, currencyOut, timestampOut, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { steps } from '../../commission-rules/choose-rule.ts';
import { Condition } from '../../commission-rules/terms.ts';
import { DetectedFraud, FraudEventShape } from '../../fraud/fraud-event.ts';
import { CommissionStatus, ConversionStatus, ExchangeShape, OriginalAmount, SignalOutcome } from '../../orders/conversion-shape.ts';
import { CalculatedCommission, LineCandidates } from '../stored-decision.ts';
import { explanationExample } from './example.ts';

const ExplainedExchange = ExchangeShape.extend({
  reportedCents: centsOut.describe('The amount that was converted when the order was recorded, in its currency; increases are not in it.'),
  convertedCents: centsOut.describe('The same amount in the currency of the program.'),
}).meta({
  id: 'ExplainedExchange',
  example: {
    currency: 'EUR',
    amountCents: 10000,
    rate: '1.0842',
    quotedOn: '2026-11-26',
    rateSource: 'uploaded',
    reportedCents: 10000,
    convertedCents: 10842,
  },
});

const level = z.int().describe('1: the credited affiliate. 2: their upline.');

const ExplainedAffiliate = z
  .object({ id: uuidOut, name: z.string(), status: z.string(), groupName: z.string().nullable() })
  .meta({ id: 'ExplainedAffiliate' });

const CandidateTerms = z
  .object({
    type: z.enum(['percentage', 'flat']),
    rate: z.number().nullable().describe('Percent, before tiers.'),
    amountCents: centsOut.nullable(),
    per: z.enum(['order', 'unit']),
    basis: z.enum(['order', 'commission']),
    effectiveFrom: timestampOut.nullable(),
    effectiveTo: timestampOut.nullable(),
    durationMonths: countOut.nullable(),
    maxOccurrences: countOut.nullable(),
    conditions: z.array(Condition),
  })
  .meta({ id: 'CandidateTerms' });
export type CandidateTerms = z.input<typeof CandidateTerms>;

const Candidate = LineCandidates.shape.candidates.element.extend({
  step: z.enum(steps),
  terms: CandidateTerms.nullable().describe('The terms of this version of the rule, of the coupon or of the override.'),
});

const Line = LineCandidates.extend({ candidates: z.array(Candidate) }).meta({ id: 'ExplainedLine' });

const Item = z
  .object({
    position: countOut,
    productId: uuidOut.nullable(),
    name: z.string().nullable(),
    quantity: countOut,
    amountCents: centsOut.describe('After all discounts, without tax and shipping.'),
    refundedCents: centsOut,
    original: z
      .object({ amountCents: centsOut, refundedCents: centsOut, currency: currencyOut })
      .nullable()
      .describe('The line in the currency in which the order was reported; null for an order that was not converted.'),
    remainingQuantity: countOut.describe('The units that are not refunded yet, including one that is partly refunded.'),
    commissionCents: centsOut.describe('What the line earned, on all levels.'),
    reversedCents: centsOut,
  })
  .meta({ id: 'ExplainedItem' });

const Part = z.object({ position: countOut, amountCents: centsOut, reversedCents: centsOut }).meta({ id: 'CommissionPart' });

const Commission = CalculatedCommission.extend({
  name: z.string().describe('The name of the rule; empty for a coupon or an override.'),
  id: uuidOut.nullable().describe('Null for a commission of 0, which is not recorded.'),
  status: CommissionStatus.nullable(),
  reversedCents: centsOut,
  paidCents: centsOut,
  maturesAt: timestampOut.nullable(),
  parts: z.array(Part).describe('The commission split over its order lines. The parts add up to it.'),
}).meta({ id: 'ExplainedCommission' });
export type ExplainedCommission = z.input<typeof Commission>;

const Adjustment = z
  .object({
    id: uuidOut,
    affiliateId: uuidOut,
    level,
    status: CommissionStatus,
    amountCents: centsOut,
    reversedCents: centsOut,
    note: z.string().nullable(),
    createdAt: timestampOut,
  })
  .meta({ id: 'ExplainedAdjustment' });

const Refund = z
  .object({
    id: uuidOut,
    refundId: z.string(),
    reason: z.string(),
    amountCents: centsOut,
    original: OriginalAmount.nullable().describe('The amount of this refund before it was converted; null unless the order was.'),
    reversedCents: centsOut.describe('What the refund reversed, on all levels.'),
    occurredAt: timestampOut,
    undoneAt: timestampOut.nullable(),
  })
  .meta({ id: 'ExplainedRefund' });

const Change = z
  .object({
    id: uuidOut,
    kind: z.enum(['moved', 'increased', 'cancelled']),
    fromAffiliateId: uuidOut.nullable().describe('Of a move.'),
    toAffiliateId: uuidOut.nullable().describe('Of a move.'),
    amountCents: centsOut.describe('What was added to the order, or the rest that was cancelled; 0 for a move.'),
    reversedCents: centsOut.describe('What a move reversed of the commissions before it, on all levels.'),
    note: z.string().nullable(),
    actor: NamedActor,
    createdAt: timestampOut,
  })
  .meta({ id: 'ExplainedChange' });

export const timelineSteps = ['earned', 'pending', 'held', 'ready', 'in_transit', 'paid', 'reversed', 'rejected'] as const;

const TimelineStep = z
  .object({
    step: z.enum(timelineSteps),
    state: z.enum(['done', 'current', 'upcoming']),
    startsAt: timestampOut.nullable().describe('Null while the time is not known.'),
    endsAt: timestampOut.nullable(),
    amountCents: centsOut,
    reasons: z.array(z.string()).describe('For `held` and `reversed`: machine-readable, such as the kind of the fraud alert.'),
  })
  .meta({ id: 'TimelineStep' });
export type TimelineStep = z.input<typeof TimelineStep>;

const Timeline = z.object({ level, affiliateId: uuidOut, steps: z.array(TimelineStep) }).meta({ id: 'CommissionTimeline' });

const Totals = z
  .object({
    amountCents: centsOut,
    refundedCents: centsOut,
    commissionCents: centsOut.describe('As earned, on all levels.'),
    creditedCents: centsOut.describe('As earned by the credited affiliate.'),
    uplineCents: centsOut.describe('As earned by the upline.'),
    reversedCents: centsOut,
    adjustedCents: centsOut.describe('The sum of adjustments, after reversals.'),
    netCents: centsOut.describe('What remains of all commissions.'),
  })
  .meta({ id: 'ExplanationTotals' });

export const Explanation = z
  .object({
    conversionId: uuidOut,
    orderId: z.string(),
    status: ConversionStatus,
    affiliateId: uuidOut,
    currency: currencyOut,
    exchange: ExplainedExchange.nullable().describe('How the order was converted; null for an order in the currency of the program.'),
    occurredAt: timestampOut,
    createdAt: timestampOut,
    totals: Totals,
    sentences: z.array(z.string()).describe('The explanation in plain English.'),
    affiliates: z.array(ExplainedAffiliate).describe('Every affiliate that the explanation names.'),
    signals: z.array(SignalOutcome),
    items: z.array(Item).describe('The lines of the order, and what each earned.'),
    lines: z.array(Line).describe('For each line and level, every rule that was considered, with its outcome.'),
    commissions: z.array(Commission).describe('What was calculated: rule, rate, base, limits, result.'),
    zeroCommissions: z.array(Commission).describe('Calculated commissions of 0, by rate or by limit. They are not recorded.'),
    adjustments: z.array(Adjustment),
    refunds: z.array(Refund),
    changes: z.array(Change).describe('Moves to other affiliates, increases and the cancellation, in their order.'),
    fraudAlerts: z.array(DetectedFraud).describe('As detected when the order was recorded.'),
    fraudEvents: z.array(FraudEventShape).describe('The fraud alerts with their decisions.'),
    timeline: z.array(Timeline).describe('For each affiliate who earned: what happened, and what happens next.'),
    inputs: z.record(z.string(), z.unknown()).describe('The inputs of the calculation at the time of the order.'),
    capCents: centsOut.nullable().describe('The maximum that all levels together could earn, in cents.'),
    rounding: z.string(),
  })
  .meta({ id: 'Explanation', example: explanationExample });
export type Explanation = z.input<typeof Explanation>;
