// The customers that orders and leads name. A buyer is known without their address: by keys under which a customer is
// recognized, and by a keyed hash of the mailbox, which reveals a purchase by the affiliate. Of each key the number of its
// orders is known, and of each customer the affiliate that they are bound to. Counting is pure.
import { createHmac } from 'node:crypto';
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import { plainSql } from '../../platform/db/statements/plain-sql.ts';
import { deliveryKey } from '../../platform/lib/email-address.ts';
import { findDisposableDomain } from '../../platform/lib/network/disposable-domains.ts';
import type { AttributionMethod } from '../orders/conversion-shape.ts';

/**
 * Unattributed orders store it for a later claim. `disposableDomain`: the provider, if the buyer's mailbox expires; null if it
 * doesn't; undefined without an address, and where it was not stored.
 */
export type Buyer = { customerKeys: string[]; mailboxHash: string | null; disposableDomain?: string | null | undefined };

export const unknownBuyer: Buyer = { customerKeys: [], mailboxHash: null };

type Sent = { externalId?: string | null | undefined; email?: string | null | undefined };

/** The store's own customer id comes first, then the address as a keyed hash. */
export function identifyBuyer({ externalId, email }: Sent, hashKey: Uint8Array): Buyer {
  const address = email ? deliveryKey(email) : null;
  const keys = [externalId ? `id:${externalId}` : null, address ? `mail:${keyedHash(address, hashKey)}` : null];
  const customerKeys = keys.filter((key) => key !== null);
  if (!email) return { customerKeys, mailboxHash: null };
  const mailbox = normalizeMailbox(email);
  const disposableDomain = findDisposableDomain(mailbox.slice(mailbox.lastIndexOf('@') + 1));
  return { customerKeys, mailboxHash: keyedHash(`mailbox:${mailbox}`, hashKey), disposableDomain };
}

export type Earner = { email: string; upline: { email: string } | null };

/** Whether the buyer is the affiliate, their upline or neither: by the mailbox, or by the address of the customer. */
export function matchBuyer(buyer: Buyer, { email, upline }: Earner, hashKey: Uint8Array): 'affiliate' | 'upline' | null {
  if (isMailboxOf(buyer, email, hashKey)) return 'affiliate';
  return upline && isMailboxOf(buyer, upline.email, hashKey) ? 'upline' : null;
}

function isMailboxOf({ mailboxHash, customerKeys }: Buyer, email: string, hashKey: Uint8Array): boolean {
  if (mailboxHash === null && customerKeys.length === 0) return false;
  const own = identifyBuyer({ email }, hashKey);
  return mailboxHash === own.mailboxHash || own.customerKeys.some((key) => customerKeys.includes(key));
}

function keyedHash(text: string, hashKey: Uint8Array): string {
  return createHmac('sha256', hashKey).update(text).digest('hex');
}

/**
 * The mailbox that an address reaches: letter case, +tags and the dots that Gmail ignores don't count. Full-width
 * letters and other spellings of a domain (IDNA) become the one that is delivered to.
 */
export function normalizeMailbox(address: string): string {
  const plain = address.normalize('NFKC').trim();
  const key = deliveryKey(plain) ?? plain.toLowerCase();
  const at = key.lastIndexOf('@');
  const domain = key.slice(at + 1).replace(/^googlemail\.com$/, 'gmail.com');
  const local = key.slice(0, at).replace(/\+.*$/, '');
  return `${domain === 'gmail.com' ? local.replaceAll('.', '') : local}@${domain}`;
}

type Method = z.infer<typeof AttributionMethod>;

/** A key of a customer. `orders`: the credited orders that named it; fully refunded ones do not count. */
export type KnownKey = { customerId: string; firstOrderAt: Date | null; orders: number };

/** The affiliate that a customer is bound to, and by what. Without an affiliate, everything else is null. */
export type Binding = {
  affiliateId: string | null;
  boundBy: 'order' | 'lead' | 'member' | null;
  /** The attribution signal of the order or lead. */
  boundMethod: Method | null;
  boundAt: Date | null;
  /** How often the binding was changed. */
  changes: number;
};

export type KnownCustomers = { keys: ReadonlyMap<string, KnownKey>; bindings: ReadonlyMap<string, Binding> };

/** The customers that have one of these keys. */
export async function findCustomers(ctx: Pick<Context, 'db'>, programId: string, keys: readonly string[]): Promise<KnownCustomers> {
  if (keys.length === 0) return { keys: new Map(), bindings: new Map() };
  const { rows } = await plainSql<KnownKey & Binding & { key: string }>`
    select known.key, known.customer_id, known.first_order_at, known.orders,
      customer.affiliate_id, customer.bound_by, customer.bound_method, customer.bound_at, customer.changes
    from customer_keys as known join customers as customer on customer.program_id = ${programId} and customer.id = known.customer_id
    where known.program_id = ${programId} and known.key = any(${keys})`.execute(ctx.db);
  return {
    keys: new Map(rows.map(({ key, customerId, firstOrderAt, orders }) => [key, { customerId, firstOrderAt, orders }])),
    bindings: new Map(
      rows.map(({ customerId, affiliateId, boundBy, boundMethod, boundAt, changes }) => [
        customerId,
        { affiliateId, boundBy, boundMethod, boundAt, changes },
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

/** The number of the next change of the customer's binding, from 1. */
export function nextStep({ bindings }: KnownCustomers, customerId: string): number {
  return (bindings.get(customerId)?.changes ?? 0) + 1;
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
  const changes = nextStep(known, customerId);
  const binding: Binding = { affiliateId: affiliate.id, boundBy: 'order', boundMethod: credit.method, boundAt: at, changes };
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
