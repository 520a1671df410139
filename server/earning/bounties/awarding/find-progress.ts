// How far affiliates are with a milestone of orders.
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { addDays, startOfDay } from '../../../platform/lib/zoned-time.ts';
import type { BountyRow } from '../bounty.ts';
import type { Award, Progress } from './plan-awards.ts';

/**
 * Whether the order `summary` counts. Orders that were refunded in full, rejected or put on hold don't, nor do orders without an
 * amount.
 */
export const isCounted = sql`(summary.amount_cents > summary.refunded_cents and summary.status not in ('held', 'rejected'))`;

type Counting = Pick<BountyRow, 'programId' | 'milestone' | 'targetOrders' | 'startsOn' | 'endsOn'>;

/** `affiliateIds`: null for all affiliates. */
type Wanted = { timezone: string; affiliateIds: readonly string[] | null };

/** The progress of affiliates with an order that counts. For `first_order`, orders from before the start count too. */
export async function findProgress(
  { db }: Pick<Context, 'db'>,
  { programId, milestone, targetOrders, startsOn, endsOn }: Counting,
  { timezone, affiliateIds }: Wanted,
): Promise<Progress[]> {
  const start = startOfDay(startsOn, timezone);
  const from = milestone === 'first_order' ? sql`true` : sql`summary.occurred_at >= ${start}`;
  const until = endsOn === null ? sql`true` : sql`summary.occurred_at < ${startOfDay(addDays(endsOn, 1), timezone)}`;
  const named = affiliateIds === null ? sql`true` : sql`summary.affiliate_id = any(${affiliateIds}::uuid[])`;
  const { rows } = await sql<Progress>`
    with counted as (
      select summary.affiliate_id, summary.occurred_at, summary.created_at,
        row_number() over (partition by summary.affiliate_id order by summary.occurred_at, summary.id) as number
      from conversion_summaries as summary
      where summary.program_id = ${programId} and ${from} and ${until} and ${named}
        and ${isCounted}
    ), reached as (
      select affiliate_id, max(number)::integer as orders,
        min(created_at) filter (where number = ${targetOrders ?? 1}::integer and occurred_at >= ${start}) as reached_at
      from counted group by affiliate_id
    )
    select reached.affiliate_id, reached.orders, reached.reached_at, affiliate.status = 'active' as is_active
    from reached join affiliates as affiliate on affiliate.program_id = ${programId} and affiliate.id = reached.affiliate_id`.execute(db);
  return rows;
}

/** The bonuses of a bounty that were earned, by these affiliates or by all. */
export async function findAwards(
  { db }: Pick<Context, 'db'>,
  { programId, id }: Pick<BountyRow, 'programId' | 'id'>,
  affiliateIds: readonly string[] | null,
): Promise<Award[]> {
  const named = affiliateIds === null ? sql`true` : sql`award.affiliate_id = any(${affiliateIds}::uuid[])`;
  const { rows } = await sql<Award>`
    select award.affiliate_id, award.commission_id, commission.status
    from bounty_awards as award
    join commissions as commission on commission.program_id = ${programId} and commission.id = award.commission_id
    where award.program_id = ${programId} and award.bounty_id = ${id} and ${named}`.execute(db);
  return rows;
}

/** The affiliates whose orders, or who themselves, changed after this position of the event log. */
export async function findChanged({ db }: Pick<Context, 'db'>, programId: string, position: number): Promise<string[]> {
  const { rows } = await sql<{ affiliateId: string }>`
    with changed as (
      select affiliate_id, previous from events
      where program_id = ${programId} and position > ${position} and object_type in ('affiliate', 'conversion', 'commission', 'refund')
    )
    select affiliate_id from changed where affiliate_id is not null
    union select (previous ->> 'affiliateId')::uuid from changed where previous ->> 'affiliateId' is not null`.execute(db);
  return rows.map(({ affiliateId }) => affiliateId);
}
