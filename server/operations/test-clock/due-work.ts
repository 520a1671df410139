// TABLE OF CONTENTS: what is done in a program when it is due, in the order in which it is done at one moment. Deletions after a
// number of days are missing: they follow the real time. `next-due.ts` says when the next moment is.
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { checkProgram } from '../../earning/bounties/awarding/run.ts';
import { matureDue } from '../../earning/commissions/mature.ts';
import { applyDecision } from '../../earning/pending-decisions/apply.ts';
import { startMonth } from '../../earning/statements/email-statements.ts';
import { sendEmail } from '../../messaging/emails/send.ts';
import { startDue } from '../../partners/announcements/start-due.ts';
import { moveProgram } from '../../partners/groups/moves/move-by-volume.ts';
import { openStatuses } from '../../paying/payouts/payout.ts';
import { compareDaily } from '../../paying/payouts/reconcile/reconcile.ts';
import { runSchedule } from '../../paying/payouts/schedule/run.ts';
import { followUp } from '../../paying/payouts/send/follow-up.ts';
import { transact } from '../../platform/db/transact.ts';
import { localDate } from '../../platform/lib/zoned-time.ts';
import { markLeaks } from '../../promotion/coupons/detect-leaks.ts';
import { watchProgram } from '../../stores/commerce/watch-stores.ts';
import { processDueEvents, wakeCredited } from '../../stores/inbox/process-events.ts';
import { watchProgramAlerts } from '../alerts/watch.ts';

type Program = { id: string; timezone: string };

type Work = (ctx: Context, program: Program) => Promise<unknown>;

/** What is due now, read in one statement: most moments have only one kind of it. */
type Due = {
  commissions: boolean;
  schedule: boolean;
  decisions: boolean;
  events: boolean;
  payouts: boolean;
  emails: boolean;
  announcements: boolean;
};

/** What is done whenever it is due. */
export const dueWork: readonly (readonly [keyof Due, Work])[] = [
  ['commissions', (ctx, { id }) => matureDue(ctx, id)],
  ['schedule', (ctx, { id }) => runSchedule(ctx, id)],
  ['decisions', applyDecisions],
  ['events', (ctx, { id }) => processDueEvents(ctx, id)],
  ['payouts', (ctx, { id }) => followUp(ctx, id)],
  ['announcements', (ctx, { id }) => startDue(ctx, id)],
  ['emails', sendDueEmails],
];

/** What is done once a day. */
export const dailyWork: readonly Work[] = [
  (ctx, { id }) => checkProgram(id, ctx),
  (ctx, { id, timezone }) => startMonth(ctx, { programId: id, timezone }),
  (ctx, { id }) => moveProgram(id, ctx),
  (ctx, { id }) => compareDaily(ctx, id),
  (ctx, { id }) => wakeCredited(ctx, id),
  (ctx, { id }) => watchProgram(ctx, id),
  (ctx, { id }) => transact(ctx, (tx) => markLeaks(tx, id)),
  (ctx, { id }) => watchProgramAlerts(ctx, id),
];

/** Does what is due now. Work that fails is logged and left: its schedule repeats it. `lastDay` is the day of the last call. */
export async function doDueWork(ctx: Context, program: Program, lastDay: string): Promise<string> {
  const day = localDate(ctx.clock.now(), program.timezone);
  const due = await readDue(ctx, program.id);
  const found = dueWork.flatMap(([kind, work]) => (due[kind] ? [work] : []));
  for (const work of day === lastDay ? found : [...found, ...dailyWork])
    await work(ctx, program).catch((error: unknown) => ctx.log.error({ err: error, programId: program.id }, 'failed to do what is due'));
  return day;
}

async function readDue({ db, clock }: Context, programId: string): Promise<Due> {
  const now = clock.now();
  const { rows } = await sql<Due>`
    select
      exists (select from commissions where program_id = ${programId} and status = 'pending' and matures_at <= ${now}) as commissions,
      exists (select from payout_schedules where program_id = ${programId} and next_run_at <= ${now}) as schedule,
      exists (select from pending_decisions where program_id = ${programId} and outcome is null and apply_at <= ${now}) as decisions,
      exists (select from provider_events
        where program_id = ${programId} and status in ('received', 'waiting') and next_attempt_at <= ${now}) as events,
      exists (select from payouts
        where program_id = ${programId} and status = any(${[...openStatuses]}) and coalesce(next_check_at, ${now}) <= ${now}) as payouts,
      exists (select from announcements where program_id = ${programId} and status = 'scheduled' and send_at <= ${now}) as announcements,
      exists (select from emails
        where program_id = ${programId} and status = 'queued' and sending_at is null and not_before <= ${now}) as emails`.execute(db);
  const [due] = rows;
  if (!due) throw new Error('Nothing was read.');
  return due;
}

/** Decisions that can no longer be undone. Their jobs wait for the real time. */
async function applyDecisions(ctx: Context, { id: programId }: Program): Promise<void> {
  const decisions = ctx.db.selectFrom('pendingDecisions').select('id').where('programId', '=', programId).where('outcome', 'is', null);
  for (const { id } of await decisions.where('applyAt', '<=', ctx.clock.now()).orderBy('applyAt').execute())
    await applyDecision.run(ctx, { programId, id }, { isLast: false });
}

/** Emails whose change can no longer be undone. Their jobs wait for the real time. */
async function sendDueEmails(ctx: Context, { id: programId }: Program): Promise<void> {
  if (!ctx.mailer) return;
  const { rows } = await sql<{ id: string }>`
    select id from emails where program_id = ${programId} and status = 'queued' and sending_at is null and not_before <= ${ctx.clock.now()}
    order by not_before, id`.execute(ctx.db);
  for (const { id } of rows) await sendEmail.run(ctx, { programId, emailId: id }, { isLast: false });
}
