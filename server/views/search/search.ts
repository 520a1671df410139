// Finding anything in a program by one text, for the console's palette: names, emails, codes, slugs, order ids, payout
// references and ids. Exact matches come first; each kind has at most five.
import { z } from 'zod';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { centsOut, currencyOut, line, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { canonicalUuid } from '../../platform/lib/ids.ts';
import { foldCase } from '../../platform/lib/text.ts';
import { findAffiliates, findConversions, findCoupons, findPages, findPayouts, findProducts } from './find.ts';

const affiliateName = z.string().describe('The name of the affiliate.');

const FoundAffiliate = z
  .object({ id: uuidOut, name: z.string(), email: z.string(), referralCode: z.string(), status: z.string() })
  .meta({ id: 'FoundAffiliate' });
const FoundConversion = z
  .object({ id: uuidOut, orderId: z.string(), affiliateName, amountCents: centsOut, status: z.string(), occurredAt: timestampOut })
  .meta({ id: 'FoundConversion' });
const FoundPayout = z
  .object({ id: uuidOut, affiliateName, amountCents: centsOut, status: z.string(), createdAt: timestampOut })
  .meta({ id: 'FoundPayout' });
const FoundCoupon = z.object({ id: uuidOut, code: z.string(), affiliateName, status: z.string() }).meta({ id: 'FoundCoupon' });
const FoundProduct = z
  .object({ id: uuidOut, name: z.string(), sku: z.string().nullable(), status: z.string() })
  .meta({ id: 'FoundProduct' });
const FoundPage = z.object({ id: uuidOut, slug: z.string(), affiliateName, reviewStatus: z.string() }).meta({ id: 'FoundPage' });

const Result = z
  .object({
    affiliates: z.array(FoundAffiliate).describe('The affiliates that were found.'),
    conversions: z.array(FoundConversion).describe('The conversions that were found.'),
    payouts: z.array(FoundPayout).describe('The payouts that were found.'),
    coupons: z.array(FoundCoupon).describe('The coupons that were found.'),
    products: z.array(FoundProduct).describe('The products that were found.'),
    pages: z.array(FoundPage).describe('The landing pages that were found.'),
    currency: currencyOut,
  })
  .meta({
    id: 'SearchResult',
    example: {
      affiliates: [
        {
          id: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
          name: 'Ada Lindqvist',
          email: 'ada@example.com',
          referralCode: 'ADA4K7PX',
          status: 'active',
        },
      ],
      conversions: [],
      payouts: [],
      coupons: [{ id: '01980a55-2d3e-7f4a-8b5c-6d7e8f9a0b1c', code: 'ADA10', affiliateName: 'Ada Lindqvist', status: 'active' }],
      products: [],
      pages: [],
      currency: 'USD',
    },
  });

export const searchProgram = endpoint({
  id: 'search',
  route: 'GET /app/programs/:programId/search',
  scope: 'read',
  isUserOnly: true,
  tag: 'Search',
  summary: 'Search a program',
  description:
    'Finds up to five of each kind: affiliates by name, email, code or slug; conversions by order id or customer; payouts by ' +
    'reference or affiliate; coupons by code; products by name or SKU; landing pages by slug; and each of them by id. A text of ' +
    'fewer than three characters only finds whole codes, slugs and order ids.',
  query: z.object({ q: line(200).pipe(z.string().min(1, 'must not be empty')) }),
  statuses: [200],
  result: Result,
  async handle(ctx, { actor: { programId, currency }, query: { q } }) {
    const text = { programId, raw: q, folded: foldCase(q), id: canonicalUuid(q) };
    const [affiliates, conversions, payouts, coupons, products, pages] = [
      await findAffiliates(ctx, text),
      await findConversions(ctx, text),
      await findPayouts(ctx, text),
      await findCoupons(ctx, text),
      await findProducts(ctx, text),
      await findPages(ctx, text),
    ];
    return { affiliates, conversions, payouts, coupons, products, pages, currency };
  },
});
