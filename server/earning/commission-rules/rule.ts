// A commission rule: which affiliates and items it applies to, when it is effective, and its terms.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import { GroupReference } from '../../partners/affiliates/group-reference.ts';
import { AffiliateReference } from '../../partners/affiliates/reference.ts';
import type { CommissionRules } from '../../platform/db/schema.gen.ts';
import { countOut, currencyOut, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';
import { ProductReference } from '../../promotion/catalogue/product.ts';
import { Terms } from './terms.ts';

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

export const RuleStatus = z.enum(['active', 'archived']).meta({ id: 'CommissionRuleStatus' });
export const EffectiveStatus = z.enum(['scheduled', 'effective', 'ended']).meta({ id: 'CommissionRuleEffectiveStatus' });

/** The fields that a caller sets, as they are returned. */
const settings = {
  name: z.string(),
  level: z.int().describe('1: the credited affiliate. 2: their upline.'),
  productId: uuidOut.nullable(),
  category: z.string().nullable(),
  groupId: uuidOut.nullable(),
  affiliateId: uuidOut.nullable(),
  ...Terms.shape,
  effectiveFrom: timestampOut.nullable(),
  effectiveTo: timestampOut.nullable(),
};

export const ruleExample = {
  id: '01980a52-1a2b-7c3d-8e4f-5a6b7c8d9e0f',
  name: 'Teas',
  status: 'active',
  effectiveStatus: 'effective',
  level: 1,
  productId: null,
  category: 'Teas',
  groupId: null,
  affiliateId: null,
  event: 'sale',
  type: 'percentage',
  rate: 12.5,
  amountCents: null,
  per: 'order',
  basis: 'order',
  trigger: 'every',
  durationMonths: null,
  maxOccurrences: null,
  minPerOrderCents: null,
  maxPerOrderCents: 5000,
  budgetCents: null,
  budgetPeriod: null,
  tiers: [],
  conditions: [],
  excludeCouponOrders: false,
  effectiveFrom: null,
  effectiveTo: null,
  currency: 'USD',
  version: 1,
  createdAt: '2026-11-02T09:30:00.000Z',
  updatedAt: '2026-11-02T09:30:00.000Z',
};

export const RuleShape = z
  .object({
    id: uuidOut,
    status: RuleStatus.describe('An archived rule does not apply to new orders.'),
    effectiveStatus: EffectiveStatus.describe('Derived from `effectiveFrom` and `effectiveTo`.'),
    ...settings,
    currency: currencyOut,
    affiliate: AffiliateReference.optional().describe('Included with `?expand=affiliate`.'),
    group: GroupReference.optional().describe('Included with `?expand=group`.'),
    product: ProductReference.optional().describe('Included with `?expand=product`.'),
    version: countOut.describe('Incremented by each change; commissions refer to the version that they were calculated with.'),
    createdAt: timestampOut,
    updatedAt: timestampOut,
  })
  .meta({ id: 'CommissionRule', example: ruleExample });

export const RuleVersionShape = z
  .object({
    version: countOut,
    status: RuleStatus,
    ...settings,
    currency: currencyOut,
    validFrom: timestampOut.describe('Orders that occurred from this time on use this version.'),
    createdAt: timestampOut,
  })
  .meta({ id: 'CommissionRuleVersion' });

export const ruleSlot = idSlot('commissionRules', 'The id of the commission rule.');

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

/** The rule as the API returns it; `at` decides whether it is effective. */
export function toRuleShape(row: RuleRow, { currency, at }: { currency: string; at: Date }): z.input<typeof RuleShape> {
  const { terms, isArchived: _, ...rule } = toRule(row);
  return {
    ...rule,
    ...terms,
    status: RuleStatus.parse(row.status),
    effectiveStatus: toEffectiveStatus(row, at),
    currency,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function toEffectiveStatus({ effectiveFrom, effectiveTo }: RuleRow, at: Date): z.infer<typeof EffectiveStatus> {
  if (effectiveFrom && effectiveFrom > at) return 'scheduled';
  return effectiveTo && effectiveTo <= at ? 'ended' : 'effective';
}
