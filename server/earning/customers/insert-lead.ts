import type { Tx } from '../../context.ts';
import { insertRows } from '../../platform/db/inserts/insert-rows.ts';
import type { LockedLedger } from '../ledger/post.ts';

/** A lead that is attributed to an affiliate, with the explanation of the decision. */
export type NewLead = {
  id: string;
  externalId: string;
  name: string | null;
  customerId: string;
  affiliate: { id: string };
  credit: { method: string; couponId: string | null; visit: { id: string; at: Date } | null };
  attribution: { conflict: readonly object[] };
  order: { subId?: string | null | undefined; metadata?: object | null | undefined };
  facts: object;
  decision: object;
  at: Date;
};

/** Inserts a lead. A repeated external id violates leads_external_id_unique and aborts the transaction. */
export async function insertLead(tx: Tx, { programId, currency }: LockedLedger, lead: NewLead): Promise<void> {
  const { id, externalId, name, customerId, affiliate, credit, attribution, order, facts, decision, at } = lead;
  await insertRows(tx, 'leads', [
    {
      programId,
      id,
      externalId,
      name,
      affiliateId: affiliate.id,
      customerId,
      currency,
      method: credit.method,
      clickId: credit.visit?.id ?? null,
      clickedAt: credit.visit?.at ?? null,
      couponId: credit.couponId,
      conflict: attribution.conflict.length > 0 ? attribution.conflict : null,
      subId: order.subId ?? null,
      metadata: order.metadata ?? null,
      facts,
      decision,
      occurredAt: at,
      createdAt: tx.clock.now(),
    },
  ]);
}
