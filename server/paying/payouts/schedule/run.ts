// Prepares the batch of a payday. The row of its period is inserted first, and its primary key decides: of several processes, one
// runs the period, and the batch commits with the row or not at all. What prevents a batch leaves no row, so it is caught up.
import { sql } from 'kysely';
import { lockPrograms } from '../../../accounts/programs/lock-program.ts';
import { getProgram, type Program } from '../../../accounts/programs/program.ts';
import type { Context, Tx } from '../../../context.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { listRestores } from '../../../platform/db/cluster/node-restores.ts';
import { readDatabaseIdentity } from '../../../platform/db/database-identity.ts';
import { continueAfterFailover } from '../../../platform/db/hosts/heartbeat.ts';
import { extendStatementTimeout } from '../../../platform/db/statement-timeout.ts';
import { transact } from '../../../platform/db/transact.ts';
import { ApiError, NothingToDo } from '../../../platform/lib/errors.ts';
import { forEachProgram } from '../../../platform/queue/each-program.ts';
import { job } from '../../../platform/queue/job.ts';
import { needsSecondApproval } from '../batches/second-approval.ts';
import { type ApprovalRule, Dispatch, dispatch } from '../dispatch.ts';
import { findProvider, isAboveLimit } from './describe.ts';
import { notifyApprovers } from './notify.ts';
import { findPaydays, type Payday } from './payday.ts';
import { type BlockedReason, findSchedule, listRanPeriods, type StoredSchedule, toPaydayRule } from './schedule.ts';

const actor = { kind: 'schedule' as const, id: 'payouts.runSchedules' };

export const runPayoutSchedules = job<object>({
  name: actor.id,
  retries: 0,
  cron: '*/5 * * * *',
  async run(ctx) {
    const identity = await readDatabaseIdentity(ctx);
    const onRestoredNodes = [...(await listRestores(ctx)).keys()];
    await forEachProgram(ctx, {
      // A database that was restored is noticed now, so that only paydays before it are skipped.
      find: (scope, now) => sql`
        select program_id from payout_schedules as schedule join programs as program on program.id = program_id
        where is_active and program.delete_after is null and ${scope}
          and (next_run_at <= ${now} or schedule.timezone <> program.timezone or database_identity <> ${identity}
            or program_id = any(${onRestoredNodes}::uuid[]))`,
      run: (programId, own) => runSchedule(own, programId),
    });
  },
});

/** Runs the payday that is due, if any, and stores when the next one is. */
export function runSchedule(ctx: Context, programId: string): Promise<void> {
  return transact(ctx, async (tx) => {
    await extendStatementTimeout(tx);
    await lockPrograms(tx, [programId]);
    const program = await getProgram(tx, programId);
    const schedule = await findSchedule(tx, programId);
    if (!schedule?.isActive || program.deleteAfter !== null) return;
    const rule = toPaydayRule(schedule, program.timezone);
    const [now, ran] = [tx.clock.now(), await listRanPeriods(tx, programId)];
    const { due, next } = findPaydays(rule, { now, after: schedule.paydaysAfter, ran });
    await continueAfterFailover(tx, tx.heartbeat?.last() ?? null);
    const databaseIdentity = await readDatabaseIdentity(tx, programId);
    const isRestored = databaseIdentity !== schedule.databaseIdentity;
    const hasRun = due && (isRestored ? await skip(tx, program, due) : await run(tx, { program, schedule, payday: due }));
    const passed = hasRun ? { paydaysAfter: now, blockedPeriod: null } : {};
    const nextRunAt = due && !hasRun ? due.startsAt : next.startsAt;
    const row = { nextRunAt, timezone: program.timezone, databaseIdentity, ...passed };
    await tx.db.updateTable('payoutSchedules').set(row).where('programId', '=', programId).execute();
  });
}

