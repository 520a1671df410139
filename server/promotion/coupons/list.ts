// Listing coupons. Whether a coupon is active or expired follows from its end, not from a stored status.
import type { ExpressionBuilder } from 'kysely';
import { z } from 'zod';
import { searchField, toLikePattern } from '../../accounts/programs/search.ts';
import { findAffiliateReferences } from '../../partners/affiliates/reference.ts';
import type { DB } from '../../platform/db/schema.gen.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { line, uuid } from '../../platform/http/declaration/fields.ts';
import { cursorPage } from '../../platform/http/declaration/list-cursor.ts';
import { cursorListOf, expandable, findPage, oneOf, sortBy, timeRange, withinRange } from '../../platform/http/declaration/lists.ts';
import { findProductReferences } from '../catalogue/reference.ts';
import { CouponShape, CouponStatus, toCoupon } from './coupon.ts';

export const listCoupons = endpoint({
  id: 'coupons.list',
  route: 'GET /v1/programs/:programId/coupons',
  scope: 'read',
  tag: 'Coupons',
  summary: 'List coupons',
  query: z.object({
    affiliateId: uuid.optional(),
    status: oneOf(CouponStatus),
    externalId: line(200).optional(),
    leakSuspected: z.enum(['true', 'false']).optional().describe('Only coupons whose code may have leaked, or only others.'),
    search: searchField('Matches part of the code'),
    ...timeRange('created'),
    ...cursorPage,
    sort: sortBy('createdAt', 'code', 'redemptions'),
    expand: expandable('affiliate', 'products'),
  }),
  statuses: [200],
  result: cursorListOf('coupons', CouponShape, 'CouponList'),
  async handle(ctx, { actor: { programId, currency }, query }) {
    const { affiliateId, status, externalId, leakSuspected, search, limit, offset, expand } = query;
    const now = ctx.clock.now();
    let coupons = ctx.db.selectFrom('coupons').where('programId', '=', programId);
    if (affiliateId) coupons = coupons.where('affiliateId', '=', affiliateId);
    if (status) coupons = coupons.where((where) => where.or(status.map((value) => hasStatus(where, value, now))));
    if (leakSuspected) coupons = coupons.where('leakSuspectedAt', leakSuspected === 'true' ? 'is not' : 'is', null);
    if (externalId) coupons = coupons.where('externalId', '=', externalId);
    if (search) coupons = coupons.where('codeKey', 'like', toLikePattern(search));
    coupons = coupons.where(withinRange('createdAt', query.createdFrom, query.createdTo));
    const { rows, total, nextCursor } = await findPage(coupons, query, (found) => found.selectAll());
    const affiliateIds = expand.has('affiliate') ? rows.map((row) => row.affiliateId) : [];
    const affiliates = await findAffiliateReferences(ctx, programId, affiliateIds);
    const productIds = expand.has('products') ? rows.flatMap((row) => row.productIds) : [];
    const products = await findProductReferences(ctx, programId, productIds);
    const shown = rows.map((row) =>
      toCoupon(
        row,
        { currency, now },
        {
          affiliate: affiliates.get(row.affiliateId),
          products: expand.has('products') ? row.productIds.flatMap((id) => products.get(id) ?? []) : undefined,
        },
      ),
    );
    return { coupons: shown, total, limit, offset, nextCursor };
  },
});

function hasStatus(where: ExpressionBuilder<DB, 'coupons'>, status: z.output<typeof CouponStatus>, now: Date) {
  if (status === 'archived') return where('status', '=', 'archived');
  const isActive = where('status', '=', 'active');
  if (status === 'expired') return where.and([isActive, where('endsAt', '<=', now)]);
  return where.and([isActive, where.or([where('endsAt', 'is', null), where('endsAt', '>', now)])]);
}
