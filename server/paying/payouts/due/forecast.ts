// What will be owed on which day, so that a program can keep the funds available.
import { sql } from 'kysely';
import { z } from 'zod';
import { getProgram } from '../../../accounts/programs/program.ts';
import type { Context } from '../../../context.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { centsOut, currencyOut, dayOut, timestampOut, wholeNumber } from '../../../platform/http/declaration/fields.ts';
import { addDays, localDate, startOfDay } from '../../../platform/lib/zoned-time.ts';

const Day = z.object({
  maturesOn: dayOut.describe("In the program's time zone."),
  maturingCents: centsOut.describe('Becomes payable on this day.'),
  owedCents: centsOut.describe('Payable by the end of this day, if nothing is paid before.'),
});

export const forecastPayouts = endpoint({
  id: 'payouts.forecast',
  route: 'GET /v1/programs/:programId/payouts/forecast',
  scope: 'read',
  tag: 'Payouts',
  summary: 'Forecast what becomes payable',
  description: "In the program's currency. Does not include future orders or refunds.",
  query: z.object({ days: wholeNumber({ min: 1, max: 366, fallback: 90 }).describe('The number of days to forecast.') }),
  statuses: [200],
  result: z
    .object({
      forecastAt: timestampOut,
      currency: currencyOut,
      timezone: z.string().describe('The time zone of the days.'),
      payableCents: centsOut.describe('Matured and owed to affiliates with a balance above 0.'),
      debtCents: centsOut.describe('Owed by affiliates (0 or more); their next payouts net it.'),
      inTransitCents: centsOut.describe('The amount in open payouts.'),
      heldCents: centsOut.describe('Held, and not included in any day.'),
      laterCents: centsOut.describe('Matures after the last day in `days`.'),
      days: z.array(Day),
    })
    .meta({
      id: 'PayoutForecast',
      example: {
        forecastAt: '2026-11-02T09:30:00.000Z',
        currency: 'USD',
        timezone: 'America/New_York',
        payableCents: 12_850,
        debtCents: 0,
        inTransitCents: 4_300,
        heldCents: 700,
        laterCents: 22_400,
        days: [{ maturesOn: '2026-11-02', maturingCents: 1_500, owedCents: 14_350 }],
      },
    }),
  async handle(ctx, { actor: { programId }, query: { days } }) {
    const now = ctx.clock.now();
    const { currency, timezone } = await getProgram(ctx, programId);
    const balances = await readBalances(ctx, programId);
    const today = localDate(now, timezone);
    const dates = Array.from({ length: days }, (_, index) => addDays(today, index));
    const ends = dates.map((date) => startOfDay(addDays(date, 1), timezone));
    const maturing = await readMaturing(ctx, programId, { now, ends });
    let owedCents = balances.payableCents;
    const forecast = dates.map((maturesOn, index) => {
      const maturingCents = maturing.get(index) ?? 0;
      owedCents += maturingCents;
      return { maturesOn, maturingCents, owedCents };
    });
    const laterCents = maturing.get(days) ?? 0;
    return { forecastAt: now.toISOString(), currency, timezone, ...balances, laterCents, days: forecast };
  },
});

async function readBalances(ctx: Context, programId: string) {
  const { rows } = await sql<{ payableCents: number; debtCents: number; inTransitCents: number; heldCents: number }>`
    select coalesce(sum(greatest(available_cents, 0)), 0)::bigint as payable_cents, coalesce(sum(greatest(-available_cents, 0)), 0)::bigint as debt_cents,
      coalesce(sum(in_transit_cents), 0)::bigint as in_transit_cents,
      (select coalesce(sum(amount_cents - reversed_cents - settled_cents), 0)::bigint from commissions
        where program_id = ${programId} and status = 'held') as held_cents
    from ledger_balances where program_id = ${programId}`.execute(ctx.db);
  return rows[0] ?? { payableCents: 0, debtCents: 0, inTransitCents: 0, heldCents: 0 };
}

/**
 * Amounts by the index of their day; the index after the last one contains everything later. What has matured already, but was
 * not updated by the schedule yet, is part of the first day.
 */
async function readMaturing(ctx: Context, programId: string, { now, ends }: { now: Date; ends: Date[] }): Promise<Map<number, number>> {
  const { rows } = await sql<{ day: number; cents: number }>`
    select width_bucket(greatest(matures_at, ${now}), ${ends}::timestamptz[]) as day,
      sum(amount_cents - reversed_cents - settled_cents)::bigint as cents
    from commissions where program_id = ${programId} and status = 'pending' group by 1`.execute(ctx.db);
  return new Map(rows.map(({ day, cents }) => [day, cents]));
}
