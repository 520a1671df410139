// What an order needs to know of the coupons it names, and counting those it was credited for.
import { sql } from 'kysely';
import type { Tx } from '../context.ts';
import { foldCase } from '../lib/text.ts';

export type CouponTerms = {
  id: string;
  code: string;
  affiliateId: string;
  status: 'active' | 'disabled' | 'deleted';
  startsAt: Date | null;
  endsAt: Date | null;
  maxRedemptions: number | null;
  redemptions: number;
  minOrderCents: number | null;
  productIds: string[];
  creditPolicy: 'always' | 'only_without_click' | 'never_over_click';
  commissionType: 'percentage' | 'flat' | null;
  /** Percent, or cents. */
  commissionRate: number | null;
};

export type CouponRefusal = 'disabled' | 'not_started' | 'ended' | 'used_up' | 'below_minimum';

/** Coupons by `foldCase(code.trim())`, with disabled and deleted ones, so that the reason can be told. */
export async function findCoupons(tx: Tx, programId: string, codes: readonly string[]): Promise<Map<string, CouponTerms>> {
  const keys = codes.map((code) => foldCase(code.trim()));
  const { rows } = await sql<Omit<CouponTerms, 'commissionRate'> & { key: string; commissionRate: string | null }>`
    select code_key as key, id, code, affiliate_id, case when deleted_at is null then status else 'deleted' end as status, starts_at, ends_at,
      max_redemptions, redemptions, min_order_cents, product_ids, credit_policy, commission_type, commission_rate
    from coupons where program_id = ${programId} and code_key = any(${keys})`.execute(tx.db);
  return new Map(
    rows.map(({ key, commissionRate, ...coupon }) => [
      key,
      { ...coupon, commissionRate: commissionRate === null ? null : Number(commissionRate) },
    ]),
  );
}

/** Why a coupon can't be used for an order of this amount at that time; null when it can. */
export function refusalOf(coupon: CouponTerms, at: Date, amountCents: number, redemptionsInThisBatch: number): CouponRefusal | null {
  if (coupon.status !== 'active') return 'disabled';
  if (coupon.startsAt !== null && at < coupon.startsAt) return 'not_started';
  if (coupon.endsAt !== null && at >= coupon.endsAt) return 'ended';
  if (coupon.maxRedemptions !== null && coupon.redemptions + redemptionsInThisBatch >= coupon.maxRedemptions) return 'used_up';
  return coupon.minOrderCents !== null && amountCents < coupon.minOrderCents ? 'below_minimum' : null;
}

/** Adds to what the coupons (by id) were credited for. The books must be open. */
export async function addRedemptions(tx: Tx, programId: string, counts: ReadonlyMap<string, number>): Promise<void> {
  await sql`
    update coupons as coupon set redemptions = coupon.redemptions + added.orders
    from unnest(${[...counts.keys()]}::uuid[], ${[...counts.values()]}::bigint[]) as added (id, orders)
    where coupon.program_id = ${programId} and coupon.id = added.id`.execute(tx.db);
}
