import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { queueRateEmails } from './rates/email-rate-changes.ts';
import { RuleShape, toRuleShape } from './rule.ts';
import type { RuleRow } from './terms.ts';
import { announceRule, checkRule, NewRule, notifyField, type RuleInput, ruleFields, storeVersion, toColumns } from './write-rule.ts';

export const createRule = endpoint({
  id: 'commissionRules.create',
  route: 'POST /v1/programs/:programId/commission-rules',
  scope: 'write',
  requires: 'terms.write',
  tag: 'Commission rules',
  summary: 'Create a commission rule',
  description:
    'The most specific rule applies to each line of an order, in this order: affiliate × product, group × product, product, ' +
    "affiliate × category, group × category, category, the coupon's own rate, the affiliate's override, affiliate, group, " +
    'default. Product and category rules therefore take precedence over an override.',
  body: NewRule.safeExtend({ notifyAffiliates: notifyField }).meta({
    id: 'NewCommissionRule',
    example: { name: 'Default', type: 'percentage', rate: 10 },
  }),
  statuses: [201],
  result: RuleShape,
  errors: [{ status: 404, code: 'not_found', when: '`productId`, `groupId` or `affiliateId` was not found in this program.' }],
  async handle(tx, { actor, body: { notifyAffiliates, ...fields } }) {
    const rule = await addRule(tx, actor.programId, fields, { actor, notifiesAffiliates: notifyAffiliates });
    return toRuleShape(rule, { currency: actor.currency, at: tx.clock.now() });
  },
});

/** Creates the rule that a new program starts with: a percentage of every order. */
export async function createDefaultRule(tx: Tx, programId: string, { rate, actor }: { rate: number; actor: Actor }): Promise<void> {
  const rule = z.object(ruleFields).parse({ name: 'Default', type: 'percentage', rate });
  await addRule(tx, programId, rule, { actor });
}

type Adding = { actor: Actor; notifiesAffiliates?: boolean };

/** Checks and stores a new rule with its first version. */
export async function addRule(tx: Tx, programId: string, rule: RuleInput, { actor, notifiesAffiliates = false }: Adding): Promise<RuleRow> {
  await checkRule(tx, programId, rule);
  const now = tx.clock.now();
  const row = await tx.db
    .insertInto('commissionRules')
    .values({ programId, id: tx.ids.uuid(), status: 'active', version: 1, createdAt: now, updatedAt: now, ...toColumns(rule) })
    .returningAll()
    .executeTakeFirstOrThrow();
  await storeVersion(tx, row, { before: null, actor });
  const changeId = await recordChange(tx, { programId, actor, action: 'rule.created', subjectId: row.id, after: rule });
  await announceRule(tx, { programId, actor }, { rule: row, previous: null });
  if (notifiesAffiliates) await queueRateEmails(tx, row, changeId);
  return row;
}
