// Orders that nobody can be credited for (422). The order id is not used up, so a corrected report may
// still succeed; a shadow row stays, for coverage and for an affiliate's claim.
import { sql } from 'kysely';
import type { Tx } from '../../context.ts';
import { NothingToDo } from '../../platform/lib/errors.ts';
import type { Weighed } from './credit/weigh.ts';
import type { Credited } from './write.ts';

/** 422: a valid report, but nobody to credit. Keeps the order for its shadow row. */
export class NobodyToCredit extends NothingToDo {
  readonly weighed: Weighed;
  constructor(weighed: Weighed) {
    const hints = weighed.attribution.findings.map(({ hint, outcome }) => ({ hint, outcome }));
    const reason = hints.length === 0 ? 'no_hint' : (hints[0]?.outcome ?? 'no_hint');
    super('nobody_to_credit', 'No affiliate can be credited for this order. It is kept, and a corrected report can still succeed.', {
      orderId: weighed.order.orderId,
      reason,
      hints,
    });
    this.weighed = weighed;
  }
}

/** Keeps a shadow of each order that nobody was credited for; of several reports, the last. */
export async function keepUnattributed(tx: Tx, programId: string, outcomes: readonly unknown[], currency: string): Promise<void> {
  const shadows = new Map(
    outcomes.flatMap((outcome) => (outcome instanceof NobodyToCredit ? [[outcome.weighed.order.orderId, outcome]] : [])),
  );
  const now = tx.clock.now();
  const rows = [...shadows].sort().map(([orderId, { facts, weighed }]) => ({
    order_id: orderId,
    amount_cents: weighed.order.amountCents,
    reason: facts?.reason,
    hints: weighed.attribution.findings,
    report: reportOf(weighed),
    customer_key: weighed.buyer.customerKeys[0] ?? null,
    customer_keys: weighed.buyer.customerKeys,
    buyer_hash: weighed.buyer.mailboxHash,
    occurred_at: weighed.at,
  }));
  if (rows.length === 0) return;
  await sql`
    insert into unattributed_orders as kept
      (program_id, order_id, amount_cents, currency, reason, hints, report, customer_key, customer_keys, buyer_hash, occurred_at,
        created_at, updated_at)
    select ${programId}::uuid, order_id, amount_cents, ${currency}, reason, hints, report, customer_key, customer_keys, buyer_hash, occurred_at,
      ${now}, ${now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as shadow
      (order_id text, amount_cents bigint, reason text, hints jsonb, report jsonb, customer_key text, customer_keys text[], buyer_hash text,
        occurred_at timestamptz)
    on conflict (program_id, order_id) do update set amount_cents = excluded.amount_cents, reason = excluded.reason,
      hints = excluded.hints, report = excluded.report, customer_key = excluded.customer_key,
      customer_keys = excluded.customer_keys, buyer_hash = coalesce(excluded.buyer_hash, kept.buyer_hash), occurred_at = excluded.occurred_at,
      updated_at = excluded.updated_at, reports = kept.reports + 1`.execute(tx.db);
}

/** The report without the buyer's address, of which only keyed hashes are stored. */
function reportOf({ order }: Weighed): object {
  const { customer, buyer: _buyer, ...rest } = order;
  if (!customer) return rest;
  const { email: _, ...known } = customer;
  return { ...rest, customer: known };
}

/** Marks shadows whose order has been credited after all. */
export async function resolveUnattributed(tx: Tx, programId: string, credits: readonly Credited[]): Promise<void> {
  const ids = credits.map(({ id }) => id);
  const orderIds = credits.map(({ order }) => order.orderId);
  await sql`
    update unattributed_orders as shadow set conversion_id = credited.id, updated_at = ${tx.clock.now()}
    from unnest(${ids}::uuid[], ${orderIds}::text[]) as credited (id, order_id)
    where shadow.program_id = ${programId} and shadow.order_id = credited.order_id`.execute(tx.db);
}
