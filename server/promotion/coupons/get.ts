import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { NotFound } from '../../platform/lib/errors.ts';
import { CouponShape, couponSlot, toCoupon } from './coupon.ts';

export const getCoupon = endpoint({
  id: 'coupons.get',
  route: 'GET /v1/programs/:programId/coupons/:id',
  scope: 'read',
  tag: 'Coupons',
  summary: 'Get a coupon',
  path: { id: couponSlot },
  statuses: [200],
  result: CouponShape,
  async handle(ctx, { actor, params }) {
    const coupons = ctx.db.selectFrom('coupons').selectAll().where('programId', '=', actor.programId).where('deletedAt', 'is', null);
    const coupon = await coupons.where('id', '=', params.id).executeTakeFirst();
    if (!coupon) throw new NotFound(); // Deleted since the path was checked.
    return toCoupon(coupon, ctx.clock.now());
  },
});
