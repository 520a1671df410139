// Advances the clock of a program: from one due time to the next, so that everything happens in its order. At each, what is due is
// done, then the jobs that this caused, then the webhooks, until nothing is left; only then does the clock move on.
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { deliverDue } from '../../messaging/webhooks/dispatch/dispatcher.ts';
import { transact } from '../../platform/db/transact.ts';
import { localDate } from '../../platform/lib/zoned-time.ts';
import { type Job, job } from '../../platform/queue/job.ts';
import type { AnyJob } from '../../platform/queue/queue.ts';
import { runWaitingJobs } from '../../platform/queue/run-waiting-jobs.ts';
import { toProgramContext } from '../../platform/test-clocks/program-clock.ts';
import { endAdvance, findTestClock, moveClock } from '../../platform/test-clocks/write-clock.ts';
import { type AdvanceJob, advanceJob } from './advance.ts';
import { doDueWork } from './due-work.ts';
import { findNextDue } from './next-due.ts';

/** How long one run of the job works before it enqueues itself again: the queue would otherwise consider it lost. */
const maxRunMs = 60_000;
/** Rounds at one moment: a job can cause the next one. */
const maxRounds = 50;
const [waitStepMs, maxWaitMs] = [50, 10_000];

const stopped = 'The advance stopped because of an internal error.';

/** Declares the job. It runs jobs of `listJobs`, which contains it, so that the list is read later. */
export function createAdvanceJob(listJobs: () => readonly AnyJob[]): Job<AdvanceJob> {
  return job({
    ...advanceJob,
    retries: 5,
    heartbeatSeconds: 15,
    isOutgoing: true,
    async run(ctx, advance, { isLast }) {
      try {
        const isDone = await runAdvance(ctx, advance, listJobs());
        if (!isDone) await transact(ctx, (tx) => tx.jobs.enqueue(tx, advanceJob, advance));
      } catch (error) {
        if (isLast) await transact(ctx, (tx) => endAdvance(tx, advance, stopped));
        throw error;
      }
    },
  });
}

/** Advances for up to a minute. True once the advance has ended. */
async function runAdvance(base: Context, advance: AdvanceJob, jobs: readonly AnyJob[]): Promise<boolean> {
  const { programId } = advance;
  const startedAt = performance.now();
  // The context of the job has the clock as it was when the job started.
  const ctx = toSystemContext(base);
  const programs = ctx.db.selectFrom('programs').select(['id', 'timezone']).where('id', '=', programId);
  const program = await programs.executeTakeFirstOrThrow();
  await waitUntil(() => hasNoQueuedJobs(ctx, programId));
  let own = await toProgramContext(ctx, programId);
  let lastDay = localDate(own.clock.now(), program.timezone);
  // Each run moves the clock at least once, however slow it is.
  let hasMoved = false;
  for (;;) {
    lastDay = await settle(own, program, { jobs, lastDay });
    await waitUntil(() => hasNoneInProgress(ctx, programId));
    const clock = await findTestClock(ctx, programId);
    if (clock?.advanceId !== advance.advanceId || clock.targetAt === null) return true;
    if (own.clock.now() >= clock.targetAt) {
      await transact(ctx, (tx) => endAdvance(tx, advance, null));
      return true;
    }
    if (hasMoved && performance.now() - startedAt > maxRunMs) return false;
    const nextDue = await findNextDue(own, programId);
    const nextAt = nextDue < clock.targetAt ? nextDue : clock.targetAt;
    hasMoved = await transact(ctx, (tx) => moveClock(tx, advance, nextAt));
    own = await toProgramContext(ctx, programId);
  }
}

type Settled = { jobs: readonly AnyJob[]; lastDay: string };

/** Does what is due now, and everything that follows from it. Returns the day in the program. */
async function settle(own: Context, program: { id: string; timezone: string }, { jobs, lastDay }: Settled): Promise<string> {
  const failed = new Set<string>();
  let day = lastDay;
  for (let round = 0; round < maxRounds; round += 1) {
    day = await doDueWork(own, program, day);
    const ran = await runWaitingJobs(own, program.id, { jobs, failed });
    const delivered = (await hasWebhooks(own, program.id)) ? await deliverDue(toSystemContext(own), program.id) : 0;
    if (ran + delivered === 0) break;
  }
  return day;
}

async function hasWebhooks({ db }: Context, programId: string): Promise<boolean> {
  const webhooks = db.selectFrom('webhooks').select('id').where('programId', '=', programId).where('status', '=', 'active');
  return (await webhooks.where('deletedAt', 'is', null).limit(1).executeTakeFirst()) !== undefined;
}

/** The context with the clock of the system, from which that of the program is read again. */
function toSystemContext({ holdClock: _held, ...own }: Context): Context {
  return { ...own, clock: own.clock.system ?? own.clock };
}

/** Whether the queue has none of the program's jobs: those that it got before the advance finish first. */
async function hasNoQueuedJobs({ db }: Context, programId: string): Promise<boolean> {
  const { rows } = await sql`
    select from pgboss.job where state in ('created', 'retry', 'active') and name <> ${advanceJob.name}
      and start_after <= current_timestamp and data ->> 'programId' = ${programId} limit 1`.execute(db);
  return rows.length === 0;
}

/** Whether no process is calling a provider or a webhook of the program. */
async function hasNoneInProgress({ db }: Context, programId: string): Promise<boolean> {
  const { rows } = await sql<{ isBusy: boolean }>`
    select exists (select from payouts where program_id = ${programId} and status = 'sending')
      or exists (select from webhook_deliveries where program_id = ${programId} and status = 'sending') as is_busy`.execute(db);
  return !rows[0]?.isBusy;
}

/** Waits for what other processes do. It may never end, if a process was killed, so that the clock then moves on. */
async function waitUntil(isReached: () => Promise<boolean>): Promise<void> {
  for (let waitedMs = 0; waitedMs < maxWaitMs && !(await isReached()); waitedMs += waitStepMs) await sleep(waitStepMs);
}
