// The schedule as the API returns it, with what the next run would do if it were now.
import type { z } from 'zod';
import { getProgram, type Program } from '../../../accounts/programs/program.ts';
import type { Context } from '../../../context.ts';
import { ApiError } from '../../../platform/lib/errors.ts';
import { needsSecondApproval } from '../batches/second-approval.ts';
import { type ChosenProvider, chooseProvider } from '../choose-provider.ts';
import { sumDue } from '../due/find-due.ts';
import { findStoredLock } from '../lock.ts';
import { findUnfinishedImports } from '../record-past-payouts.ts';
import { findPaydays, type Payday } from './payday.ts';
import {
  type BlockedReason,
  defaults,
  findSchedule,
  listRanPeriods,
  type NextRun,
  Outcome,
  ScheduleSettings,
  type ScheduleShape,
  type StoredSchedule,
  toPaydayRule,
} from './schedule.ts';

type Ctx = Pick<Context, 'db' | 'allProgramsDb' | 'clock'>;

export async function readSchedule(ctx: Ctx, programId: string): Promise<z.input<typeof ScheduleShape>> {
  const program = await getProgram(ctx, programId);
  const stored = await findSchedule(ctx, programId);
  const payday = stored?.isActive ? await findPayday(ctx, program, stored) : null;
  return {
    ...ScheduleSettings.parse(stored ?? defaults),
    timezone: program.timezone,
    currency: program.currency,
    limitCents: program.scheduledPayoutLimitCents,
    next: payday === null ? null : await describeRun(ctx, program, payday),
    last: await findLastRun(ctx, programId),
    updatedAt: stored?.updatedAt.toISOString() ?? null,
  };
}

/** The payday that is due, or the next one. */
async function findPayday(ctx: Ctx, program: Program, stored: StoredSchedule): Promise<Payday> {
  const ran = await listRanPeriods(ctx, program.id);
  const { due, next } = findPaydays(toPaydayRule(stored, program.timezone), { now: ctx.clock.now(), after: stored.paydaysAfter, ran });
  return due ?? next;
}

/** What is payable at the time of the run, by what is known now. */
async function describeRun(ctx: Ctx, program: Program, { period, payOn, startsAt }: Payday): Promise<NextRun> {
  const at = new Date(Math.max(startsAt.getTime(), ctx.clock.now().getTime()));
  const then = { db: ctx.db, clock: { now: () => at } };
  const provider = await findProvider(ctx, program.id);
  const { affiliates, amountCents } = provider ? await sumDue(then, program.id, provider) : { affiliates: 0, amountCents: 0 };
  return {
    period,
    payOn,
    startsAt: startsAt.toISOString(),
    affiliateCount: affiliates,
    amountCents,
    needsApproval: isAboveLimit(program, amountCents) || (await needsSecondApproval(then, program.id, amountCents)),
    isAutomatic: provider?.isAutomatic ?? false,
    blockedReason: provider ? await findBlock(ctx, program.id) : 'provider_unavailable',
  };
}

/** Whether a batch of the schedule is larger than what two people allowed it to send. */
export function isAboveLimit(
  { scheduledPayoutLimitCents: limit }: Pick<Program, 'scheduledPayoutLimitCents'>,
  totalCents: number,
): boolean {
  return limit === null || totalCents > limit;
}

/** The default payout provider; null if it can't pay. */
export async function findProvider(ctx: Pick<Context, 'db' | 'clock'>, programId: string): Promise<ChosenProvider | null> {
  try {
    return await chooseProvider(ctx, programId, undefined);
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

async function findBlock(ctx: Ctx, programId: string): Promise<BlockedReason | null> {
  if ((await findStoredLock(ctx, programId)).lockReason !== null) return 'payouts_locked';
  return (await findUnfinishedImports(ctx, programId)).length > 0 ? 'import_unfinished' : null;
}

async function findLastRun({ db }: Ctx, programId: string): Promise<z.input<typeof ScheduleShape>['last']> {
  const runs = db.selectFrom('payoutScheduleRuns').selectAll().where('programId', '=', programId);
  const run = await runs.orderBy('startedAt', 'desc').orderBy('period', 'desc').limit(1).executeTakeFirst();
  if (!run) return null;
  const { period, payOn, outcome, batchId, startedAt } = run;
  return { period, payOn, outcome: Outcome.parse(outcome), batchId, startedAt: startedAt.toISOString() };
}
