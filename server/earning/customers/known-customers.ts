// The customers that orders and leads name: by which keys they are recognized, how many orders each key has had, and the
// affiliate that they are bound to. Counting is pure.
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import { plainSql } from '../../platform/db/statements/plain-sql.ts';
import type { AttributionMethod } from '../orders/conversion-shape.ts';

type Method = z.infer<typeof AttributionMethod>;

/** A key of a customer. `orders`: the credited orders that named it; fully refunded ones do not count. */
export type KnownKey = { customerId: string; firstOrderAt: Date | null; orders: number };

/** The affiliate that a customer is bound to, and by what. Without an affiliate, everything is null. */
export type Binding = {
  affiliateId: string | null;
  boundBy: 'order' | 'lead' | 'member' | null;
  /** The attribution signal of the order or lead. */
  boundMethod: Method | null;
  boundAt: Date | null;
};

export type KnownCustomers = { keys: ReadonlyMap<string, KnownKey>; bindings: ReadonlyMap<string, Binding> };

/** The customers that have one of these keys. */
export async function findCustomers(ctx: Pick<Context, 'db'>, programId: string, keys: readonly string[]): Promise<KnownCustomers> {
  if (keys.length === 0) return { keys: new Map(), bindings: new Map() };
  const { rows } = await plainSql<KnownKey & Binding & { key: string }>`
    select known.key, known.customer_id, known.first_order_at, known.orders,
      customer.affiliate_id, customer.bound_by, customer.bound_method, customer.bound_at
    from customer_keys as known join customers as customer on customer.program_id = ${programId} and customer.id = known.customer_id
    where known.program_id = ${programId} and known.key = any(${keys})`.execute(ctx.db);
  return {
    keys: new Map(rows.map(({ key, customerId, firstOrderAt, orders }) => [key, { customerId, firstOrderAt, orders }])),
    bindings: new Map(
      rows.map(({ customerId, affiliateId, boundBy, boundMethod, boundAt }) => [
        customerId,
        { affiliateId, boundBy, boundMethod, boundAt },
      ]),
    ),
  };
}

/**
 * The customer that these keys name: the first known one, so that the program's own id comes before the email address.
 * Null if none is known.
 */
export function findCustomerId({ keys }: KnownCustomers, named: readonly string[]): string | null {
  return named.flatMap((key) => keys.get(key)?.customerId ?? [])[0] ?? null;
}

/** The order history of these keys; of several, the one with the most orders. Null if none is known. */
export function findHistory({ keys }: KnownCustomers, named: readonly string[]): KnownKey | null {
  const known = named.flatMap((key) => keys.get(key) ?? []);
  return known.toSorted((a, b) => b.orders - a.orders)[0] ?? null;
}

/** A credited order of a customer. */
export type OrderOfCustomer = {
  customerId: string | null;
  buyer: { customerKeys: readonly string[] };
  affiliate: { id: string };
  credit: { method: Method };
  at: Date;
};

/** The customers after one more order. An order of a customer without an affiliate binds them to the credited one. */
export function countOrder(known: KnownCustomers, { customerId, buyer, affiliate, credit, at }: OrderOfCustomer): KnownCustomers {
  if (customerId === null) return known;
  const keys = new Map(known.keys);
  for (const key of buyer.customerKeys) keys.set(key, countKey(keys.get(key), { customerId, at }));
  if (known.bindings.get(customerId)?.affiliateId) return { keys, bindings: known.bindings };
  const binding: Binding = { affiliateId: affiliate.id, boundBy: 'order', boundMethod: credit.method, boundAt: at };
  return { keys, bindings: new Map(known.bindings).set(customerId, binding) };
}

/**
 * The first order is the one that occurred first, in whichever sequence orders are reported. After a full refund of all
 * orders, the next one is the first again.
 */
function countKey(known: KnownKey | undefined, { customerId, at }: { customerId: string; at: Date }): KnownKey {
  const earlier = known && known.orders > 0 ? known.firstOrderAt : null;
  const firstOrderAt = earlier && earlier < at ? earlier : at;
  return { customerId: known?.customerId ?? customerId, firstOrderAt, orders: (known?.orders ?? 0) + 1 };
}
