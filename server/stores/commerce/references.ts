// Every reference by which a store refers to an order, and what the store reported about the order.
import { sql } from 'kysely';
import { z } from 'zod';
import { mergeSignals, Signals } from '../../connections/stores/signals.ts';
import type { References } from '../../connections/stores/store.ts';
import type { Tx } from '../../context.ts';

export type Store = { programId: string; id: string };

/** An order that a store refers to. `isReported`: the store itself has reported it, and not only a payment of it. */
export type KnownOrder = { orderId: string; grossCents: number | null; lineIds: string[]; isReported: boolean };

const Facts = z.object({
  grossCents: z.number().nullish(),
  currency: z.string().nullish(),
  lineIds: z.array(z.string()).nullish(),
  signals: Signals.nullish(),
});

/** The copy of a reference that has no amount yet (`recorded-values.ts`). */
const withoutAmount = sql`'{"amount_cents": null}'::jsonb`;

/** `amountCents` is in `currency`; without one, in that of the program. */
export type SeenOrder = {
  orderId: string;
  amountCents: number;
  currency?: string | undefined;
  occurredAt: Date;
  grossCents: number | null;
  lineIds: readonly string[];
};

/** Stores what the store reports of an order; the first report counts. */
export async function saveOrder(
  tx: Tx,
  store: Store,
  { orderId, amountCents, currency, occurredAt, grossCents, lineIds }: SeenOrder,
): Promise<void> {
  const facts = JSON.stringify({ grossCents, lineIds, currency });
  await sql`
    insert into provider_orders as stored (program_id, provider_id, reference, order_id, amount_cents, facts, occurred_at, created_at,
      recorded_values)
    values (${store.programId}, ${store.id}, ${orderId}, ${orderId}, ${amountCents}, ${facts}, ${occurredAt}, ${tx.clock.now()},
      jsonb_build_object('amount_cents', ${amountCents}::bigint))
    on conflict (program_id, provider_id, reference) do update set amount_cents = excluded.amount_cents,
      facts = coalesce(stored.facts, '{}') || excluded.facts, occurred_at = excluded.occurred_at,
      recorded_values = excluded.recorded_values
    where stored.amount_cents is null and stored.order_id = excluded.order_id`.execute(tx.db);
}

/** Stores references of an order, and returns the new ones. */
export async function saveReferences(tx: Tx, store: Store, orderId: string, references: References): Promise<string[]> {
  const { rows } = await sql<{ reference: string }>`
    insert into provider_orders (program_id, provider_id, reference, order_id, created_at, recorded_values)
    select ${store.programId}, ${store.id}, reference, ${orderId}, ${tx.clock.now()}, ${withoutAmount}
    from unnest(${[...new Set(references)].sort()}::text[]) as reference
    on conflict do nothing returning reference`.execute(tx.db);
  return rows.map(({ reference }) => reference);
}

/** Stores the attribution signals of an order that is only known by this reference. False if it has signals already. */
export async function saveSignals(tx: Tx, store: Store, reference: string, signals: Signals): Promise<boolean> {
  const facts = JSON.stringify({ signals });
  const { rows } = await sql`
    insert into provider_orders as stored (program_id, provider_id, reference, order_id, facts, created_at, recorded_values)
    values (${store.programId}, ${store.id}, ${reference}, ${reference}, ${facts}, ${tx.clock.now()}, ${withoutAmount})
    on conflict (program_id, provider_id, reference) do update set facts = coalesce(stored.facts, '{}') || excluded.facts
    where not coalesce(stored.facts, '{}') ? 'signals' returning reference`.execute(tx.db);
  return rows.length > 0;
}

/** The signals stored under any of these references. */
export async function findStoredSignals(tx: Tx, store: Store, references: References): Promise<Signals> {
  const rows = await findRows(tx, store, references);
  return mergeSignals(...rows.flatMap(({ facts }) => Facts.nullable().parse(facts)?.signals ?? []));
}

/** The order of the first reference that is known. */
export async function findOrder(tx: Tx, store: Store, references: References): Promise<KnownOrder | null> {
  const [found] = await findRows(tx, store, references);
  if (!found) return findOrderReportedByApi(tx, store, references);
  const reported = (await findRows(tx, store, [found.orderId])).find(({ amountCents }) => amountCents !== null);
  const facts = Facts.nullable().parse(reported?.facts ?? null);
  return {
    orderId: found.orderId,
    grossCents: facts?.grossCents ?? null,
    lineIds: facts?.lineIds ?? [],
    isReported: reported !== undefined,
  };
}

/** The id under which the store has reported this order before, under any reference; the given id by default. */
export async function findReportedId(tx: Tx, store: Store, orderId: string, references: References): Promise<string> {
  const named = await findRows(tx, store, references);
  const candidates = await findRows(tx, store, [orderId, ...named.map((row) => row.orderId)]);
  return candidates.find((row) => row.reference === row.orderId && row.amountCents !== null)?.orderId ?? orderId;
}

/** An order that was reported through the API under one of these references. */
async function findOrderReportedByApi(tx: Tx, { programId }: Store, references: References): Promise<KnownOrder | null> {
  const { rows } = await sql<{ orderId: string }>`
    select order_id from conversions where program_id = ${programId} and order_id = any(${[...references]}::text[]) limit 1`.execute(tx.db);
  return rows[0] ? { orderId: rows[0].orderId, grossCents: null, lineIds: [], isReported: true } : null;
}

async function findRows(tx: Tx, store: Store, references: References) {
  if (references.length === 0) return [];
  const orders = tx.db.selectFrom('providerOrders').select(['reference', 'orderId', 'amountCents', 'facts']);
  const rows = await orders
    .where('programId', '=', store.programId)
    .where('providerId', '=', store.id)
    .where('reference', 'in', [...references])
    .execute();
  return rows.toSorted((a, b) => references.indexOf(a.reference) - references.indexOf(b.reference));
}
