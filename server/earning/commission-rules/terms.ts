// The terms of a rule: the amount it pays and the conditions under which it applies, as they are sent and stored; and rules
// as the calculation reads them.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { CommissionRules } from '../../platform/db/schema.gen.ts';
import { cents, countryIn, maxCents } from '../../platform/http/declaration/fields.ts';

const percent = z
  .number()
  .min(0, 'must be between 0 and 100 (percent)')
  .max(100, 'must be between 0 and 100 (percent)')
  .refine((rate) => /^\d+(\.\d{1,4})?$/.test(String(rate)), { error: 'must not have more than 4 decimals' });

const wholeFrom = (min: number, max: number) =>
  z.int(`must be a whole number from ${min} to ${max}`).min(min, `must be at least ${min}`).max(max, `must be at most ${max}`);

export const Period = z.enum(['month', 'quarter', 'year', 'total']).meta({ id: 'RulePeriod' });
export type Period = z.infer<typeof Period>;
export const Metric = z.enum(['conversions', 'amountCents', 'commissionCents']).meta({ id: 'TierMetric' });
export type Metric = z.infer<typeof Metric>;

const Tier = z
  .object({
    metric: Metric.describe("The affiliate's total before this order."),
    period: Period.describe("Calendar periods in the program's time zone."),
    from: wholeFrom(0, maxCents).describe('The tier applies from this total on.'),
    rate: percent.nullable().optional(),
    amountCents: cents.nullable().optional(),
  })
  .meta({ id: 'RuleTier' });
export type Tier = z.infer<typeof Tier>;

export const Condition = z
  .discriminatedUnion('field', [
    z.object({
      field: z.literal('country'),
      operator: z.enum(['in', 'not_in']),
      value: z.array(countryIn).min(1, 'must not be empty').max(250),
    }),
    z.object({ field: z.literal('newCustomer'), operator: z.literal('is'), value: z.boolean() }),
    z.object({ field: z.literal('couponUsed'), operator: z.literal('is'), value: z.boolean() }),
    z.object({ field: z.literal('orderAmountCents'), operator: z.enum(['at_least', 'below']), value: cents }),
  ])
  .meta({ id: 'RuleCondition' });
export type Condition = z.infer<typeof Condition>;

export const RuleEvent = z.enum(['sale', 'lead']).meta({ id: 'RuleEvent' });

export const termFields = {
  event: RuleEvent.default('sale').describe('What the rule pays for: orders, or leads (`POST /v1/leads`), which earn a flat amount each.'),
  type: z.enum(['percentage', 'flat']).meta({ id: 'CommissionType' }),
  rate: percent.nullable().default(null).describe('In percent; for type `percentage`.'),
  amountCents: cents.nullable().default(null).describe('For `flat`.'),
  per: z.enum(['order', 'unit']).default('order').describe('Whether a flat amount is earned once per order or for each unit.'),
  basis: z.enum(['order', 'commission']).default('order').describe('For level 2: percent of the order, or of the commission of level 1.'),
  trigger: z
    .enum(['every', 'first', 'subsequent'])
    .default('every')
    .describe(
      "Which of a customer's orders the rule applies to. An order is the first one if the customer has no earlier credited order " +
        'or, for an order without a customer, if `customer.isNew` is true or `subscription.sequence` is 1. An order is a ' +
        'subsequent one if `isNew` is false or the sequence is greater than 1. If none of these is sent, neither `first` nor ' +
        '`subsequent` applies, and the response contains a warning. Fully refunded orders do not count.',
    ),
  durationMonths: wholeFrom(1, 1200)
    .nullable()
    .default(null)
    .describe("The number of months, counted from the customer's first order, during which the rule applies."),
  maxOccurrences: wholeFrom(1, 1_000_000)
    .nullable()
    .default(null)
    .describe(
      'The maximum number of orders per customer, or of payments per subscription by `subscription.sequence`. Fully refunded orders ' +
        'do not count.',
    ),
  minPerOrderCents: cents.nullable().default(null),
  maxPerOrderCents: cents.nullable().default(null),
  budgetCents: cents
    .nullable()
    .default(null)
    .describe(
      'The maximum that the rule pays to all affiliates together in a period, net of reversals. The order that exhausts the ' +
        'budget earns the remainder. After that, the rule still applies but pays 0, no other rule replaces it, and the response ' +
        'contains a warning.',
    ),
  budgetPeriod: Period.nullable().default(null),
  tiers: z.array(Tier).max(20).default([]).describe('The rate of the highest tier reached replaces `rate`.'),
  conditions: z.array(Condition).max(20).default([]).describe('All conditions must be met.'),
  excludeCouponOrders: z.boolean().default(false),
};

const Fields = z.object(termFields);
export type Terms = z.infer<typeof Fields>;

/** The terms as stored, with every field. */
export const Terms = Fields;

/** A rule as the calculation reads it, and as it is stored in each version. */
export const Rule = z.object({
  id: z.string(),
  version: z.number(),
  name: z.string(),
  isArchived: z.boolean(),
  level: z.union([z.literal(1), z.literal(2)]),
  productId: z.string().nullable(),
  category: z.string().nullable(),
  groupId: z.string().nullable(),
  affiliateId: z.string().nullable(),
  /** ISO 8601. */
  effectiveFrom: z.string().nullable(),
  effectiveTo: z.string().nullable(),
  terms: Terms,
});
export type Rule = z.infer<typeof Rule>;

export type RuleRow = Selectable<CommissionRules>;

export function toRule(row: Omit<RuleRow, 'createdAt' | 'updatedAt' | 'search' | 'programId'>): Rule {
  return {
    id: row.id,
    version: row.version,
    name: row.name,
    isArchived: row.status === 'archived',
    level: row.level === 2 ? 2 : 1,
    productId: row.productId,
    category: row.category,
    groupId: row.groupId,
    affiliateId: row.affiliateId,
    effectiveFrom: row.effectiveFrom?.toISOString() ?? null,
    effectiveTo: row.effectiveTo?.toISOString() ?? null,
    terms: Terms.parse(row.terms),
  };
}
