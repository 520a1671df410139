// The events of coupons.
import type { Selectable } from 'kysely';
import type { Tx } from '../../context.ts';
import { defineEvent, type NewEvent } from '../../messaging/events/define.ts';
import type { Coupons } from '../../platform/db/schema.gen.ts';
import { CouponShape, toCoupon } from './coupon.ts';

const object = 'coupon';
const data = CouponShape;

export const couponCreated = defineEvent({ type: 'coupon.created', object, isCreation: true, data, summary: 'A coupon was created.' });
export const couponRedeemed = defineEvent({
  type: 'coupon.redeemed',
  object,
  data,
  summary: 'An order was credited through the coupon. The event `conversion.created` has the order.',
});
export const couponDisabled = defineEvent({
  type: 'coupon.disabled',
  object,
  data,
  summary: 'A coupon was archived: it credits no more orders.',
  previous: { status: 'active' },
});

type CouponEvent = typeof couponCreated | typeof couponRedeemed | typeof couponDisabled;
type Changed = { coupon: Selectable<Coupons>; currency: string; previous?: Record<string, unknown> };

/** An event of a coupon, from its row after the change. */
export function toCouponEvent({ clock }: Pick<Tx, 'clock'>, event: CouponEvent, { coupon, currency, previous }: Changed): NewEvent {
  const shown = toCoupon(coupon, { currency, now: clock.now() });
  return event.of({ objectId: coupon.id, affiliateId: coupon.affiliateId, data: shown, previous: previous ?? null });
}
