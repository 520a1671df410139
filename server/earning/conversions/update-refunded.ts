import { sql } from 'kysely';
import type { Tx } from '../../context.ts';
import { addRedemptions } from '../../promotion/coupons/redeem.ts';
import { recountOrders } from '../customers/store.ts';

type Refunded = { conversionId: string; refundedCents: number };

/** Stores the total refunded amounts of orders, whose commissions are reversed next. The ledger must be locked. */
export async function setRefunded(tx: Tx, programId: string, orders: readonly Refunded[]): Promise<void> {
  const [ids, amounts] = [orders.map(({ conversionId }) => conversionId), orders.map(({ refundedCents }) => refundedCents)];
  await sql`
    update conversions as conversion set refunded_cents = refunded.cents
    from unnest(${ids}::uuid[], ${amounts}::bigint[]) as refunded (id, cents)
    where conversion.program_id = ${programId} and conversion.id = refunded.id`.execute(tx.db);
}

type Changed = { isVoid: boolean; couponId: string | null; customerKeys: string[]; occurredAt: Date };

/**
 * Brings orders and their counts in line with their refunds. Refunded in full, an order no longer counts: not as an order
 * of its customer, not as a redemption of its coupon, not for tiers. The ledger must be locked.
 */
export async function updateVoided(tx: Tx, programId: string, conversionIds: readonly string[]): Promise<void> {
  const { rows } = await sql<Changed>`
    update conversions as conversion set voided_at = case when state.is_void then ${tx.clock.now()}::timestamptz end
    from (
      select id, refunded_cents = amount_cents and exists (
        select from refunds as refund where refund.program_id = ${programId}
          and refund.conversion_id = conversions.id and refund.undone_at is null
      ) as is_void
      from conversions where program_id = ${programId} and id = any(${[...conversionIds]}::uuid[])
    ) as state
    where conversion.program_id = ${programId} and conversion.id = state.id and (conversion.voided_at is not null) <> state.is_void
    returning state.is_void, conversion.coupon_id, conversion.customer_keys, conversion.occurred_at`.execute(tx.db);
  const redemptions = new Map<string, number>();
  for (const { couponId, isVoid } of rows) if (couponId) redemptions.set(couponId, (redemptions.get(couponId) ?? 0) + (isVoid ? -1 : 1));
  if (redemptions.size > 0) await addRedemptions(tx, programId, redemptions);
  await recountOrders(tx, programId, rows);
}
