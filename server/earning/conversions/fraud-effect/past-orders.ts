// Recorded orders with the inputs of the fraud checks, as they were known when the orders were reported.
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Buyer } from '../../customers/buyer.ts';
import type { OrderToCheck } from '../../fraud/detect.ts';

const ordersPerPage = 1000;

export type PastOrder = {
  affiliateId: string;
  at: Date;
  amountCents: number;
  buyer: Buyer;
  /** Without what is known about browsers. */
  check: Omit<OrderToCheck, 'sharedDevice'>;
  /** Of the credited click. */
  visitorId: string | null;
  /** Whether the provider of the buyer's mailbox was stored; orders from before that can't be checked for it. */
  isMailboxKnown: boolean;
  /** The kinds of its alerts that were resolved as fraud. */
  fraudKinds: readonly string[];
};

type Row = {
  id: string;
  affiliateId: string;
  occurredAt: Date;
  amountCents: number;
  method: string;
  clickId: string | null;
  clickedAt: Date | null;
  clickAction: 'record_flagged' | 'hold' | null;
  referrerHost: string | null;
  destination: string | null;
  adParameter: string | null;
  visitorId: string | null;
  hasClickSignal: boolean;
  hijackedBy: string | null;
  customerKeys: string[];
  buyerHash: string | null;
  disposableDomain: string | null;
  isMailboxKnown: boolean;
  fraudKinds: string[];
};

/** The orders that occurred since then, in pages, the newest first. */
export async function* readPastOrders({ db }: Pick<Context, 'db'>, programId: string, from: Date): AsyncGenerator<PastOrder[]> {
  let before = { at: new Date('9999-12-31T00:00:00Z'), id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };
  for (;;) {
    const { rows } = await sql<Row>`
      select v.id, v.affiliate_id, v.occurred_at, v.amount_cents, v.method, v.click_id, v.clicked_at, click.action as click_action,
        click.referrer_host, click.destination, click.ad_parameter, click.visitor_id,
        v.decision -> 'signals' @> '[{"signal":"click"}]' as has_click_signal,
        jsonb_path_query_first(v.conflict, '$[*] ? (@.outcome == "checkout_hijack").affiliateId') #>> '{}' as hijacked_by,
        v.customer_keys, v.buyer_hash, v.decision ->> 'disposableDomain' as disposable_domain,
        v.buyer_hash is null or v.decision ? 'disposableDomain' as is_mailbox_known,
        array(select event.kind from fraud_events as event where event.program_id = ${programId} and event.conversion_id = v.id
          and event.status = 'fraud') as fraud_kinds
      from (
        select id from conversion_summaries
        where program_id = ${programId} and occurred_at >= ${from} and (occurred_at, id) < (${before.at}, ${before.id}::uuid)
        order by occurred_at desc, id desc limit ${ordersPerPage}
      ) as next join conversions as v on v.program_id = ${programId} and v.id = next.id
      left join clicks as click on click.program_id = ${programId} and click.id = v.click_id
      order by v.occurred_at desc, v.id desc`.execute(db);
    if (rows.length > 0) yield rows.map(toPastOrder);
    const last = rows.at(-1);
    if (!last || rows.length < ordersPerPage) return;
    before = { at: last.occurredAt, id: last.id };
  }
}

function toPastOrder(row: Row): PastOrder {
  const { affiliateId, occurredAt, amountCents, method, clickId, clickedAt, clickAction, hasClickSignal, hijackedBy } = row;
  const { referrerHost, destination, adParameter } = row;
  const source = { referrerHost, destination, adParameter };
  const visit = clickId !== null && clickedAt !== null ? { id: clickId, at: clickedAt, action: clickAction, ...source } : null;
  return {
    affiliateId,
    at: occurredAt,
    amountCents,
    buyer: { customerKeys: row.customerKeys, mailboxHash: row.buyerHash, disposableDomain: row.disposableDomain },
    check: { orderedAt: occurredAt, method, visit, hasClickSignal, hijackedBy },
    visitorId: row.visitorId,
    isMailboxKnown: row.isMailboxKnown,
    fraudKinds: row.fraudKinds,
  };
}
