// Affiliates by the month of their first order: how many have orders in each month since, and what these add up to. Finished months
// are read from their stored sums, the others from the daily totals, in one statement.
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../context.ts';
import { lastOf } from '../../partners/affiliates/totals/finished-spans.ts';
import { addMonths, type LocalDate, startOfNext } from '../../platform/lib/zoned-time.ts';

/** Months are their first days. `affiliates` have at least one order in the month. */
export type CohortMonth = { startsOn: LocalDate; affiliates: number; conversions: number; salesCents: number; commissionsCents: number };
export type Cohort = CohortMonth & { months: CohortMonth[] };

/** The first days of the first and the last month. */
type Months = { from: LocalDate; to: LocalDate };
type Asked = { programId: string; timezone: string; months: Months };

/**
 * The cohorts of the months, the oldest first, each with every month up to the last one. Months without new affiliates have none.
 * Call it in a transaction with one snapshot (`readOnce`): which sums are current is read before.
 */
export async function readCohorts(ctx: Pick<Context, 'db'>, { programId, timezone, months }: Asked): Promise<Cohort[]> {
  const { first, stored } = await findSources(ctx, programId, timezone);
  if (first === null) return [];
  const counted = listMonths({ from: `${first.slice(0, 7)}-01`, to: months.to }).filter((month) => !stored.includes(month));
  const { rows } = await sql<CohortMonth & { cohort: LocalDate }>`
    with monthly as materialized (${selectMonthly(programId, { stored, counted })}),
    started as materialized (
      select affiliate, min(month) as cohort from monthly where conversions > 0 group by affiliate
    )
    select cohort::text, month::text as starts_on, count(*) filter (where conversions > 0) as affiliates,
      sum(conversions)::bigint as conversions, sum(sales_cents)::bigint as sales_cents, sum(commissions_cents)::bigint as commissions_cents
    from started join monthly using (affiliate)
    where cohort between ${months.from}::date and ${months.to}::date and month between cohort and ${months.to}::date
    group by cohort, month order by cohort, month`.execute(ctx.db);
  return toCohorts(rows, months);
}

type Sources = { first: LocalDate | null; stored: LocalDate[] };

/** The first day with totals, and the months whose sums are stored and current. */
async function findSources({ db }: Pick<Context, 'db'>, programId: string, timezone: string): Promise<Sources> {
  const { rows } = await sql<Sources>`
    select (select min(day)::text from daily_totals where program_id = ${programId}) as first, array(
      select starts_on::text from breakdown_spans
      where program_id = ${programId} and span = 'month' and is_current and timezone = ${timezone}) as stored`.execute(db);
  return rows[0] ?? { first: null, stored: [] };
}

type Sourced = { stored: readonly LocalDate[]; counted: readonly LocalDate[] };

/** The orders and commissions of each affiliate by month. */
function selectMonthly(programId: string, { stored, counted }: Sourced): RawBuilder<unknown> {
  const lastDays = counted.map((startsOn) => lastOf({ span: 'month', startsOn }));
  return sql`
    select value::uuid as affiliate, starts_on as month, conversions, sales_cents, commissions_cents from breakdown_totals
    where program_id = ${programId} and breakdown = 'affiliate' and span = 'month' and starts_on = any(${stored}::date[])
      and (conversions <> 0 or commissions_cents <> 0)
    union all
    select total.affiliate_id, counted.month, sum(total.conversions)::bigint, sum(total.sales_cents - total.refunds_cents)::bigint,
      sum(total.commissions_cents - total.reversals_cents)::bigint
    from unnest(${counted}::date[], ${lastDays}::date[]) as counted (month, last_day)
    join daily_totals as total on total.program_id = ${programId} and total.day between counted.month and counted.last_day
      and (total.conversions <> 0 or total.commissions_cents <> 0 or total.reversals_cents <> 0)
    group by 1, 2`;
}

function toCohorts(rows: readonly (CohortMonth & { cohort: LocalDate })[], { to }: Months): Cohort[] {
  const starts = [...new Set(rows.map(({ cohort }) => cohort))];
  return starts.map((startsOn) => {
    const found = new Map(rows.flatMap(({ cohort, ...month }) => (cohort === startsOn ? [[month.startsOn, month] as const] : [])));
    const months = listMonths({ from: startsOn, to }).map((month) => found.get(month) ?? { ...none, startsOn: month });
    const sum = (name: keyof typeof none) => months.reduce((total, month) => total + month[name], 0);
    return {
      startsOn,
      affiliates: found.get(startsOn)?.affiliates ?? 0,
      conversions: sum('conversions'),
      salesCents: sum('salesCents'),
      commissionsCents: sum('commissionsCents'),
      months,
    };
  });
}

const none = { affiliates: 0, conversions: 0, salesCents: 0, commissionsCents: 0 };

function listMonths({ from, to }: Months): LocalDate[] {
  const months: LocalDate[] = [];
  for (let month = from; month <= to; month = startOfNext('month', month)) months.push(month);
  return months;
}

/** The last `count` months up to the one that contains `today`. */
export function lastMonths(today: LocalDate, count: number): Months {
  const month = today.slice(0, 7);
  return { from: addMonths(month, 1 - count), to: `${month}-01` };
}
