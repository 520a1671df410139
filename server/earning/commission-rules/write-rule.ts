// What a caller may say of a rule, and how it becomes a row and a version.

import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { insertRows } from '../../platform/db/insert-rows.ts';
import { requireRow } from '../../platform/db/require-row.ts';
import type { CommissionRules } from '../../platform/db/schema.gen.ts';
import { line, timestampIn, uuid } from '../../platform/http/declaration/fields.ts';
import { Invalid } from '../../platform/lib/errors.ts';
import { foldCase } from '../../platform/lib/text.ts';
import { toRule } from './rule.ts';
import { findTermFaults, Terms, termFields } from './terms.ts';

export const ruleFields = {
  name: line(200),
  level: z
    .union([z.literal(1), z.literal(2)], 'must be 1 or 2')
    .default(1)
    .describe('1: the affiliate who is credited. 2: their upline.'),
  productId: uuid.nullable().default(null),
  category: line(100).nullable().default(null),
  groupId: uuid.nullable().default(null),
  affiliateId: uuid.nullable().default(null),
  effectiveFrom: timestampIn.nullable().default(null),
  effectiveTo: timestampIn.nullable().default(null),
  ...termFields,
};

const Fields = z.object(ruleFields);
export type RuleInput = z.output<typeof Fields>;
type Row = Selectable<CommissionRules>;

/** Refuses what contradicts itself (400) and ids of other programs (404 naming the field). */
export async function checkRule(tx: Tx, programId: string, rule: RuleInput): Promise<void> {
  const faults = findTermFaults(Terms.parse(rule), rule.level);
  if (rule.productId && rule.category) faults.push(['category', 'must not be sent together with productId']);
  if (rule.groupId && rule.affiliateId) faults.push(['groupId', 'must not be sent together with affiliateId']);
  if (rule.effectiveFrom && rule.effectiveTo && rule.effectiveFrom >= rule.effectiveTo)
    faults.push(['effectiveTo', 'must be later than effectiveFrom']);
  if (faults.length > 0) throw new Invalid(faults.map(([field, message]) => ({ path: [field], message })));
  if (rule.productId) await requireRow(tx, { table: 'products', programId, id: rule.productId, field: 'productId' });
  if (rule.groupId) await requireRow(tx, { table: 'groups', programId, id: rule.groupId, field: 'groupId' });
  if (rule.affiliateId) await requireRow(tx, { table: 'affiliates', programId, id: rule.affiliateId, field: 'affiliateId' });
}

/** The columns of a rule. */
export function toColumns(rule: RuleInput) {
  const { name, level, productId, category, groupId, affiliateId, effectiveFrom, effectiveTo } = rule;
  const terms = JSON.stringify(Terms.parse(rule));
  return { name, level, productId, category, groupId, affiliateId, effectiveFrom, effectiveTo, terms, search: foldCase(name) };
}

/** Stores the rule as it is now as a version. `before` is the rule before the change; null for a new rule. */
export async function storeVersion(tx: Tx, row: Row, before: Row | null): Promise<void> {
  const { programId, id: ruleId, version } = row;
  const createdAt = tx.clock.now();
  const validFrom = decideValidFrom(row, before, createdAt);
  await insertRows(tx, 'commissionRuleVersions', [{ programId, ruleId, version, rule: toRule(row), validFrom, createdAt }]);
}

/**
 * A version is valid from the moment of the change. An `effectiveFrom` in the past that was set by this
 * change makes it valid from then on, so that late orders can be paid by it.
 */
function decideValidFrom({ effectiveFrom }: Row, before: Row | null, now: Date): Date {
  if (!effectiveFrom || effectiveFrom >= now) return now;
  const isUnchanged = before?.effectiveFrom?.getTime() === effectiveFrom.getTime();
  return isUnchanged ? now : effectiveFrom;
}

/** A stored rule in the words of a caller, to lay a change over it. */
export function toRuleInput(row: Row): RuleInput {
  const { terms, ...rule } = toRule(row);
  return { ...rule, ...terms, effectiveFrom: row.effectiveFrom, effectiveTo: row.effectiveTo };
}
