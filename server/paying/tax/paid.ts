// What was paid in a year, from the ledger: payouts that arrived less those that came back, each on the day it
// was booked, in the program's time zone. So a payout of December that comes back in January lowers the new year, not the old one.
import { sql } from 'kysely';
import { getProgram } from '../../accounts/programs/program.ts';
import type { Context } from '../../context.ts';
import { sumForDisplay, sumOf } from '../../platform/lib/money.ts';
import { startOfDay } from '../../platform/lib/zoned-time.ts';

export type Quarter = { cents: number; count: number };
type FourQuarters = [Quarter, Quarter, Quarter, Quarter];
export type Paid = { affiliateId: string; firstName: string; lastName: string; cents: number; count: number; quarters: FourQuarters };

type Row = { affiliateId: string; firstName: string; lastName: string; quarter: number; cents: number; count: number };

/** Everybody who was paid anything in the year, in the order of their ids. */
export async function paidIn(ctx: Pick<Context, 'db'>, programId: string, year: number): Promise<Paid[]> {
  const { timezone } = await getProgram(ctx, programId);
  const quarterStarts = [1, 4, 7, 10].map((month) => startOfDay(`${year}-${String(month).padStart(2, '0')}-01`, timezone));
  const [from, to] = [startOfDay(`${year}-01-01`, timezone), startOfDay(`${year + 1}-01-01`, timezone)];
  const { rows } = await sql<Row>`
    select entry.affiliate_id, affiliate.first_name, affiliate.last_name,
      width_bucket(entry.created_at, ${quarterStarts}::timestamptz[]) as quarter,
      sum(case when kind = 'settle' then cents else -cents end)::bigint as cents,
      sum(case when kind = 'settle' then 1 else -1 end)::bigint as count
    from ledger_entries as entry
    join affiliates as affiliate on affiliate.program_id = entry.program_id and affiliate.id = entry.affiliate_id
    where entry.program_id = ${programId} and entry.kind in ('settle', 'return') and entry.created_at >= ${from} and entry.created_at < ${to}
    group by 1, 2, 3, 4 order by 1, 4`.execute(ctx.db);
  return [...Map.groupBy(rows, ({ affiliateId }) => affiliateId).values()].flatMap(toPaid);
}

function toPaid(rows: readonly Row[]): Paid[] {
  const [first] = rows;
  if (!first) return [];
  const of = (wanted: number): Quarter => {
    const row = rows.find(({ quarter }) => quarter === wanted);
    return { cents: row?.cents ?? 0, count: Math.max(row?.count ?? 0, 0) };
  };
  const quarters: FourQuarters = [of(1), of(2), of(3), of(4)];
  const { affiliateId, firstName, lastName } = first;
  const count = Math.max(sumOf(rows.map((row) => row.count)), 0);
  return [{ affiliateId, firstName, lastName, cents: sumForDisplay(rows.map(({ cents }) => cents)), count, quarters }];
}

/** The last moment of the year, or now while it lasts: when a form must have counted for what was paid in it. */
export async function endOf(ctx: Pick<Context, 'db'>, programId: string, { year, now }: { year: number; now: Date }): Promise<Date> {
  const { timezone } = await getProgram(ctx, programId);
  const last = new Date(startOfDay(`${year + 1}-01-01`, timezone).getTime() - 1);
  return now < last ? now : last;
}
