// A recorded order that is changed afterwards: locked, with everything that it was credited by and calculated from.
import { sql } from 'kysely';
import type { Tx } from '../../../context.ts';
import { toCodeKey } from '../../../promotion/coupons/code.ts';
import { couponAt, findCouponRejection, findCoupons } from '../../../promotion/coupons/redeem.ts';
import { type AffiliateAtOrder, findAffiliateAt, findAffiliates } from '../../commission-rules/earners/affiliate-at-order.ts';
import { OrderFacts } from '../../commission-rules/order-facts.ts';
import type { Buyer } from '../../customers/buyer.ts';
import type { LockedLedger } from '../../ledger/post.ts';
import type { Warning } from '../../orders/conversion-shape.ts';
import { warnOtherTerms } from '../conversion.ts';
import { toEarner } from '../recording/decide.ts';
import { StoredDecision } from '../stored-decision.ts';

export type RecordedOrder = {
  id: string;
  orderId: string;
  affiliateId: string;
  amountCents: number;
  refundedCents: number;
  method: string;
  clickId: string | null;
  clickedAt: Date | null;
  couponId: string | null;
  occurredAt: Date;
  isVoid: boolean;
  isCancelled: boolean;
  /** The order was rejected as fraud: permanently, for every affiliate. */
  isFraud: boolean;
  buyer: Buyer;
  facts: OrderFacts;
  decision: StoredDecision;
};

type Row = Omit<RecordedOrder, 'facts' | 'decision'> & { facts: unknown; decision: unknown };

/** Locks an order. The ledger must be open. */
export async function lockRecordedOrder(tx: Tx, { programId }: LockedLedger, conversionId: string): Promise<RecordedOrder> {
  const { rows } = await sql<Row>`
    select id, order_id, affiliate_id, amount_cents, refunded_cents, method, click_id, clicked_at, coupon_id, occurred_at, facts, decision,
      jsonb_build_object('customerKeys', customer_keys, 'mailboxHash', buyer_hash) as buyer, voided_at is not null as is_void,
      exists (select from order_changes as change where change.program_id = ${programId}
        and change.conversion_id = conversion.id and change.kind = 'cancelled') as is_cancelled,
      exists (select from fraud_events as alert where alert.program_id = ${programId}
        and alert.conversion_id = conversion.id and alert.status = 'fraud') as is_fraud
    from conversions as conversion
    where program_id = ${programId} and id = ${conversionId} for no key update of conversion`.execute(tx.db);
  const [row] = rows;
  if (!row) throw new Error('The order was found before and no longer exists.');
  return { ...row, facts: OrderFacts.parse(row.facts), decision: StoredDecision.parse(row.decision) };
}

/** What the order is credited by after a move: the facts for the new affiliate, and the coupon that counts as redeemed. */
export type NewCredit = {
  facts: OrderFacts;
  couponId: string | null;
  status: string;
  holdDays: ReadonlyMap<string, number | null>;
  warnings: Warning[];
  affiliate: AffiliateAtOrder;
  /** Those of the affiliate and their uplines, past and present, who are active now. */
  activeIds: ReadonlySet<string>;
};

/**
 * The order as if it had named this affiliate: with their group, override and upline of that time. Its coupon pays and
 * counts only if it is theirs. Null if the affiliate does not exist.
 */
export async function creditTo(tx: Tx, programId: string, order: RecordedOrder, affiliateId: string): Promise<NewCredit | null> {
  const at = new Date(order.facts.at);
  const affiliates = await findAffiliates(tx, programId, [affiliateId], at);
  const affiliate = findAffiliateAt(affiliates, affiliateId, at);
  const now = affiliates.get(affiliateId);
  if (!affiliate || !now) return null;
  const { upline } = affiliate;
  const coupon = order.facts.coupon && (await findOwnCoupon(tx, programId, { order, affiliateId, couponId: order.facts.coupon.id }));
  const { commissionType: type = null, commissionRate: rate = null } = coupon ?? {};
  const pay = type !== null && rate !== null ? { type, rate } : null;
  // A change is made now: suspending an upline stops what it would give them, as it does for the affiliate.
  const activeIds = new Set([...affiliates.values()].filter((one) => one.status === 'active').map(({ id }) => id));
  const facts: OrderFacts = {
    ...order.facts,
    affiliate: toEarner(affiliate),
    upline: upline?.status === 'active' && activeIds.has(upline.id) ? toEarner(upline) : null,
    coupon: order.facts.coupon && { ...order.facts.coupon, pay },
  };
  const holdDays = new Map([affiliate, ...(upline ? [upline] : [])].map((one) => [one.id, one.holdDays]));
  return { facts, couponId: coupon?.id ?? null, status: now.status, holdDays, warnings: warnOtherTerms(affiliate), affiliate, activeIds };
}

type CouponUse = { order: RecordedOrder; affiliateId: string; couponId: string };

/** The coupon of the order with its terms of that time, if it belongs to the affiliate and is valid for the order. */
async function findOwnCoupon(tx: Tx, programId: string, { order, affiliateId, couponId }: CouponUse) {
  const named = tx.db.selectFrom('coupons').select('code').where('programId', '=', programId).where('id', '=', couponId);
  const { code } = await named.executeTakeFirstOrThrow();
  const at = new Date(order.facts.at);
  const found = (await findCoupons(tx, programId, { codes: [code], from: at })).get(toCodeKey(code));
  if (found?.affiliateId !== affiliateId) return null;
  const coupon = couponAt(found, at);
  const productIds = order.facts.lines.flatMap((line) => line.productId ?? []);
  return findCouponRejection(coupon, { at, amountCents: order.amountCents, productIds }) === null ? coupon : null;
}
