// What affiliates were paid in a year, from the ledger: payouts that arrived, less those that were returned, each on the
// day it was posted, in the program's time zone. A payout of December that is returned in January reduces the new year.
import { sql } from 'kysely';
import { getProgram } from '../../accounts/programs/program.ts';
import type { Context } from '../../context.ts';
import { sumForDisplay, sumOf } from '../../platform/lib/money.ts';
import { startOfDay } from '../../platform/lib/zoned-time.ts';

export type QuarterTotal = { amountCents: number; payoutCount: number };
type FourQuarters = [QuarterTotal, QuarterTotal, QuarterTotal, QuarterTotal];
export type PaidTotal = {
  affiliateId: string;
  firstName: string;
  lastName: string;
  amountCents: number;
  payoutCount: number;
  quarters: FourQuarters;
};

type Row = { affiliateId: string; firstName: string; lastName: string; quarter: number; amountCents: number; payoutCount: number };

/** From the start of a year until before the start of the next, in a time zone. */
export function yearIn(timezone: string, year: number): { from: Date; to: Date } {
  return { from: startOfDay(`${year}-01-01`, timezone), to: startOfDay(`${year + 1}-01-01`, timezone) };
}

/** The totals of all affiliates that were paid in the year, in the order of their ids. */
export async function findPaidTotals(ctx: Pick<Context, 'db'>, programId: string, year: number): Promise<PaidTotal[]> {
  const { timezone } = await getProgram(ctx, programId);
  const { from, to } = yearIn(timezone, year);
  const quarterStarts = [1, 4, 7, 10].map((month) => startOfDay(`${year}-${String(month).padStart(2, '0')}-01`, timezone));
  const { rows } = await sql<Row>`
    select entry.affiliate_id, affiliate.first_name, affiliate.last_name,
      width_bucket(entry.created_at, ${quarterStarts}::timestamptz[]) as quarter,
      sum(case when kind = 'settle' then cents else -cents end)::bigint as amount_cents,
      sum(case when kind = 'settle' then 1 else -1 end)::bigint as payout_count
    from ledger_entries as entry
    join affiliates as affiliate on affiliate.program_id = ${programId} and affiliate.id = entry.affiliate_id
    where entry.program_id = ${programId} and entry.kind in ('settle', 'return') and entry.created_at >= ${from} and entry.created_at < ${to}
    group by 1, 2, 3, 4 order by 1, 4`.execute(ctx.db);
  return [...Map.groupBy(rows, ({ affiliateId }) => affiliateId).values()].flatMap(toPaidTotal);
}

function toPaidTotal(rows: readonly Row[]): PaidTotal[] {
  const [first] = rows;
  if (!first) return [];
  const { affiliateId, firstName, lastName } = first;
  const findQuarter = (wanted: number): QuarterTotal => {
    const row = rows.find(({ quarter }) => quarter === wanted);
    return { amountCents: row?.amountCents ?? 0, payoutCount: Math.max(row?.payoutCount ?? 0, 0) };
  };
  const quarters: FourQuarters = [findQuarter(1), findQuarter(2), findQuarter(3), findQuarter(4)];
  const amountCents = sumForDisplay(rows.map((row) => row.amountCents));
  const payoutCount = Math.max(sumOf(rows.map((row) => row.payoutCount)), 0);
  return [{ affiliateId, firstName, lastName, amountCents, payoutCount, quarters }];
}

/** The last moment of the year, or now if it has not ended: when a tax form must be valid for that year's payouts. */
export async function findEndOfYear(
  ctx: Pick<Context, 'db'>,
  programId: string,
  { year, now }: { year: number; now: Date },
): Promise<Date> {
  const { timezone } = await getProgram(ctx, programId);
  const last = new Date(yearIn(timezone, year).to.getTime() - 1);
  return now < last ? now : last;
}
