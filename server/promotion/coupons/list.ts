import { z } from 'zod';
import { searchField, toLikePattern } from '../../accounts/programs/search.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { countOut, page, uuid } from '../../platform/http/declaration/fields.ts';
import { CouponShape, CouponStatus, toCoupon } from './coupon.ts';

const Query = z.object({
  affiliateId: uuid.optional(),
  status: CouponStatus.optional(),
  search: searchField('Part of the code'),
  ...page,
});

export const listCoupons = endpoint({
  id: 'coupons.list',
  route: 'GET /v1/programs/:programId/coupons',
  scope: 'read',
  tag: 'Coupons',
  summary: 'List coupons',
  description: 'Newest first, without deleted ones.',
  query: Query,
  statuses: [200],
  result: z.object({ coupons: z.array(CouponShape), total: countOut, limit: countOut, offset: countOut }).meta({ id: 'CouponList' }),
  async handle(ctx, { actor, query: { affiliateId, status, search, limit, offset } }) {
    const now = ctx.clock.now();
    let coupons = ctx.db.selectFrom('coupons').where('programId', '=', actor.programId).where('deletedAt', 'is', null);
    if (affiliateId) coupons = coupons.where('affiliateId', '=', affiliateId);
    if (status) coupons = coupons.where('status', '=', status === 'disabled' ? 'disabled' : 'active');
    if (status === 'active') coupons = coupons.where((where) => where.or([where('endsAt', 'is', null), where('endsAt', '>', now)]));
    if (status === 'expired') coupons = coupons.where('endsAt', '<=', now);
    if (search) coupons = coupons.where('codeKey', 'like', toLikePattern(search));
    const { total } = await coupons.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const rows = await coupons.selectAll().orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(limit).offset(offset).execute();
    return { coupons: rows.map((row) => toCoupon(row, now)), total, limit, offset };
  },
});
