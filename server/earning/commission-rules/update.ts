// Changing a rule makes a new version: what was earned keeps the version it was earned by.
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { endpoint, type Principal } from '../../platform/http/declaration/endpoint.ts';
import { RuleShape, ruleSlot, toRuleShape } from './rule.ts';
import { checkRule, type RuleInput, ruleFields, storeVersion, toColumns, toRuleInput } from './write-rule.ts';

/** Every field may be left out; what is left out stays, so no field has a default here. */
const changes = Object.fromEntries(
  Object.entries(ruleFields).map(([name, schema]) => [name, (schema instanceof z.ZodDefault ? schema.unwrap() : schema).optional()]),
);

export const updateRule = endpoint({
  id: 'commissionRules.update',
  route: 'PATCH /v1/programs/:programId/commission-rules/:id',
  scope: 'write',
  tag: 'Commission rules',
  summary: 'Change a commission rule',
  description:
    'Omitted fields are left untouched. Creates a new version; existing commissions keep theirs. Orders from before the change are paid ' +
    'by the version of their time, also when they are reported later. To apply a change to earlier orders that are not recorded yet, set ' +
    '`effectiveFrom` to a past time in the same request.',
  path: { id: ruleSlot },
  body: z
    .object({ ...changes, status: z.enum(['active', 'archived']).optional() })
    .meta({ id: 'CommissionRuleUpdate', example: { rate: 12.5 } }),
  statuses: [200],
  result: RuleShape,
  refusals: { 404: 'No such rule, or `productId`, `groupId` or `affiliateId` was not found in this program.' },
  handle: (tx, { actor, params, body }) => changeRule(tx, actor, params.id, body),
});

export const archiveRule = endpoint({
  id: 'commissionRules.archive',
  route: 'POST /v1/programs/:programId/commission-rules/:id/archive',
  scope: 'write',
  tag: 'Commission rules',
  summary: 'Archive a commission rule',
  description:
    'Orders from now on are not paid by it. Existing commissions stay, and orders from before are still paid by it when they are reported ' +
    'later. PATCH `status: "active"` restores it.',
  path: { id: ruleSlot },
  statuses: [200],
  result: RuleShape,
  handle: (tx, { actor, params }) => changeRule(tx, actor, params.id, { status: 'archived' }),
});

async function changeRule(tx: Tx, actor: Principal, id: string, change: Record<string, unknown>) {
  const { programId } = actor;
  const rules = tx.db.selectFrom('commissionRules').selectAll().where('programId', '=', programId).where('id', '=', id);
  const before = await rules.forNoKeyUpdate().executeTakeFirstOrThrow();
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const wanted = { ...toRuleInput(before), ...given } as RuleInput;
  await checkRule(tx, programId, wanted);
  const now = tx.clock.now();
  const status = change.status === 'archived' || change.status === 'active' ? change.status : before.status;
  const [was, is] = [
    JSON.stringify([before.status, toRuleInput(before)]),
    JSON.stringify([status, { ...toRuleInput(before), ...wanted, status: undefined }]),
  ];
  if (was === is) return toRuleShape(before, now);
  const after = await tx.db
    .updateTable('commissionRules')
    .set({ ...toColumns(wanted), status, version: before.version + 1, updatedAt: now })
    .where('programId', '=', programId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await storeVersion(tx, after, before);
  const shapes = { before: toRuleShape(before, now), after: toRuleShape(after, now) };
  await recordChange(tx, { programId, actor, action: 'rule.updated', subjectId: id, ...shapes });
  return shapes.after;
}
