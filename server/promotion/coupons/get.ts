import { endpoint } from '../../platform/http/declaration/endpoint.ts';
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
  async handle(ctx, { actor: { programId, currency }, params: { id } }) {
    const coupons = ctx.db.selectFrom('coupons').selectAll().where('programId', '=', programId);
    return toCoupon(await coupons.where('id', '=', id).executeTakeFirstOrThrow(), { currency, now: ctx.clock.now() });
  },
});
