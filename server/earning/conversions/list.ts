// Lists of conversions, their totals, and reading one.
import { sql } from 'kysely';
import { z } from 'zod';
import { findAffiliateReferences } from '../../partners/affiliates/reference.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { centsOut, countOut, currencyOut } from '../../platform/http/declaration/fields.ts';
import { cursorPage } from '../../platform/http/declaration/list-cursor.ts';
import { cursorListOf, expandable, sortBy } from '../../platform/http/declaration/lists.ts';
import { ConversionShape } from '../orders/conversion-shape.ts';
import { readConversions } from '../orders/read-conversions.ts';
import { sumOrders } from '../orders/totals.ts';
import { conversionSlot } from './conversion.ts';
import { findConversionPage } from './listing/count.ts';
import { conversionFilters, selectConversions, toTotalFilters } from './listing/filters.ts';

export const listConversions = endpoint({
  id: 'conversions.list',
  route: 'GET /v1/programs/:programId/conversions',
  scope: 'read',
  tag: 'Conversions',
  summary: 'List conversions',
  query: z.object({
    ...conversionFilters,
    ...cursorPage,
    sort: sortBy('createdAt', 'occurredAt', 'amountCents', 'commissionCents', 'refundedCents'),
    expand: expandable('affiliate'),
  }),
  statuses: [200],
  result: cursorListOf('conversions', ConversionShape, 'ConversionList'),
  async handle(ctx, { actor: { programId }, query }) {
    const { limit, offset, expand } = query;
    const { ids, total, nextCursor } = await findConversionPage(ctx, programId, { filters: query, ...query });
    const conversions = await readConversions(ctx, programId, ids);
    const expanded = expand.has('affiliate') ? conversions.map(({ affiliateId }) => affiliateId) : [];
    const affiliates = await findAffiliateReferences(ctx, programId, expanded);
    return {
      conversions: conversions.map((one) => ({ ...one, affiliate: affiliates.get(one.affiliateId) })),
      total,
      limit,
      offset,
      nextCursor,
    };
  },
});

const Totals = z
  .object({
    orders: countOut.describe('How many orders match.'),
    amountCents: centsOut,
    refundedCents: centsOut,
    commissionCents: centsOut.describe('As earned, on all levels.'),
    reversedCents: centsOut.describe('The part of the commissions that was reversed.'),
    currency: currencyOut,
  })
  .meta({
    id: 'ConversionTotals',
    example: {
      orders: 1240,
      amountCents: 6_175_200,
      refundedCents: 98_400,
      commissionCents: 617_520,
      reversedCents: 9840,
      currency: 'USD',
    },
  });

export const sumConversions = endpoint({
  id: 'conversions.totals',
  route: 'GET /app/programs/:programId/conversions/totals',
  scope: 'read',
  isUserOnly: true,
  tag: 'Orders',
  summary: 'Add up conversions',
  description: 'The sums of all conversions that match, with the filters of the list.',
  query: z.object(conversionFilters),
  statuses: [200],
  result: Totals,
  async handle(ctx, { actor: { programId, currency }, query }) {
    const covered = toTotalFilters(query);
    if (covered) return { ...(await sumOrders(ctx, programId, covered)), currency };
    const found = await selectConversions(ctx, programId, query, { isBroad: false });
    const sumOf = (column: string) => sql<number>`coalesce(sum(${sql.ref(`summary.${column}`)}), 0)::bigint`;
    const totals = await found
      .select(({ fn }) => [
        fn.countAll<number>().as('orders'),
        sumOf('amountCents').as('amountCents'),
        sumOf('refundedCents').as('refundedCents'),
        sumOf('commissionCents').as('commissionCents'),
        sumOf('reversedCents').as('reversedCents'),
      ])
      .executeTakeFirstOrThrow();
    return { ...totals, currency };
  },
});

export const getConversion = endpoint({
  id: 'conversions.get',
  route: 'GET /v1/programs/:programId/conversions/:id',
  scope: 'read',
  tag: 'Conversions',
  summary: 'Get a conversion',
  path: { id: conversionSlot },
  query: z.object({ expand: expandable('affiliate') }),
  statuses: [200],
  result: ConversionShape,
  async handle(ctx, { actor: { programId }, params, query: { expand } }) {
    const [conversion] = await readConversions(ctx, programId, [params.id]);
    if (!conversion) throw new Error('The conversion was found before and is missing now.');
    const affiliates = await findAffiliateReferences(ctx, programId, expand.has('affiliate') ? [conversion.affiliateId] : []);
    return { ...conversion, affiliate: affiliates.get(conversion.affiliateId) };
  },
});
