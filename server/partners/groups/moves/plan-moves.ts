// Which affiliates would move, and where: to the highest group whose volume they reached in the days before today. The preview and
// the daily run both call it.
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { addDays, localDate, startOfDay } from '../../../platform/lib/zoned-time.ts';
import type { GroupMoves } from './group-moves.ts';

/** `volume`: orders, or cents. */
export type Move = { affiliateId: string; from: string | null; to: string | null; volume: number };

/**
 * `moves`: those with the highest volume, up to a limit. `count`: how many affiliates would move. `keptCount`: how many have less
 * than the volume of their group, but keep it.
 */
export type Plan = { moves: Move[]; count: number; keptCount: number };

/** `limit`: of the moves that are returned. */
type Wanted = { programId: string; timezone: string; limit: number };

/**
 * Affiliates who are not active, and those in a group without a step, stay where they are. Steps of archived groups don't count.
 * A group that a person chose, or that was reached less than `keepDays` ago, is only left for a higher one.
 */
export async function planMoves(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { metric, days, canMoveDown, keepDays, steps }: GroupMoves,
  { programId, timezone, limit }: Wanted,
): Promise<Plan> {
  if (steps.length === 0) return { moves: [], count: 0, keptCount: 0 };
  const today = localDate(clock.now(), timezone);
  const groupIds = steps.map(({ groupId }) => groupId);
  const volumes = steps.map(({ from }) => from);
  const { rows } = await sql<Plan>`
    with step as (
      select wanted.group_id, wanted.reached_from
      from unnest(${groupIds}::uuid[], ${volumes}::bigint[]) as wanted (group_id, reached_from)
      join groups as tier on tier.program_id = ${programId} and tier.id = wanted.group_id and tier.status = 'active'
    ), volume as (${sumVolumes({ programId, metric, from: addDays(today, -days), today, timezone })}),
    member as (
      select affiliate.id, affiliate.group_id, affiliate.group_reached_on, greatest(coalesce(volume.total, 0), 0) as total,
        (select reached_from from step where step.group_id = affiliate.group_id) as present_from
      from affiliates as affiliate left join volume on volume.affiliate_id = affiliate.id
      where affiliate.program_id = ${programId} and affiliate.status = 'active'
        and (affiliate.group_id is null or affiliate.group_id in (select group_id from step))
    ), target as (
      select member.*, reached.group_id as target_id,
        coalesce(reached.reached_from, -1) > coalesce(member.present_from, -1)
          or (${canMoveDown} and member.group_reached_on <= ${addDays(today, -keepDays)}::date) as can_move
      from member left join lateral (
        select group_id, reached_from from step where step.reached_from <= member.total order by reached_from desc limit 1
      ) as reached on true
      where reached.group_id is distinct from member.group_id
    ), first as (
      select id, group_id, target_id, total from target where can_move order by total desc, id limit ${limit}
    )
    select
      (select count(*) from target where can_move) as count,
      (select count(*) from target where can_move is not true) as kept_count,
      (select coalesce(jsonb_agg(jsonb_build_object('affiliateId', id, 'from', group_id, 'to', target_id, 'volume', total)
        order by total desc, id), '[]') from first) as moves`.execute(db);
  return rows[0] as Plan;
}

/** Days in the time zone of the program: from `from` until before `today`. */
type Volumes = { programId: string; metric: GroupMoves['metric']; from: string; today: string; timezone: string };

/** The volume of each affiliate. As for the tiers of rules, an order that was refunded in full is none. */
function sumVolumes({ programId, metric, from, today, timezone }: Volumes) {
  const isCounted = sql`program_id = ${programId} and day >= ${from}::date and day < ${today}::date`;
  if (metric === 'amountCents')
    return sql`select affiliate_id, sum(sales_cents - refunds_cents)::bigint as total from daily_totals where ${isCounted} group by 1`;
  const isVoid = sql`program_id = ${programId} and voided_at is not null
    and occurred_at >= ${startOfDay(from, timezone)} and occurred_at < ${startOfDay(today, timezone)}`;
  return sql`
    select affiliate_id, sum(orders)::bigint as total from (
      select affiliate_id, conversions as orders from daily_totals where ${isCounted}
      union all select affiliate_id, -1 from conversions where ${isVoid}
    ) as counted group by 1`;
}
