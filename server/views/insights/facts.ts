// The figures of a breakdown from the rows of some days. The breakdowns by affiliate, group and day add up the daily totals; the
// others count clicks and orders. Finished days are usually read from their stored sums (stored-totals.ts).
// A fact counts on its day as in the daily totals (totals/rebuild-daily-totals.ts), so every
// breakdown adds up to the same sums. By product, an order counts for each of its products.
import { type RawBuilder, sql } from 'kysely';
import { pendingClicks } from '../../partners/affiliates/totals/pending.ts';
import { addDays, startOfDay } from '../../platform/lib/zoned-time.ts';
import { clickValues, firstSubId } from '../../promotion/tracking/click-values.ts';
import type { Piece } from './plan-reads.ts';
import type { Breakdown } from './shape.ts';

type Sql = RawBuilder<unknown>;

export type Periods = { pieces: readonly Piece[]; timezone: string };

/**
 * A query with the columns `is_current` (or the period before), `value` (text, null for none), `clicks`, `conversions`,
 * `sales_cents` and `commissions_cents`. The value of `day`, `week` and `month` is the day.
 */
export function selectFacts(programId: string, breakdown: Breakdown, periods: Periods): Sql {
  if (breakdown === 'product') return selectProducts(programId, periods);
  const counted = countedBy[breakdown];
  return counted ? selectCounted(programId, counted, periods) : selectDailyTotals(programId, breakdown, periods);
}

/** The pieces as rows, with their days and their times: the end is exclusive. */
function toPeriods({ pieces, timezone }: Periods): Sql {
  const starts = pieces.map(({ from }) => startOfDay(from, timezone));
  const ends = pieces.map(({ to }) => startOfDay(addDays(to, 1), timezone));
  return sql`unnest(${pieces.map(({ isCurrent }) => isCurrent)}::boolean[], ${pieces.map(({ from }) => from)}::date[],
    ${pieces.map(({ to }) => to)}::date[], ${starts}::timestamptz[], ${ends}::timestamptz[])
    as period (is_current, first_day, last_day, starts_at, ends_at)`;
}

function selectDailyTotals(programId: string, breakdown: Breakdown, periods: Periods): Sql {
  const day = sql`to_char(total.day, 'YYYY-MM-DD')`;
  const value = breakdown === 'affiliate' ? sql`total.affiliate_id::text` : breakdown === 'group' ? sql`affiliate.group_id::text` : day;
  const groups = sql`join affiliates as affiliate on affiliate.program_id = ${programId} and affiliate.id = total.affiliate_id`;
  return sql`
    select period.is_current, ${value} as value, total.clicks, total.conversions,
      total.sales_cents, total.commissions_cents
    from ${toPeriods(periods)} cross join lateral (
      select day, affiliate_id, clicks, conversions, sales_cents - refunds_cents as sales_cents,
        commissions_cents - reversals_cents as commissions_cents
      from daily_totals where program_id = ${programId} and day between period.first_day and period.last_day
      union all
      select day, affiliate_id, clicks, 0, 0, 0 from (${pendingClicks(programId)}) as pending
      where day between period.first_day and period.last_day
    ) as total ${breakdown === 'group' ? groups : sql``}`;
}

/** What clicks and orders are counted by: a column of `click`, and of `sale` with its `click` (null without one). */
type Counted = { ofClick: Sql; ofSale: Sql };

const same = (ofClick: Sql): Counted => ({ ofClick, ofSale: ofClick });

const countedBy: Partial<Record<Breakdown, Counted>> = {
  link: same(clickValues.link),
  subId: { ofClick: firstSubId, ofSale: sql`sale.sub_id` },
  coupon: { ofClick: sql`null::text`, ofSale: sql`sale.coupon_id::text` },
  landingPage: same(clickValues.landingPage),
  country: same(clickValues.country),
  source: same(clickValues.source),
  device: same(clickValues.device),
};

function selectCounted(programId: string, { ofClick, ofSale }: Counted, periods: Periods): Sql {
  return sql`
    select period.is_current, ${ofClick} as value, count(*) as clicks, 0 as conversions, 0 as sales_cents, 0 as commissions_cents
    from ${toPeriods(periods)} cross join lateral (
      select slug, sub_ids, destination, country, referrer_host, agent from clicks
      where program_id = ${programId} and created_at >= period.starts_at and created_at < period.ends_at offset 0
    ) as click group by 1, 2
    union all
    select period.is_current, ${ofSale}, 0, count(*), sum(sale.amount_cents - sale.refunded_cents), sum(earned.cents)
    from ${toPeriods(periods)} cross join lateral (${selectSales(programId)}) as occurred
    join conversions as sale on sale.program_id = ${programId} and sale.id = occurred.id
    left join clicks as click on click.program_id = ${programId} and click.id = sale.click_id
    cross join lateral (
      select coalesce(sum(amount_cents - reversed_cents), 0) as cents from commissions
      where program_id = ${programId} and conversion_id = sale.id
    ) as earned group by 1, 2
    union all
    ${selectOtherCommissions(programId, periods)}`;
}

/** The orders of a period. */
const selectSales = (programId: string) => sql`
  select id from conversion_summaries
  where program_id = ${programId} and occurred_at >= period.starts_at and occurred_at < period.ends_at offset 0`;

/** Bonuses and commissions for leads, with their adjustments: they belong to no click or order. */
const selectOtherCommissions = (programId: string, periods: Periods) => sql`
  select period.is_current, null::text, 0, 0, 0, sum(other.cents) from ${toPeriods(periods)} cross join lateral (
    select earned.amount_cents - earned.reversed_cents + coalesce((
      select sum(adjustment.amount_cents - adjustment.reversed_cents) from commissions as adjustment
      where adjustment.program_id = ${programId} and adjustment.adjusts_commission_id = earned.id
    ), 0) as cents
    from commissions as earned
    where earned.program_id = ${programId} and earned.created_at >= period.starts_at and earned.created_at < period.ends_at
      and earned.conversion_id is null and earned.adjusts_commission_id is null offset 0
  ) as other group by 1`;

/** Sales of a product are the amounts that its commissions were calculated from. */
const selectProducts = (programId: string, periods: Periods) => sql`
  select period.is_current, earned.product_id::text as value, 0 as clicks, count(distinct earned.conversion_id) as conversions,
    sum(earned.base_cents - earned.refunded_cents) filter (where earned.kind = 'order' and earned.level = 1) as sales_cents,
    sum(earned.amount_cents - earned.reversed_cents) as commissions_cents
  from ${toPeriods(periods)} cross join lateral (${selectSales(programId)}) as occurred
  join commissions as earned on earned.program_id = ${programId} and earned.conversion_id = occurred.id
    and earned.moved_at is null and earned.status <> 'rejected' and earned.product_id is not null
  group by 1, 2`;