/** The database that was backed up may have paid this period after the backup. */
async function skip(tx: Tx, { id: programId, name, currency }: Program, payday: Payday): Promise<true> {
  const { period } = payday;
  if (!(await startPeriod(tx, programId, { payday, outcome: 'skipped' }))) return true;
  const changeId = await recordChange(tx, { programId, actor, action: 'payout_schedule.skipped', subjectId: programId, after: { period } });
  await notifyApprovers(tx, { programId, changeId, name, currency }, { event: 'skipped', payday });
  return true;
}

type Run = { program: Program; schedule: StoredSchedule; payday: Payday };

/** Whether the period has run. A reason that prevents it is returned by a dispatch that writes nothing but a lock of payouts. */
async function run(tx: Tx, { program, schedule, payday }: Run): Promise<boolean> {
  const { id: programId, name, currency } = program;
  const isOwn = await startPeriod(tx, programId, { payday, outcome: 'nothing_due' });
  if (!isOwn) return true;
  const provider = await findProvider(tx, programId);
  let needsSecond = false;
  const approval: ApprovalRule = async (own, id, totalCents) => {
    needsSecond = await needsSecondApproval(own, id, totalCents);
    return needsSecond || isAboveLimit(program, totalCents);
  };
  const result = provider ? await dispatch(tx, { ...actor, programId }, Dispatch.parse({}), approval) : null;
  if (result === null || (result instanceof ApiError && !(result instanceof NothingToDo))) {
    await block(tx, { program, schedule, payday }, toReason(result));
    return false;
  }
  const { period } = payday;
  const batch = result instanceof ApiError ? null : result.body.batch;
  const after = { period, totalCents: batch?.totalCents ?? 0 };
  const changeId = await recordChange(tx, { programId, actor, action: 'payout_schedule.ran', subjectId: programId, after });
  if (batch === null || batch.id === null) return true;
  const { id: batchId, totalCents, payoutCount, needsApproval } = batch;
  const stored = { outcome: 'dispatched', batchId, requestedById: needsSecond ? schedule.changedById : null };
  await tx.db.updateTable('payoutScheduleRuns').set(stored).where('programId', '=', programId).where('period', '=', period).execute();
  const event = needsApproval ? 'awaiting_approval' : provider?.isAutomatic ? 'sent' : 'to_pay';
  await notifyApprovers(tx, { programId, changeId, name, currency }, { event, payday, batchId, totalCents, payoutCount });
  return true;
}

type Started = { payday: Payday; outcome: 'nothing_due' | 'skipped' };

/** False if the period has run before. A process that is running it is waited for. */
async function startPeriod(tx: Tx, programId: string, { payday: { period, payOn }, outcome }: Started): Promise<boolean> {
  const runs = tx.db.insertInto('payoutScheduleRuns').values({ programId, period, payOn, outcome, startedAt: tx.clock.now() });
  const { numInsertedOrUpdatedRows = 0n } = await runs.onConflict((conflict) => conflict.doNothing()).executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows > 0n;
}

/** Leaves the period to a later run, and informs the approvers once. */
async function block(tx: Tx, { program, schedule, payday }: Run, reason: BlockedReason): Promise<void> {
  const { id: programId, name, currency } = program;
  const { period } = payday;
  await tx.db.deleteFrom('payoutScheduleRuns').where('programId', '=', programId).where('period', '=', period).execute();
  if (schedule.blockedPeriod === period) return;
  await tx.db.updateTable('payoutSchedules').set({ blockedPeriod: period }).where('programId', '=', programId).execute();
  const after = { period, reason };
  const changeId = await recordChange(tx, { programId, actor, action: 'payout_schedule.blocked', subjectId: programId, after });
  await notifyApprovers(tx, { programId, changeId, name, currency }, { event: 'blocked', payday, reason });
}

function toReason(error: ApiError | null): BlockedReason {
  if (error === null) return 'provider_unavailable';
  if (error.code === 'import_unfinished') return 'import_unfinished';
  if (error.code === 'reconciliation_required') return 'payouts_locked';
  throw error;
}
