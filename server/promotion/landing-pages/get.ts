// A page with everything a storefront needs (Contract §4.4): its words, its owner, and the products that
// the affiliate may promote, already chosen. A consumer shows them as they are.
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { AffiliateStatus } from '../../partners/affiliates/affiliate.ts';
import { isLive, ReviewStatus } from '../../partners/affiliates/landing-page-summary.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { centsOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { NotFound } from '../../platform/lib/errors.ts';
import { addReferral, findPromotable } from '../catalogue/promotable.ts';
import { existingSlugSlot, findPage, getRevision, type PageRow, PromotionMode, type Revision, TemplateId } from './landing-page.ts';

const PageProduct = z
  .object({
    id: uuidOut,
    name: z.string(),
    priceCents: centsOut,
    checkoutUrl: z.string().describe("Already carries the affiliate's referral."),
    imageUrl: z.string().nullable(),
    description: z.string().nullable(),
  })
  .meta({ id: 'LandingPageProduct' });

const LandingPageShape = z
  .object({
    slug: z.string(),
    templateId: TemplateId,
    promotionMode: PromotionMode,
    pageTitle: z.string(),
    headline: z.string().nullable(),
    bioText: z.string().nullable(),
    avatarUrl: z.string().nullable(),
    heroImageUrl: z.string().nullable(),
    promoBadgeText: z.string().nullable(),
    featuredProductIds: z.array(uuidOut),
    isPublished: z.boolean().describe("The affiliate's intent to be live."),
    reviewStatus: ReviewStatus,
    isLive: z.boolean().describe('Published by the affiliate and approved by the brand. Decide by this.'),
    affiliate: z.object({ name: z.string(), referralCode: z.string(), status: AffiliateStatus }),
    products: z.array(PageProduct).describe('Chosen by promotion mode and tier. Do not filter again.'),
  })
  .meta({ id: 'LandingPage' });

export const getLandingPage = endpoint({
  id: 'landingPages.get',
  route: 'GET /v1/programs/:programId/landing-pages/:slug',
  scope: 'read',
  tag: 'Landing pages',
  summary: 'Get a landing page',
  description: 'A former address of a page answers with the page, whose `slug` is the present one.',
  path: { slug: existingSlugSlot },
  query: z.object({
    revision: z.enum(['current', 'approved']).default('current').describe('`approved`: what the brand approved last, 404 if it never did.'),
  }),
  statuses: [200],
  result: LandingPageShape,
  async handle(ctx, { actor, params, query }) {
    const page = await findPage(ctx, actor.programId, params.slug);
    if (!page) throw new NotFound();
    return showPage(ctx, page, query.revision);
  },
});

/** The page as last written, or as last approved. Throws NotFound when it was never approved. */
export async function showPage(
  ctx: Pick<Context, 'db'>,
  page: PageRow,
  which: 'current' | 'approved',
): Promise<z.input<typeof LandingPageShape>> {
  const number = which === 'approved' ? page.approvedRevision : page.revision;
  if (number === null) throw new NotFound();
  const content = await getRevision(ctx, page, number);
  // The affiliate's wish always is the present one: what was taken off line stays off line.
  const state = { isPublished: page.isPublished, reviewStatus: which === 'approved' ? 'approved' : page.reviewStatus };
  const owner = await ctx.db
    .selectFrom('affiliates')
    .select(['firstName', 'lastName', 'referralCode', 'status', 'groupId'])
    .where('programId', '=', page.programId)
    .where('id', '=', page.affiliateId)
    .executeTakeFirstOrThrow();
  const { products, featuredProductIds } = await chooseProducts(ctx, { programId: page.programId, groupId: owner.groupId }, content);
  return {
    slug: page.slug,
    templateId: TemplateId.parse(content.templateId),
    promotionMode: PromotionMode.parse(content.promotionMode),
    pageTitle: content.pageTitle,
    headline: content.headline,
    bioText: content.bioText,
    avatarUrl: content.avatarUrl,
    heroImageUrl: content.heroImageUrl,
    promoBadgeText: content.promoBadgeText,
    featuredProductIds,
    isPublished: state.isPublished,
    reviewStatus: ReviewStatus.parse(state.reviewStatus),
    isLive: isLive(state),
    affiliate: {
      name: `${owner.firstName} ${owner.lastName}`,
      referralCode: owner.referralCode,
      status: AffiliateStatus.parse(owner.status),
    },
    products: products.map((product) => ({ ...product, checkoutUrl: addReferral(product.checkoutUrl, owner.referralCode) })),
  };
}

/** Featured products first, in the affiliate's order; the others after them unless the mode leaves them out. */
async function chooseProducts(ctx: Pick<Context, 'db'>, promoter: { programId: string; groupId: string | null }, content: Revision) {
  const featuredOnly = content.promotionMode === 'featured_only';
  const promotable = await findPromotable(ctx, promoter, featuredOnly ? content.featuredProductIds : undefined);
  const byId = new Map(promotable.map((product) => [product.id, product]));
  const featured = content.featuredProductIds.flatMap((id) => byId.get(id) ?? []);
  const rest = featuredOnly ? [] : promotable.filter((product) => !featured.includes(product));
  return { products: [...featured, ...rest], featuredProductIds: featured.map(({ id }) => id) };
}
