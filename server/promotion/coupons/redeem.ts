// The coupons that orders name, and counting their redemptions.
import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import type { Context, Tx } from '../../context.ts';
import type { Coupons } from '../../platform/db/schema.gen.ts';
import { toCodeKey } from './code.ts';

/** The terms of a coupon that determine a commission. */
type PaidTerms = {
  productIds: string[];
  commissionType: 'percentage' | 'flat' | null;
  /** Percent for `percentage`, cents for `flat`. */
  commissionRate: number | null;
};

export type CouponTerms = PaidTerms & {
  id: string;
  code: string;
  affiliateId: string;
  status: 'active' | 'archived';
  startsAt: Date | null;
  endsAt: Date | null;
  maxRedemptions: number | null;
  redemptions: number;
  minOrderCents: number | null;
  creditPolicy: 'always' | 'only_without_click' | 'never_over_click';
  createdAt: Date;
  /** When the first order that redeemed it was reported; read only for an order from before it was created. */
  firstOrderAt: Date | null;
  /** Terms that a change replaced at `until` (ISO 8601), the earliest first. */
  past: (PaidTerms & { until: string })[];
};

export type CouponRejection = 'archived' | 'not_started' | 'ended' | 'used_up' | 'below_minimum' | 'other_products';

/**
 * Coupons by `toCodeKey(code)`, including archived ones, so that the reason of a rejection is known, for orders that
 * occurred since `from`.
 */
export async function findCoupons(
  ctx: Pick<Context, 'db'>,
  programId: string,
  { codes, from }: { codes: readonly string[]; from: Date },
): Promise<Map<string, CouponTerms>> {
  const keys = codes.map(toCodeKey);
  const { rows } = await sql<CouponTerms & { key: string }>`
    select code_key as key, id, code, affiliate_id, status, starts_at, ends_at, max_redemptions, redemptions, min_order_cents,
      product_ids, credit_policy, commission_type, commission_rate::float8 as commission_rate, created_at,
      case when created_at > ${from} then (
        select min(redeeming.created_at) from conversions as redeeming where redeeming.program_id = ${programId}
          and redeeming.coupon_id = coupon.id and redeeming.created_at >= coupon.created_at
      ) end as first_order_at,
      coalesce((
        select json_agg(json_build_object('until', past.valid_until, 'productIds', past.product_ids, 'commissionType', past.commission_type,
          'commissionRate', past.commission_rate) order by past.valid_until, past.id)
        from coupon_past_terms as past where past.program_id = ${programId} and past.coupon_id = coupon.id
      ), '[]'::json) as past
    from coupons as coupon where program_id = ${programId} and code_key = any(${keys})`.execute(ctx.db);
  return new Map(rows.map(({ key, ...coupon }) => [key, coupon]));
}

/**
 * The coupon with the products and the commission that applied at that time. Those of an order from before it was created
 * are the ones of its first reported order, or the present ones: until then it is set up.
 */
export function couponAt(coupon: CouponTerms, at: Date): CouponTerms {
  const moment = at < coupon.createdAt ? coupon.firstOrderAt : at;
  const past = moment && coupon.past.find(({ until }) => new Date(until) > moment);
  if (!past) return coupon;
  const { productIds, commissionType, commissionRate } = past;
  return { ...coupon, productIds, commissionType, commissionRate };
}

/** `productIds`: the known products of the order. */
type Use = { at: Date; amountCents: number; productIds: readonly string[] };

/** Why a coupon can't be used for this order; null if it can. */
export function findCouponRejection(coupon: CouponTerms, { at, amountCents, productIds }: Use): CouponRejection | null {
  if (coupon.status === 'archived') return 'archived';
  if (coupon.startsAt !== null && at < coupon.startsAt) return 'not_started';
  if (coupon.endsAt !== null && at >= coupon.endsAt) return 'ended';
  if (coupon.maxRedemptions !== null && coupon.redemptions >= coupon.maxRedemptions) return 'used_up';
  if (coupon.minOrderCents !== null && amountCents < coupon.minOrderCents) return 'below_minimum';
  return coupon.productIds.length > 0 && !coupon.productIds.some((id) => productIds.includes(id)) ? 'other_products' : null;
}

/** Adds to the redemptions of coupons (by id) and returns their rows. The ledger must be locked. */
export async function addRedemptions(tx: Tx, programId: string, counts: ReadonlyMap<string, number>): Promise<Selectable<Coupons>[]> {
  const { rows } = await sql<Selectable<Coupons>>`
    update coupons as coupon set redemptions = coupon.redemptions + added.orders
    from unnest(${[...counts.keys()]}::uuid[], ${[...counts.values()]}::bigint[]) as added (id, orders)
    where coupon.program_id = ${programId} and coupon.id = added.id
    returning coupon.*`.execute(tx.db);
  return rows;
}
