// The buyer of an order without their address: keys under which a customer is recognized, and a keyed hash of the
// mailbox that reveals a purchase by the affiliate. Unattributed orders store both for a later claim.
import { createHmac } from 'node:crypto';
import { deliveryKey } from '../../platform/lib/email-address.ts';

export type Buyer = { customerKeys: string[]; mailboxHash: string | null };

export const unknownBuyer: Buyer = { customerKeys: [], mailboxHash: null };

type Sent = { externalId?: string | null | undefined; email?: string | null | undefined };

/** The store's own customer id comes first, then the address as a keyed hash. */
export function identifyBuyer({ externalId, email }: Sent, hashKey: Uint8Array): Buyer {
  const address = email ? deliveryKey(email) : null;
  const keys = [externalId ? `id:${externalId}` : null, address ? `mail:${keyedHash(address, hashKey)}` : null];
  return { customerKeys: keys.filter((key) => key !== null), mailboxHash: email ? hashMailbox(email, hashKey) : null };
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

/** Equal for addresses that reach the same mailbox. */
function hashMailbox(address: string, hashKey: Uint8Array): string {
  return keyedHash(`mailbox:${normalizeMailbox(address)}`, hashKey);
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
