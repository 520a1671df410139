// The products that may be promoted, for stores, affiliates and ad platforms, in three formats.
import { z } from 'zod';
import { getProgram } from '../../accounts/programs/program.ts';
import type { Context } from '../../context.ts';
import { Document, endpoint } from '../../platform/http/declaration/endpoint.ts';
import { uuid } from '../../platform/http/declaration/fields.ts';
import { csvPages, jsonPages } from '../../platform/http/load/long-response.ts';
import { exampleOf } from '../../platform/http/openapi/schemas.ts';
import { NotFound } from '../../platform/lib/errors.ts';
import { FeedProduct } from './feed-product.ts';
import { googleFeed } from './google-feed.ts';
import { Availability } from './product.ts';
import { addReferral, promotablePages } from './promotable.ts';

export const productFeed = endpoint({
  id: 'products.feed',
  route: 'GET /v1/programs/:programId/products/feed',
  scope: 'read',
  tag: 'Products',
  summary: 'Get a product feed',
  description:
    "With `affiliateId`, returns the products that the affiliate may promote, with the affiliate's referral code in every " +
    'checkout URL. Without `affiliateId`, returns the products that all affiliates may promote. Available as JSON, as CSV for ' +
    'spreadsheets, and as RSS for Google Merchant Center.',
  query: z.object({
    format: z.enum(['json', 'csv', 'google_xml']).default('json'),
    affiliateId: uuid.optional(),
  }),
  statuses: [200],
  heavy: true,
  result: z.object({ products: z.array(FeedProduct) }).meta({ id: 'ProductFeed', example: { products: [exampleOf(FeedProduct)] } }),
  media: ['text/csv', 'application/xml'],
  errors: [{ status: 404, code: 'not_found', when: '`affiliateId` was not found in this program.' }],
  async handle(ctx, { actor, query: { format, affiliateId } }) {
    const program = await getProgram(ctx, actor.programId);
    const affiliate = affiliateId === undefined ? null : await getPromoter(ctx, actor.programId, affiliateId);
    const products = feedPages(ctx, program, affiliate);
    if (format === 'json')
      return new Document('application/json; charset=utf-8', jsonPages({ before: {}, name: 'products', after: {} }, FeedProduct, products));
    if (format === 'csv')
      return new Document('text/csv; charset=utf-8', csvPages(Object.keys(FeedProduct.shape), products), 'products.csv');
    const channel = { title: program.name, link: program.websiteUrl ?? '', currency: program.currency };
    return new Document('application/xml; charset=utf-8', googleFeed(channel, products), 'products.xml');
  },
});

type Program = { id: string; currency: string };
type Promoter = { groupId: string | null; referralCode: string };

async function* feedPages(ctx: Context, { id: programId, currency }: Program, affiliate: Promoter | null): AsyncGenerator<FeedProduct[]> {
  for await (const page of promotablePages(ctx, { programId, groupId: affiliate?.groupId ?? null }))
    yield page.map((product) => ({
      ...product,
      currency,
      availability: Availability.parse(product.availability),
      checkoutUrl: affiliate ? addReferral(product.checkoutUrl, affiliate.referralCode) : product.checkoutUrl,
    }));
}

async function getPromoter(ctx: Context, programId: string, id: string): Promise<Promoter> {
  const affiliates = ctx.db.selectFrom('affiliates').select(['groupId', 'referralCode']).where('programId', '=', programId);
  const affiliate = await affiliates.where('id', '=', id).executeTakeFirst();
  if (!affiliate) throw new NotFound('affiliateId');
  return affiliate;
}
