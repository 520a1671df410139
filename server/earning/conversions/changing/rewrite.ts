// Writes what a move or an increase changes of an order: its row and the redemptions of its coupon.
import { sql } from 'kysely';
import type { Tx } from '../../../context.ts';
import { recordValues } from '../../../platform/db/recorded-values.ts';
import { addRedemptions } from '../../../promotion/coupons/redeem.ts';
import type { OrderFacts } from '../../commission-rules/order-facts.ts';
import type { LockedLedger } from '../../ledger/post.ts';
import type { StoredDecision } from '../stored-decision.ts';
import type { RecordedOrder } from './recorded-order.ts';

/** The order after the change. `credit` is set for a move: nothing but the affiliate is credited. */
export type Rewritten = { facts: OrderFacts; decision: StoredDecision; credit: { couponId: string | null } | null };

/** Writes the row of the order. The ledger must be open, and the order locked. */
export async function rewriteOrder(tx: Tx, { programId }: LockedLedger, order: RecordedOrder, after: Rewritten): Promise<void> {
  const { facts, decision, credit } = after;
  await sql`
    update conversions set affiliate_id = ${facts.affiliate.id}, amount_cents = ${facts.amountCents},
      facts = ${JSON.stringify(facts)}::jsonb, decision = ${JSON.stringify(decision)}::jsonb, cap_cents = ${decision.capCents}
    where program_id = ${programId} and id = ${order.id}`.execute(tx.db);
  await recordValues(tx, 'conversions', programId, [order.id]);
  if (!credit) return;
  await sql`
    update conversions set method = 'affiliate', click_id = null, clicked_at = null, sub_id = null, sub_ids = '{}',
      coupon_id = ${credit.couponId}
    where program_id = ${programId} and id = ${order.id}`.execute(tx.db);
  if (credit.couponId) await addRedemptions(tx, programId, new Map([[credit.couponId, 1]]));
}

/** A moved order no longer counts as a redemption of its coupon. The order must not be void. */
export async function releaseCoupon(tx: Tx, { programId }: LockedLedger, { couponId }: RecordedOrder): Promise<void> {
  if (couponId) await addRedemptions(tx, programId, new Map([[couponId, -1]]));
}
