// What an affiliate earned, as the portal shows it: products, amount, state and date. It names no buyer, no other affiliate
// and no order; why a commission is on hold is reduced to who has to act.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { CommissionKind } from '../../earning/commissions/commission.ts';
import { centsOut, countOut, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';

export const EarningState = z
  .enum(['pending', 'held', 'ready', 'in_transit', 'paid', 'reversed', 'rejected'])
  .describe('`ready`: included in the next payout. `in_transit`: in a payout that has not arrived yet.')
  .meta({ id: 'EarningState' });
export type EarningState = z.output<typeof EarningState>;

export const Earning = z
  .object({
    id: uuidOut,
    kind: CommissionKind,
    level: z.int().describe('1: a sale of the affiliate. 2: a sale of an affiliate whom they recruited.'),
    products: z.array(z.object({ name: z.string(), quantity: countOut })).describe('The products of the order that earned it.'),
    amountCents: centsOut.describe('As earned.'),
    reversedCents: centsOut.describe('The part that returns have reversed.'),
    state: EarningState.describe('Whether it is pending, payable, paid or reversed.'),
    stateAt: timestampOut
      .nullable()
      .describe('When the state began; for `pending`, when it ends and the amount becomes payable. Null for `held`.'),
    reason: z
      .enum(['review', 'dispute', 'return', 'not_accepted'])
      .nullable()
      .describe('Why it is held, reversed or rejected. `review`: the program checks the order.'),
    subIds: z.array(z.string()).describe('Of the link that was clicked, from `sub1` on; empty without any, and at level 2.'),
    earnedAt: timestampOut,
  })
  .meta({
    id: 'PortalEarning',
    example: {
      id: '01980a53-8e11-7b52-9c4d-1a2b3c4d5e6f',
      kind: 'order',
      level: 1,
      products: [{ name: 'Practice Starter Kit', quantity: 1 }],
      amountCents: 3735,
      reversedCents: 0,
      state: 'pending',
      stateAt: '2026-12-21T09:30:00.000Z',
      reason: null,
      subIds: ['newsletter'],
      earnedAt: '2026-11-21T09:30:00.000Z',
    },
  });

export type EarningRow = {
  id: string;
  conversionId: string | null;
  kind: string;
  level: number;
  status: string;
  amountCents: number;
  reversedCents: number;
  settledCents: number;
  inTransitCents: number;
  sentAt: Date | null;
  paidAt: Date | null;
  maturesAt: Date;
  updatedAt: Date;
  earnedAt: Date;
  isDisputed: boolean;
  subIds: string[] | null;
  products: { name: string; quantity: number }[] | null;
};

type Owner = { programId: string; affiliateId: string };

/** A commission that has matured is ready, although the schedule changes its status up to five minutes later. */
const filters = {
  pending: (now: Date) => sql`commission.status = 'pending' and commission.matures_at > ${now}`,
  held: () => sql`commission.status = 'held'`,
  ready: (now: Date) => sql`(commission.status = 'approved' or (commission.status = 'pending' and commission.matures_at <= ${now}))`,
  paid: () => sql`commission.status = 'paid'`,
  reversed: () => sql`commission.status in ('reversed', 'rejected')`,
};

export const earningFilters = ['pending', 'held', 'ready', 'paid', 'reversed'] as const;

type Filter = { now: Date; state?: (typeof earningFilters)[number] | undefined; subId?: string | undefined };
type Selection = Filter & { id?: string; limit: number; offset: number };

/** The affiliate's commissions, newest first. */
export async function readEarnings(
  { db }: Pick<Context, 'db'>,
  { programId, affiliateId }: Owner,
  { id, limit, offset, ...filter }: Selection,
): Promise<EarningRow[]> {
  const { rows } = await sql<EarningRow>`
    with shown as (
      select commission.* from commissions as commission
      where ${isOwn({ programId, affiliateId })} and ${matches(programId, filter)}
        and ${id === undefined ? sql`true` : sql`commission.id = ${id}`}
      order by commission.created_at desc, commission.id desc limit ${limit} offset ${offset}
    )
    select shown.id, shown.conversion_id, shown.kind, shown.level, shown.status, shown.amount_cents, shown.reversed_cents,
      shown.settled_cents, shown.matures_at, shown.updated_at, coalesce(conversion.occurred_at, shown.created_at) as earned_at,
      coalesce(sent.cents, 0)::bigint as in_transit_cents, sent.sent_at, sent.paid_at, items.products,
      case when conversion.facts -> 'affiliate' ->> 'id' = shown.affiliate_id::text then conversion.sub_ids end as sub_ids,
      exists (select 1 from commission_holds as hold where hold.program_id = ${programId} and hold.commission_id = shown.id
        and hold.closed_at is null and hold.cause = 'dispute') as is_disputed
    from shown
    left join conversions as conversion on conversion.program_id = ${programId} and conversion.id = shown.conversion_id
    cross join lateral (
      select sum(line.cents) filter (where line.is_live) as cents, max(payout.created_at) filter (where line.is_live) as sent_at,
        max(payout.settled_at) filter (where payout.status = 'paid') as paid_at
      from payout_lines as line join payouts as payout on payout.program_id = ${programId} and payout.id = line.payout_id
      where line.program_id = ${programId} and line.commission_id = shown.id
    ) as sent
    cross join lateral (
      select json_agg(json_build_object('name', coalesce(product.name, item.name), 'quantity', item.quantity) order by item.position)
        as products
      from jsonb_to_recordset(conversion.facts -> 'lines') as item (position integer, "productId" uuid, name text, quantity integer)
      left join products as product on product.program_id = ${programId} and product.id = item."productId"
      where item.position = any(shown.positions) and coalesce(product.name, item.name) is not null
    ) as items
    order by shown.created_at desc, shown.id desc`.execute(db);
  return rows;
}

/** How many commissions the affiliate has in a state. */
export async function countEarnings({ db }: Pick<Context, 'db'>, owner: Owner, filter: Filter): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from commissions as commission where ${isOwn(owner)} and ${matches(owner.programId, filter)}`.execute(db);
  return rows[0]?.total ?? 0;
}

const isOwn = ({ programId, affiliateId }: Owner) => sql`commission.program_id = ${programId} and commission.affiliate_id = ${affiliateId}`;

/** Sub IDs belong to the affiliate who was credited for the order first. */
function matches(programId: string, { now, state, subId }: Filter) {
  const hasSubId = sql`exists (select from conversions as sold where sold.program_id = ${programId}
    and sold.id = commission.conversion_id and sold.facts -> 'affiliate' ->> 'id' = commission.affiliate_id::text
    and ${subId} = any(sold.sub_ids))`;
  return sql`${state ? filters[state](now) : sql`true`} and ${subId === undefined ? sql`true` : hasSubId}`;
}

/** A commission as the portal shows it. Pure. */
export function toEarning(row: EarningRow, now: Date): z.input<typeof Earning> {
  const state = toState(row, now);
  return {
    id: row.id,
    kind: CommissionKind.parse(row.kind),
    level: row.level,
    products: row.products ?? [],
    amountCents: row.amountCents,
    reversedCents: row.reversedCents,
    state,
    stateAt: timeOf(state, row)?.toISOString() ?? null,
    reason: reasonOf(state, row),
    subIds: row.subIds ?? [],
    earnedAt: row.earnedAt.toISOString(),
  };
}

function toState({ status, inTransitCents, maturesAt }: EarningRow, now: Date): EarningState {
  if (status === 'held' || status === 'paid' || status === 'reversed' || status === 'rejected') return status;
  if (inTransitCents > 0) return 'in_transit';
  return status === 'pending' && maturesAt > now ? 'pending' : 'ready';
}

function timeOf(state: EarningState, { maturesAt, sentAt, paidAt, updatedAt }: EarningRow): Date | null {
  if (state === 'held') return null;
  if (state === 'pending' || state === 'ready') return maturesAt;
  if (state === 'in_transit') return sentAt;
  return state === 'paid' ? (paidAt ?? updatedAt) : updatedAt;
}

function reasonOf(state: EarningState, { isDisputed, reversedCents }: EarningRow): z.input<typeof Earning>['reason'] {
  if (state === 'held') return isDisputed ? 'dispute' : 'review';
  if (state === 'rejected') return 'not_accepted';
  return reversedCents > 0 ? 'return' : null;
}
