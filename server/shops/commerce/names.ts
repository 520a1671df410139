// Every name by which a shop speaks of an order, and what the shop knows of it.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { type Hints, hintsOf, KeptHints } from './read/hints.ts';

export type Shop = { programId: string; id: string };
export type Known = { orderId: string; grossCents: number | null; lineIds: string[]; isReported: boolean };

const Facts = z.object({ grossCents: z.number().nullish(), lineIds: z.array(z.string()).nullish(), hints: KeptHints.nullish() });

type OrderSeen = { orderId: string; amountCents: number; occurredAt: Date; grossCents: number | null; lineIds: readonly string[] };

/** Keeps what the shop says of an order; the first time counts. */
export async function keepOrder(tx: Tx, shop: Shop, { orderId, amountCents, occurredAt, ...facts }: OrderSeen): Promise<void> {
  const [given, now] = [JSON.stringify(facts), tx.clock.now()];
  await sql`
    insert into provider_orders as kept (program_id, provider_id, reference, order_id, amount_cents, facts, occurred_at, seen_at)
    values (${shop.programId}, ${shop.id}, ${orderId}, ${orderId}, ${amountCents}, ${given}, ${occurredAt}, ${now})
    on conflict (program_id, provider_id, reference) do update set amount_cents = excluded.amount_cents,
      facts = coalesce(kept.facts, '{}') || excluded.facts, occurred_at = excluded.occurred_at
    where kept.amount_cents is null and kept.order_id = excluded.order_id`.execute(tx.db);
}

/** Keeps names of an order. Gives those that are new. */
export async function keepNames(tx: Tx, shop: Shop, orderId: string, names: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ reference: string }>`
    insert into provider_orders (program_id, provider_id, reference, order_id, seen_at)
    select ${shop.programId}, ${shop.id}, name, ${orderId}, ${tx.clock.now()} from unnest(${[...new Set(names)].sort()}::text[]) as name
    on conflict do nothing returning reference`.execute(tx.db);
  return rows.map(({ reference }) => reference);
}

/** Keeps whose an order will be that is only known by this name. True when that is news. */
export async function keepHints(tx: Tx, shop: Shop, name: string, hints: Hints): Promise<boolean> {
  const facts = JSON.stringify({ hints });
  const { rows } = await sql`
    insert into provider_orders as kept (program_id, provider_id, reference, order_id, facts, seen_at)
    values (${shop.programId}, ${shop.id}, ${name}, ${name}, ${facts}, ${tx.clock.now()})
    on conflict (program_id, provider_id, reference) do update set facts = coalesce(kept.facts, '{}') || excluded.facts
    where not coalesce(kept.facts, '{}') ? 'hints' returning reference`.execute(tx.db);
  return rows.length > 0;
}

/** Hints that were kept under any of these names. */
export async function findHints(tx: Tx, shop: Shop, names: readonly string[]): Promise<Hints> {
  const rows = await rowsOf(tx, shop, names);
  return hintsOf(...rows.flatMap(({ facts }) => (Facts.nullable().parse(facts)?.hints ?? []) as Hints));
}

/** The order that is meant by the first of these names that says one. Null: none is known yet. */
export async function findOrder(tx: Tx, shop: Shop, names: readonly string[]): Promise<Known | null> {
  const [found] = await rowsOf(tx, shop, names);
  if (!found) return reportedOtherwise(tx, shop, names);
  const own = (await rowsOf(tx, shop, [found.orderId])).find(({ amountCents }) => amountCents !== null);
  const facts = Facts.nullable().parse(own?.facts ?? null);
  return { orderId: found.orderId, grossCents: facts?.grossCents ?? null, lineIds: facts?.lineIds ?? [], isReported: own !== undefined };
}

/** The id under which the shop has reported an order of this id or these names; this id where it hasn't. */
export async function reportedAs(tx: Tx, shop: Shop, orderId: string, names: readonly string[]): Promise<string> {
  const named = await rowsOf(tx, shop, names);
  const meant = await rowsOf(tx, shop, [orderId, ...named.map((row) => row.orderId)]);
  return meant.find((row) => row.reference === row.orderId && row.amountCents !== null)?.orderId ?? orderId;
}

/** An order that the shop's owner reported by the API under one of these names. */
async function reportedOtherwise(tx: Tx, { programId }: Shop, names: readonly string[]): Promise<Known | null> {
  const { rows } = await sql<{ orderId: string }>`
    select order_id from conversions where program_id = ${programId} and order_id = any(${[...names]}::text[]) limit 1`.execute(tx.db);
  return rows[0] ? { orderId: rows[0].orderId, grossCents: null, lineIds: [], isReported: true } : null;
}

async function rowsOf(tx: Tx, shop: Shop, names: readonly string[]) {
  if (names.length === 0) return [];
  const orders = tx.db.selectFrom('providerOrders').select(['reference', 'orderId', 'amountCents', 'facts']);
  const rows = await orders
    .where('programId', '=', shop.programId)
    .where('providerId', '=', shop.id)
    .where('reference', 'in', [...names])
    .execute();
  return rows.toSorted((a, b) => names.indexOf(a.reference) - names.indexOf(b.reference));
}
