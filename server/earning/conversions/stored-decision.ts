// Why an order was credited and what it was calculated from; stored with the conversion and never changed.
import { z } from 'zod';
import { centsOut, countOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { commissionSources, outcomes, steps } from '../commission-rules/choose-rule.ts';
import { DetectedFraud } from '../fraud/fraud-event.ts';
import { SignalOutcome, Warning } from '../orders/conversion-shape.ts';

const Level = z.union([z.literal(1), z.literal(2)]).describe('1: the credited affiliate. 2: their upline.');

const Limit = z
  .object({
    by: z.enum(['tier', 'minimum_per_order', 'maximum_per_order', 'budget', 'program_cap']),
    beforeCents: centsOut,
    afterCents: centsOut,
    totalCents: centsOut.describe('The sum of all commissions under this limit.'),
    parts: countOut.describe('The number of commissions that share the total.'),
  })
  .meta({ id: 'CommissionLimit' });

const Formula = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('percentage'), of: z.enum(['order', 'commission']), ofCents: centsOut, amountCents: centsOut }),
    z.object({ kind: z.literal('flat'), per: z.enum(['order', 'unit']), times: countOut, amountCents: centsOut }),
  ])
  .meta({ id: 'CommissionFormula' });

/** A commission of 10% of the order, under the default rule. */
export const calculatedExample = {
  level: 1,
  affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
  source: 'rule',
  step: 'default',
  ruleId: '01980a50-2a3b-7c4d-8e5f-6a7b8c9d0e1f',
  ruleVersion: 1,
  type: 'percentage',
  rate: 10,
  positions: [0],
  productId: null,
  baseCents: 4980,
  amountCents: 498,
  formula: { kind: 'percentage', of: 'order', ofCents: 4980, amountCents: 498 },
  limits: [],
  budgetStart: null,
};

export const CalculatedCommission = z
  .object({
    level: Level,
    affiliateId: uuidOut,
    source: z.enum(commissionSources),
    step: z.enum([...steps, 'imported']).describe('The step of the rule order that applied; `imported` for an amount of another system.'),
    ruleId: uuidOut.nullable(),
    ruleVersion: countOut.nullable(),
    type: z.enum(['percentage', 'flat']),
    rate: z.number().describe('The rate after tiers: percent, or cents for a flat commission.'),
    positions: z.array(countOut).describe('The positions of the order lines that the commission was calculated from.'),
    productId: uuidOut.nullable(),
    baseCents: centsOut,
    amountCents: centsOut,
    formula: Formula.describe('How the amount before limits was calculated from the rate.'),
    limits: z.array(Limit),
    budgetStart: z.string().nullable().describe('The first day of the budget period that the commission counts toward.'),
  })
  .meta({
    id: 'CalculatedCommission',
    example: calculatedExample,
  });

export const LineCandidates = z
  .object({
    position: countOut,
    level: Level,
    candidates: z.array(
      z.object({
        step: z.enum(steps),
        ruleId: uuidOut.nullable(),
        version: countOut.nullable(),
        name: z.string(),
        outcome: z.enum(outcomes),
      }),
    ),
  })
  .meta({ id: 'LineCandidates' });

export const StoredDecision = z.object({
  signals: z.array(SignalOutcome),
  lines: z.array(LineCandidates),
  drafts: z.array(CalculatedCommission),
  unpaid: z.array(CalculatedCommission),
  capCents: z.number().nullable(),
  alerts: z.array(DetectedFraud),
  /** The provider of a buyer's mailbox that expires; null for others. Undefined if it is not known. */
  disposableDomain: z.string().nullish(),
  warnings: z.array(Warning),
});
export type StoredDecision = z.infer<typeof StoredDecision>;
