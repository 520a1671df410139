// What looks wrong about an order. A suspicion holds the commission or only leaves a note, as the program
// decided; it never drops the order. Pure.
import { z } from 'zod';
import { emailKey } from '../../platform/lib/email-address.ts';

const Action = z.enum(['hold', 'flag', 'off']).meta({ id: 'FraudAction' });

/** What a program does about each kind of doubt. */
export const FraudSettings = z
  .object({
    selfReferral: Action.default('hold').describe("The buyer's address is the affiliate's own or their upline's."),
    fastOrder: Action.default('hold').describe('Ordered within `fastOrderSeconds` of the click: nobody shops so fast.'),
    fastOrderSeconds: z.int().min(1).max(3600).default(3),
    couponWithoutClick: Action.default('off').describe(
      'A coupon was used by somebody who never visited by a link: the code may have leaked.',
    ),
    checkoutHijack: Action.default('flag').describe('A click shortly before the order lost to an earlier touch.'),
  })
  .meta({ id: 'FraudSettings' });
export type FraudSettings = z.infer<typeof FraudSettings>;

export const fraudKinds = [
  'self_referral',
  'fast_order',
  'held_click',
  'coupon_without_click',
  'checkout_hijack',
  'shared_payout_account',
] as const;
export type FraudKind = (typeof fraudKinds)[number];

export type Suspicion = { kind: FraudKind; action: 'hold' | 'flag'; evidence: Record<string, string | number | null> };

export type Circumstances = {
  /** Who of the earners reaches the mailbox that the buyer ordered with. */
  buyerIs: 'affiliate' | 'upline' | null;
  orderedAt: Date;
  method: string;
  visit: { id: string; at: Date; action: 'record_flagged' | 'hold' | null } | null;
  hasClickHint: boolean;
  /** The affiliate whose late click lost. */
  hijackedBy: string | null;
};

/** Every doubt about the order, in a fixed order. */
export function suspicionsOf(order: Circumstances, settings: FraudSettings): Suspicion[] {
  const found: Suspicion[] = [];
  const add = (kind: FraudKind, action: FraudSettings['selfReferral'], evidence: Suspicion['evidence']) => {
    if (action !== 'off') found.push({ kind, action, evidence });
  };
  if (order.buyerIs) add('self_referral', settings.selfReferral, { buyerIs: order.buyerIs });
  if (order.visit) {
    const seconds = (order.orderedAt.getTime() - order.visit.at.getTime()) / 1000;
    if (seconds < settings.fastOrderSeconds) add('fast_order', settings.fastOrder, { secondsAfterClick: seconds, clickId: order.visit.id });
    if (order.visit.action === 'hold') add('held_click', 'hold', { clickId: order.visit.id });
  }
  if (order.method === 'coupon' && !order.hasClickHint) add('coupon_without_click', settings.couponWithoutClick, {});
  if (order.hijackedBy !== null) add('checkout_hijack', settings.checkoutHijack, { affiliateId: order.hijackedBy });
  return found;
}

/**
 * The mailbox that an address reaches: letter forms, +tags and the dots that Gmail ignores don't count. Full-width
 * letters and other spellings of a domain (IDNA) become the one that is delivered to.
 */
export function mailboxOf(address: string): string {
  const plain = address.normalize('NFKC').trim();
  const key = emailKey(plain) ?? plain.toLowerCase();
  const at = key.lastIndexOf('@');
  const domain = key.slice(at + 1).replace(/^googlemail\.com$/, 'gmail.com');
  const local = key.slice(0, at).replace(/\+.*$/, '');
  return `${domain === 'gmail.com' ? local.replaceAll('.', '') : local}@${domain}`;
}
