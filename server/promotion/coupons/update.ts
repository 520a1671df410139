import { z } from 'zod';
import { outdatedError, readVersion, versionHint } from '../../accounts/programs/version.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { changeCoupon } from './change.ts';
import { CouponShape, couponSlot, StoredCouponStatus, toCoupon, unknownCouponProduct } from './coupon.ts';
import { termFields } from './terms.ts';

export const updateCoupon = endpoint({
  id: 'coupons.update',
  route: 'PATCH /v1/programs/:programId/coupons/:id',
  scope: 'write',
  requires: 'terms.write',
  tag: 'Coupons',
  summary: 'Update a coupon',
  description:
    'Omitted fields keep their value; `null` clears a nullable field. A new type clears the amounts of the previous type unless ' +
    "they are sent in the same request. The code and the affiliate can't be changed. Orders placed before a change keep the " +
    `previous products and commission of the coupon, even if they are reported later. ${versionHint}`,
  path: { id: couponSlot },
  body: z
    .object({
      status: StoredCouponStatus.optional().describe('`archived`: the coupon credits no orders. Its code stays reserved.'),
      ...termFields,
    })
    .meta({ id: 'CouponUpdate', example: { endsAt: '2026-12-31T23:59:59Z' } }),
  statuses: [200],
  result: CouponShape,
  errors: [unknownCouponProduct, outdatedError('stale_coupon', 'coupon')],
  async handle(tx, { actor, caller, params: { id }, body }) {
    const coupon = await changeCoupon(tx, actor, { ...body, id }, { seenVersion: readVersion(caller.headers['if-match']) });
    return toCoupon(coupon, { currency: actor.currency, now: tx.clock.now() });
  },
});
