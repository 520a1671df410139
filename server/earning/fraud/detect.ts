// Fraud detection on orders. An alert holds the commission or only flags it, as the program's settings say; it never
// rejects the order.
import { z } from 'zod';

const Action = z.enum(['hold', 'flag', 'off']).meta({ id: 'FraudAction' });

export const FraudSettings = z
  .object({
    selfReferral: Action.default('hold').describe("The buyer's email address is the affiliate's or their upline's."),
    fastOrder: Action.default('hold').describe('Ordered within `fastOrderSeconds` of the click.'),
    fastOrderSeconds: z.int().min(1).max(3600).default(3),
    couponWithoutClick: Action.default('off').describe('A coupon was used without any click: the code may have leaked.'),
    checkoutHijack: Action.default('flag').describe('A click shortly before the order lost to an earlier signal.'),
  })
  .meta({
    id: 'FraudSettings',
    example: { selfReferral: 'hold', fastOrder: 'hold', fastOrderSeconds: 3, couponWithoutClick: 'off', checkoutHijack: 'flag' },
  });
export type FraudSettings = z.infer<typeof FraudSettings>;

export const FraudKind = z
  .enum(['self_referral', 'fast_order', 'held_click', 'coupon_without_click', 'checkout_hijack', 'shared_payout_account'])
  .meta({ id: 'FraudKind' });
type FraudKind = z.infer<typeof FraudKind>;

export const DetectedFraud = z
  .object({
    kind: FraudKind,
    action: z.enum(['hold', 'flag']),
    evidence: z.record(z.string(), z.union([z.string(), z.number(), z.null()])).describe('What was observed; the fields depend on `kind`.'),
  })
  .meta({ id: 'DetectedFraud' });
export type DetectedFraud = z.infer<typeof DetectedFraud>;

export type OrderToCheck = {
  orderedAt: Date;
  method: string;
  visit: { id: string; at: Date; action: 'record_flagged' | 'hold' | null } | null;
  hasClickSignal: boolean;
  /** The affiliate whose late click lost. */
  hijackedBy: string | null;
};

/** Every alert about how the order came about, in a fixed order. Pure. */
export function detectFraud(order: OrderToCheck, settings: FraudSettings): DetectedFraud[] {
  const found: DetectedFraud[] = [];
  const add = (kind: FraudKind, action: z.infer<typeof Action>, evidence: DetectedFraud['evidence']) => {
    if (action !== 'off') found.push({ kind, action, evidence });
  };
  if (order.visit) {
    const seconds = (order.orderedAt.getTime() - order.visit.at.getTime()) / 1000;
    if (seconds < settings.fastOrderSeconds) add('fast_order', settings.fastOrder, { secondsAfterClick: seconds, clickId: order.visit.id });
    if (order.visit.action === 'hold') add('held_click', 'hold', { clickId: order.visit.id });
  }
  if (order.method === 'coupon' && !order.hasClickSignal) add('coupon_without_click', settings.couponWithoutClick, {});
  if (order.hijackedBy !== null) add('checkout_hijack', settings.checkoutHijack, { affiliateId: order.hijackedBy });
  return found;
}
