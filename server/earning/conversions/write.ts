// The rows of credited orders, and the counts they change, for a whole batch at once.

import { sql } from 'kysely';
import type { Tx } from '../../context.ts';
import { type Addition, addToTotals } from '../../partners/affiliates/totals/add-to-totals.ts';
import { insertRows } from '../../platform/db/insert-rows.ts';
import { addRedemptions } from '../../promotion/coupons/redeem.ts';
import type { Calculation } from '../commission-rules/calculate.ts';
import type { OrderFacts } from '../commission-rules/order-facts.ts';
import type { Earned } from '../commissions/accrue.ts';
import type { Suspicion } from '../fraud/suspicions.ts';
import type { LockedLedger } from '../ledger/post.ts';
import type { Found } from './credit/look-up.ts';
import type { Person } from './credit/people.ts';
import type { Weighed } from './credit/weigh.ts';
import type { Warning } from './warnings.ts';

/** An order that is credited, with everything that was decided about it. */
export type Credited = Omit<Weighed, 'credited'> & {
  id: string;
  person: Person;
  facts: OrderFacts;
  calculation: Calculation;
  suspicions: readonly Suspicion[];
  warnings: readonly Warning[];
};

/** Why an order was credited and paid as it was; stored with it and never changed. */
export type Decision = {
  findings: Weighed['attribution']['findings'];
  lines: Calculation['lines'];
  drafts: Calculation['drafts'];
  unpaid: Calculation['unpaid'];
  capCents: number | null;
  suspicions: readonly Suspicion[];
  warnings: readonly Warning[];
};

/** Writes the conversions. A repeated order id violates conversions_order_unique and aborts. */
export async function insertConversions(tx: Tx, ledger: LockedLedger, credits: readonly Credited[]): Promise<void> {
  // One order of insertion everywhere, so that two batches can't wait for each other.
  const sorted = [...credits].sort((a, b) => (a.order.orderId < b.order.orderId ? -1 : 1));
  await insertRows(
    tx,
    'conversions',
    sorted.map((one) => ({
      programId: ledger.programId,
      id: one.id,
      affiliateId: one.person.id,
      orderId: one.order.orderId,
      amountCents: one.order.amountCents,
      createdAt: tx.clock.now(),
      currency: ledger.currency,
      occurredAt: one.at,
      method: one.attribution.credit?.method ?? 'affiliate',
      clickId: one.attribution.credit?.visit?.id ?? null,
      clickedAt: one.attribution.credit?.visit?.at ?? null,
      couponId: one.attribution.credit?.couponId ?? null,
      conflict: one.attribution.conflict.length > 0 ? one.attribution.conflict : null,
      customerKey: one.buyer.customerKeys[0] ?? null,
      customerKeys: one.buyer.customerKeys,
      subId: one.order.subId ?? null,
      discountCents: one.order.discountCents ?? null,
      taxCents: one.order.taxCents ?? null,
      shippingCents: one.order.shippingCents ?? null,
      subscription: one.order.subscription ?? null,
      metadata: one.order.metadata ?? null,
      facts: one.facts,
      decision: decisionOf(one),
      capCents: one.calculation.capCents,
      refundedCents: 0,
    })),
  );
}

function decisionOf({ attribution, calculation, suspicions, warnings }: Credited): Decision {
  const lines = calculation.lines.map((line) => ({
    ...line,
    candidates: line.candidates.filter(({ outcome }) => !outcome.startsWith('other_')),
  }));
  return {
    findings: attribution.findings,
    lines,
    drafts: calculation.drafts,
    unpaid: calculation.unpaid,
    capCents: calculation.capCents,
    suspicions,
    warnings,
  };
}

type Buyers = { weighed: readonly Weighed[]; found: Found };

/** Keeps what is known of the buyers by now. */
export async function keepCustomers(tx: Tx, programId: string, { weighed, found }: Buyers): Promise<void> {
  const keys = new Set(weighed.flatMap(({ buyer }) => buyer.customerKeys));
  if (keys.size === 0) return;
  const rows = [...keys].sort().flatMap((key) => {
    const customer = found.customers.get(key);
    return customer ? [{ key, affiliate_id: customer.affiliateId, first_order_at: customer.firstOrderAt, orders: customer.orders }] : [];
  });
  await sql`
    insert into customers (program_id, key, affiliate_id, first_order_at, orders)
    select ${programId}::uuid, key, affiliate_id, first_order_at, orders
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as kept (key text, affiliate_id uuid, first_order_at timestamptz, orders bigint)
    on conflict (program_id, key) do update set orders = excluded.orders, first_order_at = excluded.first_order_at`.execute(tx.db);
}

/** Counts the coupons that were credited. */
export async function redeem(tx: Tx, programId: string, credits: readonly Credited[]): Promise<void> {
  const counts = new Map<string, number>();
  for (const { attribution } of credits) {
    const couponId = attribution.credit?.couponId;
    if (couponId) counts.set(couponId, (counts.get(couponId) ?? 0) + 1);
  }
  if (counts.size > 0) await addRedemptions(tx, programId, counts);
}

/** Adds to the lifetime totals of everybody who earned. */
export async function addTotals(tx: Tx, programId: string, credits: readonly Credited[], earned: readonly Earned[]): Promise<void> {
  const additions = new Map<string, Addition>();
  const add = (affiliateId: string, { conversions, commissionCents }: Addition) => {
    const sum = additions.get(affiliateId) ?? { conversions: 0, commissionCents: 0 };
    additions.set(affiliateId, { conversions: sum.conversions + conversions, commissionCents: sum.commissionCents + commissionCents });
  };
  for (const { person } of credits) add(person.id, { conversions: 1, commissionCents: 0 });
  for (const { affiliateId, amountCents } of earned) add(affiliateId, { conversions: 0, commissionCents: amountCents });
  await addToTotals(tx, programId, additions);
}
