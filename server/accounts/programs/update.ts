// Settings take effect immediately, except those that make payouts less safe (setting-changes/).

import type { Tx } from '../../context.ts';
import { difference } from '../../platform/audit/difference.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { recordValues } from '../../platform/db/recorded-values.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { Invalid } from '../../platform/lib/errors.ts';
import { jobName } from '../../platform/queue/job.ts';
import { getProgram, type Program, ProgramShape, readProgramShape, versionOf } from './program.ts';
import { notifySettingChangeJob } from './setting-changes/notify-job.ts';
import {
  deleteSettingChanges,
  type GuardedField,
  guardedFields,
  makesPayoutsLessSafe,
  requestSettingChange,
  waitHours,
} from './setting-changes/setting-change.ts';
import { Settings } from './settings.ts';
import { outdatedError, readVersion, requireVersion, versionHint } from './version.ts';

/** Fetches the rates of the last 90 days (earning/exchange-rates). */
const fetchEcbRates = jobName<{ programId?: string }>('exchangeRates.fetchEcb');

/**
 * Daily totals follow the time zone (partners/affiliates/totals). By the time the job starts, no process writes days of the
 * former time zone anymore.
 */
const rebuildDailyTotals = jobName<{ programId: string }>('daily_totals.rebuild');

export const updateProgram = endpoint({
  id: 'programs.update',
  route: 'PATCH /v1/programs/:programId',
  scope: 'write',
  requires: 'settings.write',
  tag: 'Program',
  summary: 'Update the program',
  description:
    'Omitted fields keep their value. Existing commissions keep the terms they were earned under. While `payoutApprovalCents` is ' +
    `set, a change that makes payouts less safe stays in \`pendingChanges\` until another person approves it, or for ${waitHours} hours. ${versionHint}`,
  body: Settings.partial().meta({ id: 'ProgramUpdate', example: { holdDays: 14, attributionWindowDays: 60 } }),
  statuses: [200],
  result: ProgramShape,
  errors: [outdatedError('stale_program', 'program')],
  async handle(tx, { actor, caller, body }) {
    const { programId } = actor;
    const program = await getProgram(tx, programId, { lock: true });
    const object = { programId, id: programId, version: versionOf(program), noun: 'program', code: 'stale_program' };
    await requireVersion(tx, object, readVersion(caller.headers['if-match']));
    requireOtherCurrencies(program, body);
    const waiting = guardedFields.filter((field) => body[field] !== undefined && makesPayoutsLessSafe(field, program, body));
    const sent = guardedFields.filter((field) => body[field] !== undefined && !waiting.includes(field));
    await deleteSettingChanges(tx, programId, sent);
    await requestChanges(tx, program, { fields: waiting, body, actor });
    const change = difference(program, without(body, waiting));
    if (change) {
      await tx.db.updateTable('programs').set(change.after).where('id', '=', programId).execute();
      await recordValues(tx, 'programs', programId, [programId]);
      await recordChange(tx, { programId, actor, action: 'program.updated', subjectId: programId, ...change });
      if (change.after.timezone !== undefined) await tx.jobs.enqueue(tx, rebuildDailyTotals, { programId }, { delaySeconds: 60 });
      if (change.after.exchangeRateSource === 'ecb') await tx.jobs.enqueue(tx, fetchEcbRates, { programId });
    }
    return readProgramShape(tx, programId);
  },
});

/** An affiliate who chose no other currency is paid in that of the program. */
function requireOtherCurrencies({ currency }: Program, { payoutCurrencies = [] }: Body): void {
  const own = payoutCurrencies.indexOf(currency);
  if (own >= 0)
    throw new Invalid([{ path: ['payoutCurrencies', String(own)], message: `must not be ${currency}, the currency of the program` }]);
}

type Body = { [Field in keyof Settings]?: Settings[Field] | undefined };

/** Notifies the program's contact by email (emails/setting-change.ts). */
async function requestChanges(tx: Tx, program: Program, { fields, body, actor }: { fields: GuardedField[]; body: Body; actor: Actor }) {
  const { id: programId } = program;
  for (const field of fields) {
    const isNew = await requestSettingChange(tx, { programId, field, value: body[field], requestedBy: actor.id });
    if (!isNew) continue;
    const [before, after] = [{ [field]: program[field] }, { [field]: body[field] }];
    const changeId = await recordChange(tx, { programId, actor, action: 'setting_change.requested', subjectId: programId, before, after });
    await tx.jobs.enqueue(tx, notifySettingChangeJob, { programId, changeId });
  }
}

function without(body: Body, fields: readonly GuardedField[]): Body {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !fields.some((field) => field === name)));
}
