// A landing page with everything that a storefront needs (Contract §4.4): its content, its owner, and the products that the
// affiliate may promote. Consumers show the products unfiltered.
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { AffiliateStatus } from '../../partners/affiliates/affiliate.ts';
import { isLive, ReviewStatus } from '../../partners/affiliates/expand/landing-page-summary.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { centsOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { NotFound } from '../../platform/lib/errors.ts';
import { addReferral, findPromotable } from '../catalogue/promotable.ts';
import { pageContentShape, toPageContent } from './content.ts';
import { existingSlugSlot, findPage, type PageRow, type Revision } from './landing-page.ts';

const PageProduct = z
  .object({
    id: uuidOut,
    name: z.string(),
    priceCents: centsOut,
    checkoutUrl: z.string().describe("Includes the affiliate's referral code."),
    imageUrl: z.string().nullable(),
    description: z.string().nullable(),
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
      products: [
        {
          id: '01980a4e-9c11-7d20-8b42-5e6f7a8b9c0d',
          name: 'Sleep tea',
          priceCents: 1490,
          checkoutUrl: 'https://shop.example/cart/sleep-tea?ref=K7QM3XWP',
          imageUrl: 'https://shop.example/images/sleep-tea.jpg',
          description: 'Valerian, lemon balm and lavender; 20 bags.',
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
  query: z.object({
    revision: z
      .enum(['current', 'approved'])
      .default('current')
      .describe('`approved`: the last approved revision; 404 if no revision was approved.'),
  }),
  statuses: [200],
  result: LandingPageShape,
  async handle(ctx, { actor, params, query }) {
    const page = await findPage(ctx, actor.programId, params.slug);
    if (!page) throw new NotFound();
    return readLandingPage(ctx, page, query.revision);
  },
});

/** The current revision of a page, or the last approved one. Throws NotFound when none was approved. */
export async function readLandingPage(
  ctx: Pick<Context, 'db'>,
  page: PageRow,
  revision: 'current' | 'approved',
): Promise<z.input<typeof LandingPageShape>> {
  const number = revision === 'approved' ? page.approvedRevision : page.revision;
  if (number === null) throw new NotFound();
  const content = await getRevisionWithOwner(ctx, page, number);
  // Whether the page is published is always current: an unpublished page stays offline.
  const state = { isPublished: page.isPublished, reviewStatus: revision === 'approved' ? 'approved' : page.reviewStatus };
  const { products, featuredProductIds } = await chooseProducts(ctx, { programId: page.programId, groupId: content.groupId }, content);
  return {
    slug: page.slug,
    ...toPageContent(content),
    featuredProductIds,
    isPublished: state.isPublished,
    reviewStatus: ReviewStatus.parse(state.reviewStatus),
    isLive: isLive(state),
    affiliate: {
      name: `${content.firstName} ${content.lastName}`,
      referralCode: content.referralCode,
      status: AffiliateStatus.parse(content.status),
    },
    products: products.map((product) => ({ ...product, checkoutUrl: addReferral(product.checkoutUrl, content.referralCode) })),
  };
}

/** The content of a revision, and the affiliate whose page it is. */
function getRevisionWithOwner(ctx: Pick<Context, 'db'>, page: PageRow, revision: number) {
  return ctx.db
    .selectFrom('landingPageRevisions as revision')
    .innerJoin('affiliates as owner', (join) =>
      join.onRef('owner.programId', '=', 'revision.programId').on('owner.id', '=', page.affiliateId),
    )
    .selectAll('revision')
    .select(['owner.firstName', 'owner.lastName', 'owner.referralCode', 'owner.status', 'owner.groupId'])
    .where('revision.programId', '=', page.programId)
    .where('revision.pageId', '=', page.id)
    .where('revision.revision', '=', revision)
    .executeTakeFirstOrThrow();
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
