import { sql } from 'kysely';
import type { Tx } from '../../context.ts';
import { addRedemptions } from '../../promotion/coupons/redeem.ts';
import { recountOrder } from '../customers/store.ts';

type Refunded = { conversionId: string; refundedCents: number };

/** Stores the total refunded amount of an order, whose commissions are reversed next. The ledger must be locked. */
export async function setRefunded(tx: Tx, programId: string, { conversionId, refundedCents }: Refunded): Promise<void> {
  await sql`update conversions set refunded_cents = ${refundedCents} where program_id = ${programId} and id = ${conversionId}`.execute(
    tx.db,
  );
}

type Changed = { isVoid: boolean; couponId: string | null; customerKeys: string[]; occurredAt: Date };

/**
 * Brings an order and its counts in line with its refunds. Refunded in full it no longer counts: not as an order
 * of its customer, not as a redemption of its coupon, not for tiers. The ledger must be locked.
 */
export async function updateVoided(tx: Tx, programId: string, conversionId: string): Promise<void> {
  const { rows } = await sql<Changed>`
    update conversions as conversion set voided_at = case when state.is_void then ${tx.clock.now()}::timestamptz end
    from (
      select id, refunded_cents = amount_cents and exists (
        select from refunds as refund where refund.program_id = ${programId}
          and refund.conversion_id = conversions.id and refund.undone_at is null
      ) as is_void
      from conversions where program_id = ${programId} and id = ${conversionId}
    ) as state
    where conversion.program_id = ${programId} and conversion.id = state.id and (conversion.voided_at is not null) <> state.is_void
    returning state.is_void, conversion.coupon_id, conversion.customer_keys, conversion.occurred_at`.execute(tx.db);
  const [changed] = rows;
  if (!changed) return;
  const difference = changed.isVoid ? -1 : 1;
  if (changed.couponId) await addRedemptions(tx, programId, new Map([[changed.couponId, difference]]));
  await recountOrder(tx, programId, changed);
}
