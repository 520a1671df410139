// What will be owed, and when: for the cash that a brand has to keep ready.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { endpoint } from '../http/endpoint.ts';
import { centsOut, timestampOut, wholeNumber } from '../http/fields.ts';
import { getProgram } from '../programs/program.ts';

const Day = z.object({
  date: z.string().describe('In UTC.'),
  maturingCents: centsOut.describe('What becomes payable on this day.'),
  owedCents: centsOut.describe('All that is payable by the end of it, if nothing is paid before.'),
});

export const forecastPayouts = endpoint({
  id: 'payouts.forecast',
  route: 'GET /v1/programs/:programId/payouts/forecast',
  scope: 'read',
  tag: 'Payouts',
  summary: 'What is owed, and when it matures',
  description: 'In the currency of the program, as things stand: refunds to come take from it, orders to come add to it.',
  query: z.object({ days: wholeNumber({ min: 1, max: 366, fallback: 90 }).describe('How far to look ahead.') }),
  statuses: [200],
  result: z
    .object({
      asOf: timestampOut,
      currency: z.string(),
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
    const { currency } = await getProgram(ctx, programId);
    const standing = await readStanding(ctx, programId);
    const maturing = await readMaturing(ctx, programId, now);
    const last = dayAfter(now, days - 1);
    let owedCents = standing.payableCents;
    const shown = Array.from({ length: days }, (_, index) => {
      const date = dayAfter(now, index);
      const maturingCents = maturing.get(date) ?? 0;
      owedCents += maturingCents;
      return { date, maturingCents, owedCents };
    });
    const laterCents = [...maturing].reduce((sum, [date, cents]) => (date > last ? sum + cents : sum), 0);
    return { asOf: now.toISOString(), currency, ...standing, laterCents, days: shown };
  },
});

function dayAfter(now: Date, days: number): string {
  return new Date(now.getTime() + days * 86_400_000).toISOString().slice(0, 10);
}

async function readStanding(ctx: Context, programId: string) {
  const { rows } = await sql<{ payableCents: number; debtCents: number; inTransitCents: number; heldCents: number }>`
    select coalesce(sum(greatest(available_cents, 0)), 0)::bigint as payable_cents, coalesce(sum(greatest(-available_cents, 0)), 0)::bigint as debt_cents,
      coalesce(sum(in_transit_cents), 0)::bigint as in_transit_cents,
      (select coalesce(sum(amount_cents - reversed_cents - settled_cents), 0)::bigint from commissions
        where program_id = ${programId} and status = 'held') as held_cents
    from ledger_balances where program_id = ${programId}`.execute(ctx.db);
  return rows[0] ?? { payableCents: 0, debtCents: 0, inTransitCents: 0, heldCents: 0 };
}

/** By day; what the schedule will mature in a moment counts for today. */
async function readMaturing(ctx: Context, programId: string, now: Date): Promise<Map<string, number>> {
  const { rows } = await sql<{ date: string; cents: number }>`
    select to_char(greatest(matures_at, ${now}) at time zone 'UTC', 'YYYY-MM-DD') as date,
      sum(amount_cents - reversed_cents - settled_cents)::bigint as cents
    from commissions where program_id = ${programId} and status = 'pending' group by 1 order by 1`.execute(ctx.db);
  return new Map(rows.map(({ date, cents }) => [date, cents]));
}
