// Updating a rule creates a new version; existing commissions refer to the version they were calculated with.

import { z } from 'zod';
import { outdatedError, readVersion, requireVersion } from '../../accounts/programs/version.ts';
import type { Tx } from '../../context.ts';
import { difference } from '../../platform/audit/difference.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { endpoint, type Principal } from '../../platform/http/declaration/endpoint.ts';
import { queueRateEmails } from './rates/email-rate-changes.ts';
import { RuleShape, RuleStatus, ruleSlot, toRuleShape } from './rule.ts';
import type { RuleRow } from './terms.ts';
import { announceRule, checkRule, notifyField, ruleFields, storeVersion, toColumns, toRuleInput } from './write-rule.ts';

type Optional<Schema> = z.ZodOptional<Schema extends z.ZodDefault<infer Inner> ? Inner : Schema extends z.ZodType ? Schema : never>;

/** The same fields, optional and without their defaults: an omitted field keeps its value. */
const optionalFields = Object.fromEntries(
  Object.entries(ruleFields).map(([name, schema]) => [name, (schema instanceof z.ZodDefault ? schema.unwrap() : schema).optional()]),
) as { [Name in keyof typeof ruleFields]: Optional<(typeof ruleFields)[Name]> };

const Change = z
  .object({
    ...optionalFields,
    status: RuleStatus.optional().describe('`archived`: the rule no longer applies to new orders.'),
    notifyAffiliates: notifyField,
  })
  .meta({ id: 'CommissionRuleUpdate', example: { rate: 12.5 } });

export const updateRule = endpoint({
  id: 'commissionRules.update',
  route: 'PATCH /v1/programs/:programId/commission-rules/:id',
  scope: 'write',
  requires: 'terms.write',
  tag: 'Commission rules',
  summary: 'Update a commission rule',
  description:
    'Omitted fields keep their value. Each change creates a version; existing commissions keep the version that they were ' +
    'calculated with. An order uses the version that was valid when the order occurred, even if the order is reported later or ' +
    'the rule has since been archived. To apply a change to earlier orders that have not been recorded yet, set `effectiveFrom` ' +
    'to a past time in the same request. With the `version` of the rule in an `If-Match` header, a change that was made in the ' +
    'meantime is not overwritten.',
  path: { id: ruleSlot },
  body: Change,
  statuses: [200],
  result: RuleShape,
  errors: [
    { status: 404, code: 'not_found', when: '`productId`, `groupId` or `affiliateId` was not found in this program.' },
    outdatedError('stale_rule', 'rule'),
  ],
  async handle(tx, { actor, caller, params, body }) {
    const row = await changeRule(tx, actor, { id: params.id, seen: readVersion(caller.headers['if-match']) }, body);
    return toRuleShape(row, { currency: actor.currency, at: tx.clock.now() });
  },
});

type Edited = { id: string; seen: string | undefined };

async function changeRule(
  tx: Tx,
  actor: Principal,
  { id, seen }: Edited,
  { notifyAffiliates, ...body }: z.output<typeof Change>,
): Promise<RuleRow> {
  const { programId } = actor;
  const rules = tx.db.selectFrom('commissionRules').selectAll().where('programId', '=', programId).where('id', '=', id);
  const before = await rules.forNoKeyUpdate().executeTakeFirstOrThrow();
  await requireVersion(tx, { programId, id, version: String(before.version), noun: 'rule', code: 'stale_rule' }, seen);
  const present = { ...toRuleInput(before), status: RuleStatus.parse(before.status) };
  const change = difference(present, body);
  const { status, ...wanted } = { ...present, ...change?.after };
  await checkRule(tx, programId, wanted);
  if (!change) return before;
  const after = await tx.db
    .updateTable('commissionRules')
    .set({ ...toColumns(wanted), status, version: before.version + 1, updatedAt: tx.clock.now() })
    .where('programId', '=', programId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await storeVersion(tx, after, { before, actor });
  const changeId = await recordChange(tx, { programId, actor, action: 'rule.updated', subjectId: id, ...change });
  await announceRule(tx, { programId, actor }, { rule: after, previous: change.before });
  if (notifyAffiliates) await queueRateEmails(tx, after, changeId);
  return after;
}
