// What will be owed, and when: for the cash that a brand has to keep ready.
import { sql } from 'kysely';
import { z } from 'zod';
import { getProgram } from '../../accounts/programs/program.ts';
import type { Context } from '../../context.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { centsOut, timestampOut, wholeNumber } from '../../platform/http/declaration/fields.ts';
import { addDays, localDate, startOfDay } from '../../platform/lib/zoned-time.ts';

const Day = z.object({
  date: z.string().describe("In the program's time zone."),
  maturingCents: centsOut.describe('What becomes payable on this day.'),
  owedCents: centsOut.describe('All that is payable by the end of it, if nothing is paid before.'),
});

export const forecastPayouts = endpoint({
  id: 'payouts.forecast',
  route: 'GET /v1/programs/:programId/payouts/forecast',
  scope: 'read',
  tag: 'Payouts',
  summary: 'What is owed, and when it matures',
  description: "In the program's currency. Does not include future orders or refunds.",
  query: z.object({ days: wholeNumber({ min: 1, max: 366, fallback: 90 }).describe('How far to look ahead.') }),
  statuses: [200],
  result: z
    .object({
      asOf: timestampOut,
      currency: z.string(),
      timezone: z.string().describe('The time zone of the days.'),
      payableCents: centsOut.describe('What has matured and is owed to affiliates with a balance above 0.'),
      debtCents: centsOut.describe('What affiliates owe back (0 or more); their next payouts net it.'),
      inTransitCents: centsOut.describe('On its way to affiliates.'),
      heldCents: centsOut.describe('Held back; it has no day.'),
      laterCents: centsOut.describe('Matures after the last day shown.'),
      days: z.array(Day),
    })
    .meta({ id: 'PayoutForecast' }),
  async handle(ctx, { actor: { programId }, query: { days } }) {
    const now = ctx.clock.now();
    const { currency, timezone } = await getProgram(ctx, programId);
    const standing = await readStanding(ctx, programId);
    const today = localDate(now, timezone);
    const dates = Array.from({ length: days }, (_, index) => addDays(today, index));
    const ends = dates.map((date) => startOfDay(addDays(date, 1), timezone));
    const maturing = await readMaturing(ctx, programId, { now, ends });
    let owedCents = standing.payableCents;
    const shown = dates.map((date, index) => {
      const maturingCents = maturing.get(index) ?? 0;
      owedCents += maturingCents;
      return { date, maturingCents, owedCents };
    });
    return { asOf: now.toISOString(), currency, timezone, ...standing, laterCents: maturing.get(days) ?? 0, days: shown };
  },
});

async function readStanding(ctx: Context, programId: string) {
  const { rows } = await sql<{ payableCents: number; debtCents: number; inTransitCents: number; heldCents: number }>`
    select coalesce(sum(greatest(available_cents, 0)), 0)::bigint as payable_cents, coalesce(sum(greatest(-available_cents, 0)), 0)::bigint as debt_cents,
      coalesce(sum(in_transit_cents), 0)::bigint as in_transit_cents,
      (select coalesce(sum(amount_cents - reversed_cents - settled_cents), 0)::bigint from commissions
        where program_id = ${programId} and status = 'held') as held_cents
    from ledger_balances where program_id = ${programId}`.execute(ctx.db);
  return rows[0] ?? { payableCents: 0, debtCents: 0, inTransitCents: 0, heldCents: 0 };
}

/**
 * By day from 0; everything after the last day is counted for the day after it. What should have matured already, and will
 * with the next run of the schedule, counts for today.
 */
async function readMaturing(ctx: Context, programId: string, { now, ends }: { now: Date; ends: Date[] }): Promise<Map<number, number>> {
  const { rows } = await sql<{ day: number; cents: number }>`
    select width_bucket(greatest(matures_at, ${now}), ${ends}::timestamptz[]) as day,
      sum(amount_cents - reversed_cents - settled_cents)::bigint as cents
    from commissions where program_id = ${programId} and status = 'pending' group by 1`.execute(ctx.db);
  return new Map(rows.map(({ day, cents }) => [day, cents]));
}
