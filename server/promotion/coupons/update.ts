import { z } from 'zod';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { changeCoupon } from './change.ts';
import { CouponShape, couponSlot, toCoupon } from './coupon.ts';
import { termFields } from './terms.ts';

const Update = z
  .object({ status: z.enum(['active', 'disabled']).optional(), ...termFields })
  .meta({ id: 'CouponUpdate', example: { endsAt: '2026-12-31T23:59:59Z' } });

export const updateCoupon = endpoint({
  id: 'coupons.update',
  route: 'PATCH /v1/programs/:programId/coupons/:id',
  scope: 'write',
  tag: 'Coupons',
  summary: 'Update a coupon',
  description:
    'Omitted fields are left untouched; `null` clears a nullable field. A new type drops the amounts of the former one unless they ' +
    'are sent with it. The code and the affiliate never change. Orders from before the change keep the products and the commission ' +
    'rate that the coupon had at their time, also when they are reported later.',
  path: { id: couponSlot },
  body: Update,
  statuses: [200],
  result: CouponShape,
  refusals: { 404: 'No such coupon, or `productIds` names a product that is not in this program.' },
  async handle(tx, { actor, params, body }) {
    return toCoupon(await changeCoupon(tx, actor, { id: params.id, ...body }), tx.clock.now());
  },
});
