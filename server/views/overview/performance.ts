// Sales and commissions of a period and the one before, per bucket of the chart and per affiliate, in one statement over
// the daily totals.
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { pendingClicks } from '../../partners/affiliates/totals/pending.ts';
import { addDays } from '../../platform/lib/zoned-time.ts';
import type { Range, Span } from './range.ts';

export type Sums = {
  /** The amounts of the orders, less their refunds. */
  salesCents: number;
  /** Commissions earned, less reversals. */
  commissionsCents: number;
  conversions: number;
  /** Affiliates with at least one order. */
  affiliates: number;
};

export type TopAffiliate = Omit<Sums, 'affiliates'> & { id: string; name: string; groupName: string | null; clicks: number };

export type Performance = {
  current: Sums;
  previous: Sums | null;
  buckets: Sums[];
  previousBuckets: Sums[];
};

const none: Sums = { salesCents: 0, commissionsCents: 0, conversions: 0, affiliates: 0 };
const topCount = 8;

/** The condition of the index daily_totals_earning. */
const isEarning = sql`(conversions <> 0 or commissions_cents <> 0 or reversals_cents <> 0)`;

export async function readPerformance(ctx: Pick<Context, 'db'>, programId: string, range: Range): Promise<Performance> {
  const spans = [...range.previousBuckets, ...range.buckets];
  // Consecutive thresholds: every bucket starts one, and the day after each period ends another, whose sums are ignored.
  const { starts, numbers } = toThresholds(spans);
  // The days between both periods are excluded by the second condition; the first one is a range of the index.
  const firstDay = range.previous?.from ?? range.current.from;
  const { rows } = await sql<Sums & { number: number; isTotal: boolean }>`
    with days as materialized (
      select width_bucket(day, ${starts}::date[]) as number, day >= ${range.current.from}::date as is_current, affiliate_id,
        sales_cents - refunds_cents as sales_cents, commissions_cents - reversals_cents as commissions_cents, conversions
      from daily_totals
      where program_id = ${programId} and ${isEarning} and day between ${firstDay}::date and ${range.current.to}::date
        and (day >= ${range.current.from}::date or day <= ${range.previous?.to ?? null}::date)
    )
    select number, false as is_total, ${sums} from days group by number
    union all
    select is_current::integer, true, ${sums} from days group by is_current`.execute(ctx.db);
  const totals = new Map(rows.filter(({ isTotal }) => isTotal).map((row) => [row.number, toSums(row)]));
  const byNumber = new Map(rows.filter(({ isTotal }) => !isTotal).map((row) => [row.number, toSums(row)]));
  const found = numbers.map((number) => byNumber.get(number) ?? none);
  return {
    current: totals.get(1) ?? none,
    previous: range.previous ? (totals.get(0) ?? none) : null,
    previousBuckets: found.slice(0, range.previousBuckets.length),
    buckets: found.slice(range.previousBuckets.length),
  };
}

const sums = sql`sum(sales_cents)::bigint as sales_cents, sum(commissions_cents)::bigint as commissions_cents,
  sum(conversions)::bigint as conversions, count(distinct affiliate_id) filter (where conversions > 0) as affiliates`;

function toSums({ salesCents, commissionsCents, conversions, affiliates }: Sums): Sums {
  return { salesCents, commissionsCents, conversions, affiliates };
}

/** The first days of the spans and of the gaps between them, ascending, and the number of each span among them. */
function toThresholds(spans: readonly Span[]): { starts: string[]; numbers: number[] } {
  const starts = [...new Set(spans.flatMap(({ from, to }) => [from, addDays(to, 1)]))].sort();
  return { starts, numbers: spans.map(({ from }) => starts.indexOf(from) + 1) };
}

/** The affiliates with the highest sales. Clicks are read only for these. */
export async function readTopAffiliates(ctx: Pick<Context, 'db'>, programId: string, { from, to }: Span): Promise<TopAffiliate[]> {
  const { rows } = await sql<TopAffiliate>`
    with top as (
      select affiliate_id, sum(sales_cents - refunds_cents)::bigint as sales_cents,
        sum(commissions_cents - reversals_cents)::bigint as commissions_cents, sum(conversions)::bigint as conversions
      from daily_totals
      where program_id = ${programId} and ${isEarning} and day between ${from}::date and ${to}::date
      group by 1 having sum(conversions) > 0 order by 2 desc, 3 desc, 1 limit ${topCount}
    )
    select affiliate.id, trim(affiliate.first_name || ' ' || affiliate.last_name) as name, team.name as group_name, top.sales_cents,
      top.commissions_cents, top.conversions, coalesce(visits.clicks, 0)::bigint as clicks
    from top
    join affiliates as affiliate on affiliate.program_id = ${programId} and affiliate.id = top.affiliate_id
    left join groups as team on team.program_id = ${programId} and team.id = affiliate.group_id
    left join lateral (
      select sum(visit.clicks) as clicks from (
        select total.clicks from daily_totals as total
        where total.program_id = ${programId} and total.affiliate_id = top.affiliate_id
          and total.day = any(${toDays({ from, to })}::date[])
        union all
        select pending.clicks from (${pendingClicks(programId)}) as pending
        where pending.affiliate_id = top.affiliate_id and pending.day between ${from}::date and ${to}::date
      ) as visit
    ) as visits on true
    order by top.sales_cents desc, top.commissions_cents desc, affiliate.id`.execute(ctx.db);
  return rows;
}

/** One lookup per day, so that the index on (affiliate, day) is used. */
function toDays({ from, to }: Span): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}
