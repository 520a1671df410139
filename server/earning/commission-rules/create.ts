import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { RuleShape, toRuleShape } from './rule.ts';
import { checkRule, type RuleInput, ruleFields, storeVersion, toColumns } from './write-rule.ts';

export const createRule = endpoint({
  id: 'commissionRules.create',
  route: 'POST /v1/programs/:programId/commission-rules',
  scope: 'write',
  tag: 'Commission rules',
  summary: 'Create a commission rule',
  description:
    'For each line of an order the most specific rule pays: affiliate × product, group × product, product, category (likewise), ' +
    "a coupon's own rate, the affiliate's override, affiliate, group, everybody. An override never beats a product rule.",
  body: z.object(ruleFields).meta({ id: 'NewCommissionRule', example: { name: 'Everybody', type: 'percentage', rate: 10 } }),
  statuses: [201],
  result: RuleShape,
  refusals: { 404: '`productId`, `groupId` or `affiliateId` was not found in this program.' },
  handle: (tx, { actor, body }) => addRule(tx, actor.programId, body, actor),
});

/** The rule that a new program starts with: a percentage for everybody. */
export async function createDefaultRule(tx: Tx, programId: string, { rate, actor }: { rate: number; actor: Actor }): Promise<void> {
  const rule = z.object(ruleFields).parse({ name: 'Everybody', type: 'percentage', rate });
  await addRule(tx, programId, rule, actor);
}

async function addRule(tx: Tx, programId: string, rule: RuleInput, actor: Actor) {
  await checkRule(tx, programId, rule);
  const now = tx.clock.now();
  const row = await tx.db
    .insertInto('commissionRules')
    .values({ programId, id: tx.ids.uuid(), status: 'active', version: 1, createdAt: now, updatedAt: now, ...toColumns(rule) })
    .returningAll()
    .executeTakeFirstOrThrow();
  await storeVersion(tx, row, null);
  const shape = toRuleShape(row, now);
  await recordChange(tx, { programId, actor, action: 'rule.created', subjectId: row.id, after: shape });
  return shape;
}
