// Writing a page (Contract §4.5): creates the affiliate's one page or changes it. Whatever is sent, the
// page becomes a draft and goes off line until a person of the brand approves this very revision.
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { lockAffiliate } from '../../partners/affiliates/affiliate.ts';
import { isLive, ReviewStatus } from '../../partners/affiliates/landing-page-summary.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { endpoint, type Principal, Reply } from '../../platform/http/declaration/endpoint.ts';
import { line, optionalLine, paragraph, uuid, uuidOut, webAddress } from '../../platform/http/declaration/fields.ts';
import { findPromotable } from '../catalogue/promotable.ts';
import { freeSlugSlot, getRevision, type PageRow, PromotionMode, type Revision, TemplateId } from './landing-page.ts';

const Content = z
  .object({
    affiliateId: uuid.describe('Page owner.'),
    pageTitle: line(200),
    templateId: TemplateId.optional().describe('`minimalist` on a new page.'),
    promotionMode: PromotionMode.optional().describe('`all` on a new page.'),
    headline: optionalLine(300).nullable().optional(),
    bioText: paragraph(5000).nullable().optional(),
    avatarUrl: webAddress.nullable().optional(),
    heroImageUrl: webAddress.nullable().optional(),
    promoBadgeText: optionalLine(100).optional(),
    featuredProductIds: z.array(uuid).max(500).optional().describe('Filtered to the products this affiliate may promote.'),
    isPublished: z.boolean().optional().describe("The affiliate's intent to be live."),
  })
  .meta({
    id: 'LandingPageContent',
    example: { affiliateId: '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f', pageTitle: "Ada's favourites", isPublished: true },
  });

export const writeLandingPage = endpoint({
  id: 'landingPages.write',
  route: 'POST /v1/programs/:programId/landing-pages/:slug',
  scope: 'write',
  tag: 'Landing pages',
  summary: 'Create or update a landing page',
  description:
    'Each affiliate has one page: writing under another slug moves it, and the old slug keeps leading to it. ' +
    'Omitted optional fields keep their value. Every write makes the page a draft, which the brand must approve.',
  path: { slug: freeSlugSlot },
  body: Content,
  statuses: [201, 200],
  result: z
    .object({
      id: uuidOut,
      slug: z.string(),
      reviewStatus: ReviewStatus,
      isPublished: z.boolean(),
      isLive: z.boolean(),
      message: z.string(),
    })
    .meta({ id: 'WrittenLandingPage' }),
  refusals: { 404: '`affiliateId` was not found in this program.', 409: 'The slug belongs to the page of another affiliate.' },
  async handle(tx, { actor, params, body }) {
    const owner = await lockAffiliate(tx, actor.programId, body.affiliateId, 'affiliateId');
    const former = await findOwnPage(tx, owner.programId, owner.id);
    const last = former && (await getRevision(tx, former, former.revision));
    const featured = body.featuredProductIds && (await onlyPromotable(tx, owner, body.featuredProductIds));
    const content = merge(last, body, featured);
    const page = former
      ? await rewritePage(tx, former, params.slug, content.isPublished)
      : await createPage(tx, { programId: owner.programId, affiliateId: owner.id, slug: params.slug, isPublished: content.isPublished });
    await keepForwards(tx, page, former?.slug);
    await tx.db
      .insertInto('landingPageRevisions')
      .values({ ...content, programId: page.programId, pageId: page.id, revision: page.revision, createdAt: tx.clock.now() })
      .execute();
    await recordWrite(tx, actor, page, former?.slug);
    return new Reply(former ? 200 : 201, {
      id: page.id,
      slug: page.slug,
      reviewStatus: ReviewStatus.parse(page.reviewStatus),
      isPublished: page.isPublished,
      isLive: isLive(page),
      message: 'Saved as a draft. The brand must approve this page before it goes live.',
    });
  },
});

/** Under the affiliate's lock nobody else can create the page meanwhile. */
async function findOwnPage(tx: Tx, programId: string, affiliateId: string): Promise<PageRow | undefined> {
  return tx.db
    .selectFrom('landingPages')
    .selectAll()
    .where('programId', '=', programId)
    .where('affiliateId', '=', affiliateId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

async function onlyPromotable(tx: Tx, owner: { programId: string; groupId: string | null }, ids: readonly string[]): Promise<string[]> {
  const promotable = new Set((await findPromotable(tx, owner, ids)).map(({ id }) => id));
  return [...new Set(ids)].filter((id) => promotable.has(id));
}

/** What is sent, else what the page said, else the defaults of a new page. */
function merge(last: Revision | undefined, body: z.output<typeof Content>, featuredProductIds: string[] | undefined) {
  const kept = <T>(given: T | undefined, before: T): T => (given === undefined ? before : given);
  return {
    templateId: kept<string>(body.templateId, last?.templateId ?? 'minimalist'),
    promotionMode: kept<string>(body.promotionMode, last?.promotionMode ?? 'all'),
    pageTitle: body.pageTitle,
    headline: kept(body.headline, last?.headline ?? null),
    bioText: kept(body.bioText, last?.bioText ?? null),
    avatarUrl: kept(body.avatarUrl, last?.avatarUrl ?? null),
    heroImageUrl: kept(body.heroImageUrl, last?.heroImageUrl ?? null),
    promoBadgeText: kept<string | null>(body.promoBadgeText, last?.promoBadgeText ?? null),
    featuredProductIds: kept(featuredProductIds, last?.featuredProductIds ?? []),
    isPublished: kept(body.isPublished, last?.isPublished ?? false),
  };
}

type NewPage = { programId: string; affiliateId: string; slug: string; isPublished: boolean };

async function createPage(tx: Tx, fresh: NewPage): Promise<PageRow> {
  const now = tx.clock.now();
  return tx.db
    .insertInto('landingPages')
    .values({ ...fresh, id: tx.ids.uuid(), revision: 1, reviewStatus: 'draft', createdAt: now, updatedAt: now })
    .returningAll()
    .executeTakeFirstOrThrow();
}

async function rewritePage(tx: Tx, { programId, id, revision }: PageRow, slug: string, isPublished: boolean): Promise<PageRow> {
  return tx.db
    .updateTable('landingPages')
    .set({ slug, isPublished, revision: revision + 1, reviewStatus: 'draft', updatedAt: tx.clock.now() })
    .where('programId', '=', programId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** A slug in use forwards nowhere; a slug that was left leads to the page that left it. */
async function keepForwards(tx: Tx, { programId, id, slug }: PageRow, formerSlug: string | undefined): Promise<void> {
  await tx.db.deleteFrom('landingPageForwards').where('programId', '=', programId).where('slug', '=', slug).execute();
  if (formerSlug === undefined || formerSlug === slug) return;
  await tx.db
    .insertInto('landingPageForwards')
    .values({ programId, slug: formerSlug, pageId: id })
    .onConflict((conflict) => conflict.columns(['programId', 'slug']).doUpdateSet({ pageId: id }))
    .execute();
}

async function recordWrite(tx: Tx, actor: Principal, page: PageRow, formerSlug: string | undefined): Promise<void> {
  await recordChange(tx, {
    programId: page.programId,
    actor,
    action: formerSlug === undefined ? 'landing_page.created' : 'landing_page.written',
    subjectId: page.id,
    ...(formerSlug !== undefined && formerSlug !== page.slug && { before: { slug: formerSlug } }),
    after: { slug: page.slug, revision: page.revision, isPublished: page.isPublished },
  });
}
