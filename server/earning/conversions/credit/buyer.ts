// Who bought, without the address: keys under which a customer is known, and a keyed hash of the mailbox by
// which a purchase of one's own is recognized. Unattributed orders keep both for a later claim.
import { createHmac } from 'node:crypto';
import { emailKey } from '../../../platform/lib/email-address.ts';
import { mailboxOf } from '../../fraud/suspicions.ts';
import type { ReportedOrder } from '../order.ts';
import type { Person } from './people.ts';

export type Buyer = { customerKeys: string[]; mailboxHash: string | null };

/** An order, and its buyer where the order was reported before and no longer holds the address. */
export type OrderOfBuyer = ReportedOrder & { buyer?: Buyer };

/** The store's own customer id comes first, then the address as a keyed hash. */
export function buyerOf({ customer, buyer }: OrderOfBuyer, hashKey: Buffer): Buyer {
  if (buyer) return buyer;
  const address = customer?.email ? emailKey(customer.email) : null;
  const customerKeys = [
    ...(customer?.externalId ? [`id:${customer.externalId}`] : []),
    ...(address ? [`mail:${keyedHash(address, hashKey)}`] : []),
  ];
  return { customerKeys, mailboxHash: customer?.email ? mailboxHash(customer.email, hashKey) : null };
}

/** Which earner ordered: the affiliate, their upline or neither. */
export function buyerAmong({ mailboxHash: hash }: Buyer, { email, upline }: Person, hashKey: Buffer): 'affiliate' | 'upline' | null {
  if (hash === null) return null;
  if (hash === mailboxHash(email, hashKey)) return 'affiliate';
  return upline && hash === mailboxHash(upline.email, hashKey) ? 'upline' : null;
}

/** Equal for addresses that reach the same mailbox. */
function mailboxHash(address: string, hashKey: Buffer): string {
  return keyedHash(`mailbox:${mailboxOf(address)}`, hashKey);
}

function keyedHash(text: string, hashKey: Buffer): string {
  return createHmac('sha256', hashKey).update(text).digest('hex');
}
