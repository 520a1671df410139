// A commission rule as the API returns it: which affiliates and items it applies to, when it is effective, and its terms.
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { GroupReference } from '../../partners/affiliates/group-reference.ts';
import { AffiliateReference } from '../../partners/affiliates/reference.ts';
import { NamedActor } from '../../platform/http/declaration/actor-shape.ts';
import { countOut, currencyOut, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';
import { ProductReference } from '../../promotion/catalogue/product.ts';
import { steps, toStep } from './choose-rule.ts';
import { type RuleRow, Terms, toRule } from './terms.ts';

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
  step: 'category',
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

const references = {
  affiliate: AffiliateReference.optional().describe('Included with `?expand=affiliate`.'),
  group: GroupReference.optional().describe('Included with `?expand=group`.'),
  product: ProductReference.optional().describe('Included with `?expand=product`.'),
};

export const RuleShape = z
  .object({
    id: uuidOut,
    status: RuleStatus.describe('An archived rule does not apply to new orders.'),
    effectiveStatus: EffectiveStatus.describe('Derived from `effectiveFrom` and `effectiveTo`.'),
    step: z.enum(steps).describe('Its place in the order of precedence: what the rule is for.'),
    ...settings,
    currency: currencyOut,
    ...references,
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
    ...references,
    validFrom: timestampOut.describe('Orders that occurred from this time on use this version.'),
    createdAt: timestampOut,
    actor: NamedActor.nullable().describe('Who made the change; null for versions of an earlier release.'),
  })
  .meta({ id: 'CommissionRuleVersion' });

export const ruleSlot = idSlot('commissionRules', 'The id of the commission rule.');

/** The rule as the API returns it; `at` decides whether it is effective. */
export function toRuleShape(row: RuleRow, { currency, at }: { currency: string; at: Date }): z.input<typeof RuleShape> {
  const { terms, isArchived: _, ...rule } = toRule(row);
  return {
    ...rule,
    ...terms,
    status: RuleStatus.parse(row.status),
    effectiveStatus: toEffectiveStatus(row, at),
    step: toStep(row),
    currency,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function toEffectiveStatus({ effectiveFrom, effectiveTo }: RuleRow, at: Date): z.infer<typeof EffectiveStatus> {
  if (effectiveFrom && effectiveFrom > at) return 'scheduled';
  return effectiveTo && effectiveTo <= at ? 'ended' : 'effective';
}

/** A commission rule as other objects show it with `?expand=rule`. */
export const RuleReference = z.object({ id: uuidOut, name: z.string() }).meta({ id: 'CommissionRuleReference' });

type Reference = z.input<typeof RuleReference>;

/** References to commission rules by id, for `?expand=rule`; one query, or none where nothing is expanded. */
export async function findRuleReferences(
  ctx: Pick<Context, 'db'>,
  programId: string,
  ids: readonly string[],
): Promise<Map<string, Reference>> {
  if (ids.length === 0) return new Map();
  const rules = ctx.db.selectFrom('commissionRules').select(['id', 'name']).where('programId', '=', programId);
  const rows = await rules.where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}
