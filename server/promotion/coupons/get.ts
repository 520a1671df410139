import { z } from 'zod';
import { findAffiliateReferences } from '../../partners/affiliates/reference.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { expandable } from '../../platform/http/declaration/lists.ts';
import { findProductReferences } from '../catalogue/reference.ts';
import { CouponShape, couponSlot, toCoupon } from './coupon.ts';

export const getCoupon = endpoint({
  id: 'coupons.get',
  route: 'GET /v1/programs/:programId/coupons/:id',
  scope: 'read',
  tag: 'Coupons',
  summary: 'Get a coupon',
  path: { id: couponSlot },
  query: z.object({ expand: expandable('affiliate', 'products') }),
  statuses: [200],
  result: CouponShape,
  async handle(ctx, { actor: { programId, currency }, params: { id }, query: { expand } }) {
    const coupons = ctx.db.selectFrom('coupons').selectAll().where('programId', '=', programId);
    const row = await coupons.where('id', '=', id).executeTakeFirstOrThrow();
    const affiliates = await findAffiliateReferences(ctx, programId, expand.has('affiliate') ? [row.affiliateId] : []);
    const products = await findProductReferences(ctx, programId, expand.has('products') ? row.productIds : []);
    const related = {
      affiliate: affiliates.get(row.affiliateId),
      products: expand.has('products') ? row.productIds.flatMap((product) => products.get(product) ?? []) : undefined,
    };
    return toCoupon(row, { currency, now: ctx.clock.now() }, related);
  },
});
