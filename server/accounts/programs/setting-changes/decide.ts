// A pending change can be approved by another person or cancelled with any key; otherwise it takes effect after 72 hours.

import { sql } from 'kysely';
import { z } from 'zod';
import type { Tx } from '../../../context.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { recordValues } from '../../../platform/db/recorded-values.ts';
import { transact } from '../../../platform/db/transact.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import type { Actor } from '../../../platform/lib/actor.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { NotFound } from '../../../platform/lib/errors.ts';
import { forEachProgram } from '../../../platform/queue/each-program.ts';
import { job } from '../../../platform/queue/job.ts';
import { getProgram, ProgramShape, readProgramShape } from '../program.ts';
import { requireSecondPerson, secondApproverRequired, whoApproves } from '../second-person/require-second-person.ts';
import { Settings } from '../settings.ts';
import { settingChangeSlot } from './setting-change.ts';

export const approveSettingChange = endpoint({
  id: 'settingChanges.approve',
  route: 'POST /v1/programs/:programId/setting-changes/:id/approve',
  scope: 'write',
  requires: 'settings.write',
  isSensitive: true,
  movesMoney: true,
  tag: 'Program',
  summary: 'Approve a pending setting change',
  description: `The change takes effect immediately. ${whoApproves}`,
  path: { id: settingChangeSlot },
  body: z.object({}).meta({ id: 'ApproveSettingChange', example: {} }),
  statuses: [200],
  result: ProgramShape,
  errors: [secondApproverRequired],
  async handle(tx, { actor, params: { id } }) {
    const { programId } = actor;
    await getProgram(tx, programId, { lock: true });
    const change = await deletePendingChange(tx, programId, id);
    await requireSecondPerson(tx, actor, change);
    await applyChange(tx, programId, { field: change.field, value: change.value }, actor);
    return readProgramShape(tx, programId);
  },
});

export const cancelSettingChange = endpoint({
  id: 'settingChanges.cancel',
  route: 'POST /v1/programs/:programId/setting-changes/:id/cancel',
  scope: 'write',
  requires: 'settings.write',
  tag: 'Program',
  summary: 'Cancel a pending setting change',
  description: 'The setting keeps its current value.',
  path: { id: settingChangeSlot },
  body: z.object({}).meta({ id: 'CancelSettingChange', example: {} }),
  statuses: [200],
  result: ProgramShape,
  async handle(tx, { actor, params: { id } }) {
    const { programId } = actor;
    await getProgram(tx, programId, { lock: true });
    const { field, value } = await deletePendingChange(tx, programId, id);
    await recordChange(tx, { programId, actor, action: 'setting_change.cancelled', subjectId: programId, before: { [field]: value } });
    return readProgramShape(tx, programId);
  },
});

export const applySettingChanges = job<object>({
  name: 'programs.applySettingChanges',
  retries: 3,
  cron: '*/5 * * * *',
  async run(ctx) {
    await forEachProgram(ctx, {
      find: (scope) => sql`select distinct program_id from setting_changes where effective_at <= ${systemTime(ctx)} and ${scope}`,
      run: (programId) => transact(ctx, (tx) => applyEffective(tx, programId)),
    });
  },
});

async function applyEffective(tx: Tx, programId: string): Promise<void> {
  await getProgram(tx, programId, { lock: true });
  const changes = await tx.db
    .deleteFrom('settingChanges')
    .where('programId', '=', programId)
    .where('effectiveAt', '<=', systemTime(tx))
    .returning(['field', 'value'])
    .execute();
  for (const change of changes) await applyChange(tx, programId, change, { kind: 'schedule', id: 'programs.applySettingChanges' });
}

/** Deletes the pending change and returns it. */
async function deletePendingChange(tx: Tx, programId: string, id: string) {
  const changes = tx.db.deleteFrom('settingChanges').where('programId', '=', programId).where('id', '=', id);
  const change = await changes.returning(['field', 'value', 'requestedBy', 'requestedAt']).executeTakeFirst();
  if (!change) throw new NotFound();
  return change;
}

async function applyChange(tx: Tx, programId: string, { field, value }: { field: string; value: unknown }, actor: Actor): Promise<void> {
  const change = Settings.partial().parse({ [field]: value });
  const before = await getProgram(tx, programId);
  await tx.db.updateTable('programs').set(change).where('id', '=', programId).execute();
  await recordValues(tx, 'programs', programId, [programId]);
  const previous = Object.fromEntries(Object.entries(before).filter(([name]) => name in change));
  await recordChange(tx, { programId, actor, action: 'program.updated', subjectId: programId, before: previous, after: change });
}
