// A commission rule: for whom and for what it is, from when to when, and its terms.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { CommissionRules } from '../../platform/db/schema.gen.ts';
import { countOut, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';
import { Terms } from './terms.ts';

export type Rule = {
  id: string;
  version: number;
  name: string;
  isArchived: boolean;
  level: 1 | 2;
  productId: string | null;
  category: string | null;
  groupId: string | null;
  affiliateId: string | null;
  /** ISO 8601. */
  effectiveFrom: string | null;
  effectiveTo: string | null;
  terms: Terms;
};

export const RuleStatus = z.enum(['active', 'scheduled', 'ended', 'archived']).meta({ id: 'CommissionRuleStatus' });

export const RuleShape = z
  .object({
    id: uuidOut,
    name: z.string(),
    status: RuleStatus.describe('`scheduled` and `ended` follow from the effective times.'),
    level: z.int().describe('1: the affiliate who is credited. 2: their upline.'),
    productId: uuidOut.nullable(),
    category: z.string().nullable(),
    groupId: uuidOut.nullable(),
    affiliateId: uuidOut.nullable(),
    ...Terms.shape,
    effectiveFrom: timestampOut.nullable(),
    effectiveTo: timestampOut.nullable(),
    version: countOut.describe('Counts up with each change; commissions keep the version they were earned by.'),
    createdAt: timestampOut,
    updatedAt: timestampOut,
  })
  .meta({ id: 'CommissionRule' });

export const ruleSlot = idSlot('commissionRules', 'The id of the commission rule.');

type Row = Selectable<CommissionRules>;

export function toRule(row: Omit<Row, 'createdAt' | 'updatedAt' | 'search' | 'programId'>): Rule {
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

export function toRuleShape(row: Row, at: Date): z.input<typeof RuleShape> {
  const { terms, isArchived: _, ...rule } = toRule(row);
  return { ...rule, ...terms, status: statusOf(row, at), createdAt: row.createdAt.toISOString(), updatedAt: row.updatedAt.toISOString() };
}

function statusOf({ status, effectiveFrom, effectiveTo }: Row, at: Date): z.infer<typeof RuleStatus> {
  if (status === 'archived') return 'archived';
  if (effectiveFrom && effectiveFrom > at) return 'scheduled';
  return effectiveTo && effectiveTo <= at ? 'ended' : 'active';
}
