// The payout schedule of a program: when its batches are prepared. A program without a row has the defaults, switched off.
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { centsOut, countOut, currencyOut, dayIn, dayOut, timestampOut, uuidOut } from '../../../platform/http/declaration/fields.ts';
import type { PaydayRule } from './payday.ts';

const maxHolidays = 100;

function numberFrom(min: number, max: number) {
  const range = `must be a whole number from ${min} to ${max}`;
  return z.int(range).min(min, range).max(max, range);
}

const Frequency = z.enum(['monthly', 'weekly']).meta({ id: 'PayoutFrequency' });
const Shift = z.enum(['none', 'before', 'after']).meta({ id: 'PaydayShift' });

const isActive = z.boolean().describe('Whether batches are prepared.');
const dayOfMonth = 'The day of a monthly payday. Months that are shorter have it on their last day.';
const dayOfWeek = 'The day of a weekly payday: 1 (Monday) to 7 (Sunday).';
const hour = 'The hour at which batches are prepared, in the time zone of the program.';
const shift =
  'Where a payday on a Saturday, a Sunday or a holiday moves: the last workday before, the first one after, or `none` to leave it.';
const holidays = 'Days that are no workdays, in addition to weekends.';

export const ScheduleSettings = z.object({
  isActive,
  frequency: Frequency.describe('How often there is a payday.'),
  dayOfMonth: numberFrom(1, 31).describe(dayOfMonth),
  dayOfWeek: numberFrom(1, 7).describe(dayOfWeek),
  hour: numberFrom(0, 23).describe(hour),
  shift: Shift.describe(shift),
  holidays: z
    .array(dayIn)
    .max(maxHolidays)
    .transform((days) => [...new Set(days)].sort())
    .describe(holidays)
    .meta({ json: { type: 'array', maxItems: maxHolidays, items: { type: 'string', format: 'date' } } }),
});
export type ScheduleSettings = z.output<typeof ScheduleSettings>;

export const defaults: ScheduleSettings = {
  isActive: false,
  frequency: 'monthly',
  dayOfMonth: 1,
  dayOfWeek: 1,
  hour: 9,
  shift: 'after',
  holidays: [],
};

export const BlockedReason = z
  .enum(['payouts_locked', 'provider_unavailable', 'import_unfinished'])
  .describe(
    '`payouts_locked`: payouts must be reconciled first. `provider_unavailable`: the default payout provider can’t pay. ' +
      '`import_unfinished`: an import of the history of another system has not finished.',
  )
  .meta({ id: 'PayoutScheduleBlock' });
export type BlockedReason = z.infer<typeof BlockedReason>;

const period = z.string().describe('The month (`2026-11`) or ISO week (`2026-W47`) that the batch is for. Each has one batch at most.');
const payOn = dayOut.describe('The payday, in the time zone of the program.');

const NextRun = z
  .object({
    period,
    payOn,
    startsAt: timestampOut.describe(
      'When the batch is prepared. In the past: it is overdue, and is prepared as soon as nothing prevents it.',
    ),
    affiliateCount: countOut.describe('How many affiliates would be paid.'),
    amountCents: centsOut.describe('What would be paid. Does not include future orders or refunds.'),
    needsApproval: z.boolean().describe('Whether a batch of this amount would await approval.'),
    isAutomatic: z
      .boolean()
      .describe('Whether the payout provider sends the payouts. Otherwise the batch is paid manually or from a file.'),
    blockedReason: BlockedReason.nullable().describe('What would prevent the batch now.'),
  })
  .meta({ id: 'NextScheduledPayout' });
export type NextRun = z.input<typeof NextRun>;

export const Outcome = z
  .enum(['dispatched', 'nothing_due', 'skipped'])
  .describe('`skipped`: the database was restored from a backup after the payday, so the payouts may have been sent before.')
  .meta({ id: 'PayoutScheduleOutcome' });

const LastRun = z
  .object({
    period,
    payOn,
    outcome: Outcome,
    batchId: uuidOut.nullable().describe('The batch, if payouts were due.'),
    startedAt: timestampOut.describe('When the schedule ran.'),
  })
  .meta({ id: 'LastScheduledPayout' });

export const ScheduleShape = z
  .object({
    isActive,
    frequency: Frequency.describe('How often there is a payday.'),
    dayOfMonth: countOut.describe(dayOfMonth),
    dayOfWeek: countOut.describe(dayOfWeek),
    hour: countOut.describe(hour),
    shift: Shift.describe(shift),
    holidays: z.array(dayOut).describe(holidays),
    timezone: z.string().describe('The time zone of the program.'),
    currency: currencyOut,
    limitCents: centsOut
      .nullable()
      .describe('`scheduledPayoutLimitCents` of the program: batches up to this amount are sent without an approval. Null: none is.'),
    next: NextRun.nullable().describe('The next batch; null if the schedule is not active.'),
    last: LastRun.nullable().describe('The last run; null before the first one.'),
    updatedAt: timestampOut.nullable().describe('When it was last changed; null if it never was.'),
  })
  .meta({
    id: 'PayoutSchedule',
    example: {
      isActive: true,
      frequency: 'monthly',
      dayOfMonth: 1,
      dayOfWeek: 1,
      hour: 9,
      shift: 'after',
      holidays: ['2026-12-25'],
      timezone: 'America/New_York',
      currency: 'USD',
      limitCents: null,
      next: {
        period: '2026-12',
        payOn: '2026-12-01',
        startsAt: '2026-12-01T14:00:00.000Z',
        affiliateCount: 3,
        amountCents: 35_250,
        needsApproval: true,
        isAutomatic: true,
        blockedReason: null,
      },
      last: {
        period: '2026-11',
        payOn: '2026-11-02',
        outcome: 'dispatched',
        batchId: '01980a7c-2f90-7a13-9b2c-4d5e6f708192',
        startedAt: '2026-11-02T14:00:12.000Z',
      },
      updatedAt: '2026-10-12T08:30:00.000Z',
    },
  });

/** A schedule as it is stored. `paydaysAfter`: paydays until then never run. */
export type StoredSchedule = ScheduleSettings & {
  timezone: string;
  paydaysAfter: Date;
  nextRunAt: Date | null;
  databaseIdentity: string;
  blockedPeriod: string | null;
  changedById: string;
  updatedAt: Date;
};

/** The schedule of a program; null if it was never changed. */
export async function findSchedule({ db }: Pick<Context, 'db'>, programId: string): Promise<StoredSchedule | null> {
  const row = await db.selectFrom('payoutSchedules').selectAll().where('programId', '=', programId).executeTakeFirst();
  if (!row) return null;
  const { programId: _program, ...schedule } = row;
  return { ...schedule, frequency: Frequency.parse(row.frequency), shift: Shift.parse(row.shift) };
}

/** When the schedule pays, in the present time zone of its program. */
export function toPaydayRule({ frequency, dayOfMonth, dayOfWeek, hour, shift, holidays }: ScheduleSettings, timezone: string): PaydayRule {
  return { frequency, dayOfMonth, dayOfWeek, hour, shift, holidays, timezone };
}

/** The last periods for which the schedule ran: more than the paydays that are looked at. */
export async function listRanPeriods({ db }: Pick<Context, 'db'>, programId: string): Promise<Set<string>> {
  const runs = db.selectFrom('payoutScheduleRuns').select('period').where('programId', '=', programId);
  return new Set((await runs.orderBy('payOn', 'desc').limit(60).execute()).map(({ period }) => period));
}
