// A landing page with everything that a storefront needs (Contract §4.4): its content, its owner, and the products that the
// affiliate may promote. Consumers show the products unfiltered.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import { defaultDisclosure, fillDisclosure } from '../../accounts/programs/brand/brand.ts';
import type { Context } from '../../context.ts';
import { AffiliateStatus } from '../../partners/affiliates/affiliate.ts';
import { isLive, ReviewStatus } from '../../partners/affiliates/expand/landing-page-summary.ts';
import type { Affiliates } from '../../platform/db/schema.gen.ts';
import { plainSql } from '../../platform/db/statements/plain-sql.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { centsOut, currencyOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { NotFound } from '../../platform/lib/errors.ts';
import { fullName } from '../../platform/lib/text.ts';
import { Availability } from '../catalogue/product.ts';
import { addReferral, findPromotable } from '../catalogue/promotable.ts';
import { pageContentShape, toPageContent } from './content.ts';
import { existingSlugSlot, type PageRow, type Revision } from './landing-page.ts';

const PageProduct = z
  .object({
    id: uuidOut,
    name: z.string(),
    priceCents: centsOut,
    checkoutUrl: z.string().describe("Includes the affiliate's referral code."),
    imageUrl: z.string().nullable(),
    description: z.string().nullable(),
    availability: Availability.describe('Whether the product can be bought. Show `out_of_stock` and `discontinued` as such.'),
  })
  .meta({ id: 'LandingPageProduct' });

const LandingPageShape = z
  .object({
    slug: z.string(),
    ...pageContentShape,
    featuredProductIds: z.array(uuidOut),
    isPublished: z.boolean().describe("The affiliate's intent to be live."),
    reviewStatus: ReviewStatus,
    isLive: z
      .boolean()
      .describe('Published by the affiliate and approved by the program. Use this field to decide whether to show the page.'),
    affiliate: z.object({ name: z.string(), referralCode: z.string(), status: AffiliateStatus }),
    currency: currencyOut.describe('The currency of the prices: ISO 4217, in upper case.'),
    brandName: z.string().describe('The name of the program, which sells the products.'),
    disclosureText: z
      .string()
      .describe('The statement that the affiliate earns a commission, with the names filled in. Show it above the first product.'),
    products: z.array(PageProduct).describe('Already filtered by promotion mode and group. Do not filter the products again.'),
  })
  .meta({
    id: 'LandingPage',
    example: {
      slug: 'ada-lovelace',
      templateId: 'minimalist',
      promotionMode: 'all',
      pageTitle: "Ada's favourites",
      headline: 'What I use every day',
      bioText: null,
      avatarUrl: 'https://shop.example/images/ada.jpg',
      heroImageUrl: null,
      promoBadgeText: '20% off with ADA20',
      featuredProductIds: ['01980a4e-9c11-7d20-8b42-5e6f7a8b9c0d'],
      accent: 'lagoon',
      links: [{ label: 'Newsletter', url: 'https://ada.example/newsletter' }],
      productNotes: { '01980a4e-9c11-7d20-8b42-5e6f7a8b9c0d': 'The one I hand to guests who wake at three.' },
      heroFocus: 'center',
      isPublished: true,
      reviewStatus: 'approved',
      isLive: true,
      affiliate: { name: 'Ada Lovelace', referralCode: 'K7QM3XWP', status: 'active' },
      currency: 'USD',
      brandName: 'Fern & Field',
      disclosureText: 'Ada Lovelace earns a commission when you buy through this page. You pay the same price.',
      products: [
        {
          id: '01980a4e-9c11-7d20-8b42-5e6f7a8b9c0d',
          name: 'Sleep tea',
          priceCents: 1490,
          checkoutUrl: 'https://shop.example/cart/sleep-tea?ref=K7QM3XWP',
          imageUrl: 'https://shop.example/images/sleep-tea.jpg',
          description: 'Valerian, lemon balm and lavender; 20 bags.',
          availability: 'in_stock',
        },
      ],
    },
  });

export const getLandingPage = endpoint({
  id: 'landingPages.get',
  route: 'GET /v1/programs/:programId/landing-pages/:slug',
  scope: 'read',
  tag: 'Landing pages',
  summary: 'Get a landing page',
  description: 'A former slug also returns the page, with its current `slug`.',
  path: { slug: existingSlugSlot },
  findsPath: true,
  coalesces: true,
  query: z.object({
    revision: z
      .enum(['current', 'approved'])
      .default('current')
      .describe('`approved`: the last approved revision; 404 if no revision was approved.'),
  }),
  statuses: [200],
  result: LandingPageShape,
  async handle(ctx, { actor, params, query }) {
    return readLandingPage(ctx, { programId: actor.programId, slug: params.slug ?? '' }, query.revision);
  },
});

/**
 * The current revision of the page with this slug or former slug, or its last approved one. Throws NotFound without such
 * a page or revision.
 */
export async function readLandingPage(
  ctx: Pick<Context, 'db'>,
  { programId, slug }: { programId: string; slug: string },
  revision: 'current' | 'approved',
): Promise<z.input<typeof LandingPageShape>> {
  const page = await findStoredPage(ctx, { programId, slug, isApproved: revision === 'approved' });
  if (!page) throw new NotFound();
  // Whether the page is published is always current: an unpublished page stays offline.
  const state = { isPublished: page.isPagePublished, reviewStatus: revision === 'approved' ? 'approved' : page.reviewStatus };
  const { products, featuredProductIds } = await chooseProducts(ctx, { programId, groupId: page.groupId }, page);
  return {
    slug: page.slug,
    ...toPageContent(page),
    featuredProductIds,
    isPublished: state.isPublished,
    reviewStatus: ReviewStatus.parse(state.reviewStatus),
    isLive: isLive(state),
    affiliate: {
      name: fullName(page),
      referralCode: page.referralCode,
      status: AffiliateStatus.parse(page.status),
    },
    currency: page.currency,
    brandName: page.programName,
    disclosureText: fillDisclosure(page.disclosure ?? defaultDisclosure, { affiliate: fullName(page), program: page.programName }),
    products: products.map((product) => ({
      ...product,
      availability: Availability.parse(product.availability),
      checkoutUrl: addReferral(product.checkoutUrl, page.referralCode),
    })),
  };
}

type StoredPage = Revision &
  Pick<PageRow, 'slug' | 'reviewStatus'> &
  Pick<Selectable<Affiliates>, 'firstName' | 'lastName' | 'referralCode' | 'status' | 'groupId'> & {
    isPagePublished: boolean;
    currency: string;
    programName: string;
    disclosure: string | null;
  };

/** A revision, its page, and the affiliate whose page it is. */
async function findStoredPage(
  ctx: Pick<Context, 'db'>,
  { programId, slug, isApproved }: { programId: string; slug: string; isApproved: boolean },
): Promise<StoredPage | undefined> {
  const { rows } = await plainSql<StoredPage>`
    select revision.*, page.slug, page.review_status, page.is_published as is_page_published,
      owner.first_name, owner.last_name, owner.referral_code, owner.status, owner.group_id,
      program.currency, program.name as program_name, brand.disclosure
    from landing_pages as page
    join landing_page_revisions as revision on revision.program_id = ${programId} and revision.page_id = page.id
      and revision.revision = case when ${isApproved} then page.approved_revision else page.revision end
    join affiliates as owner on owner.program_id = ${programId} and owner.id = page.affiliate_id
    join programs as program on program.id = ${programId}
    left join program_brands as brand on brand.program_id = ${programId}
    where page.program_id = ${programId} and page.id = coalesce(
      (select id from landing_pages where program_id = ${programId} and slug = ${slug}),
      (select page_id from landing_page_forwards where program_id = ${programId} and slug = ${slug}))`.execute(ctx.db);
  return rows[0];
}

/** Featured products first, in the affiliate's order, then the others unless the mode excludes them. */
export async function chooseProducts(
  ctx: Pick<Context, 'db'>,
  promoter: { programId: string; groupId: string | null },
  content: Pick<Revision, 'promotionMode' | 'featuredProductIds'>,
) {
  const featuredOnly = content.promotionMode === 'featured_only';
  const promotable = await findPromotable(ctx, promoter, featuredOnly ? content.featuredProductIds : undefined);
  const byId = new Map(promotable.map((product) => [product.id, product]));
  const featured = content.featuredProductIds.flatMap((id) => byId.get(id) ?? []);
  const rest = featuredOnly ? [] : promotable.filter((product) => !featured.includes(product));
  return { products: [...featured, ...rest], featuredProductIds: featured.map(({ id }) => id) };
}
