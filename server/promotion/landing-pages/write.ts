// Writing a landing page (Contract §4.5): creates or updates the affiliate's only page. Every write makes the page a draft,
// which is offline until the program approves this revision.
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { lockAffiliate } from '../../partners/affiliates/affiliate.ts';
import { isLive, ReviewStatus } from '../../partners/affiliates/expand/landing-page-summary.ts';
import { setPageFigure, toPageState } from '../../partners/affiliates/totals/figures.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { insertConcurrently } from '../../platform/db/cluster/settings.ts';
import { endpoint, Reply } from '../../platform/http/declaration/endpoint.ts';
import { uuid, uuidOut } from '../../platform/http/declaration/fields.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { findPromotable } from '../catalogue/promotable.ts';
import { mergeContent, pageContentFields } from './content.ts';
import { recordPageEvent } from './events.ts';
import { describeForeignImages, type Images } from './images.ts';
import { freeSlugSlot, getRevision, type PageRow } from './landing-page.ts';

const Content = z
  .object({
    affiliateId: uuid.describe('Page owner.'),
    ...pageContentFields,
  })
  .meta({
    id: 'LandingPageContent',
    example: { affiliateId: '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f', pageTitle: "Ada's favourites", isPublished: true },
  });

export const writeLandingPage = endpoint({
  id: 'landingPages.write',
  route: 'POST /v1/programs/:programId/landing-pages/:slug',
  scope: 'write',
  requires: 'affiliates.write',
  tag: 'Landing pages',
  summary: 'Create or update a landing page',
  description:
    'Each affiliate has one page. Using a different slug moves the page, and the old slug redirects to the new one. Omitted ' +
    'optional fields keep their value. Every write makes the page a draft, which the program must approve. Images are shown ' +
    'if they were uploaded, or are on the website, in `destinationHosts` or in `imageHosts` of the program; `message` names others.',
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
    .meta({
      id: 'WrittenLandingPage',
      example: {
        id: '01980a55-6a20-7c40-9d10-3f4a5b6c7d8e',
        slug: 'ada-lovelace',
        reviewStatus: 'draft',
        isPublished: true,
        isLive: false,
        message: 'Saved as a draft. The brand must approve this page before it goes live.',
      },
    }),
  outcomes: { 201: 'The page was created.', 200: 'The page was updated.' },
  errors: [
    { status: 404, code: 'not_found', when: '`affiliateId` was not found in this program.' },
    { status: 409, code: 'slug_taken', when: 'The slug is used by the landing page of another affiliate.' },
  ],
  handle: (tx, { actor, params, body }) => writePage(tx, actor, params.slug, body),
});

/** An API key, a member, or the affiliate. */
type Writer = Actor & { programId: string };

/** Writes a revision of the affiliate's page under a slug, with its audit entry. */
export async function writePage(tx: Tx, actor: Writer, slug: string, body: z.output<typeof Content>) {
  const owner = await lockAffiliate(tx, actor.programId, body.affiliateId, 'affiliateId');
  const previous = await findOwnPage(tx, owner.programId, owner.id);
  const last = previous && (await getRevision(tx, previous, previous.revision));
  const featured = body.featuredProductIds && (await filterPromotable(tx, owner, body.featuredProductIds));
  const content = mergeContent(last, body, featured);
  const page = previous
    ? await updatePage(tx, previous, slug, content.isPublished)
    : await createPage(tx, { programId: owner.programId, affiliateId: owner.id, slug: slug, isPublished: content.isPublished });
  if (page.slug !== previous?.slug) await registerSlug(tx, page);
  await updateForwards(tx, page, previous?.slug);
  await setPageFigure(tx, { programId: owner.programId, affiliateId: owner.id }, toPageState(page));
  await tx.db
    .insertInto('landingPageRevisions')
    .values({ ...content, programId: page.programId, pageId: page.id, revision: page.revision, createdAt: tx.clock.now() })
    .execute();
  await recordWrite(tx, actor, page, previous?.slug);
  await recordPageEvent(tx, { programId: page.programId, actor }, { before: previous, after: page });
  return new Reply(previous ? 200 : 201, {
    id: page.id,
    slug: page.slug,
    reviewStatus: ReviewStatus.parse(page.reviewStatus),
    isPublished: page.isPublished,
    isLive: isLive(page),
    message: await describeWrite(tx, owner.programId, content),
  });
}

async function describeWrite(tx: Tx, programId: string, images: Images): Promise<string> {
  const foreign = await describeForeignImages(tx, programId, images);
  return ['Saved as a draft. The brand must approve this page before it goes live.', ...(foreign ? [foreign] : [])].join(' ');
}

/** The lock of the affiliate prevents that another request creates the page in the meantime. */
async function findOwnPage(tx: Tx, programId: string, affiliateId: string): Promise<PageRow | undefined> {
  return tx.db
    .selectFrom('landingPages')
    .selectAll()
    .where('programId', '=', programId)
    .where('affiliateId', '=', affiliateId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

async function filterPromotable(tx: Tx, owner: { programId: string; groupId: string | null }, ids: readonly string[]): Promise<string[]> {
  const promotable = new Set((await findPromotable(tx, owner, ids)).map(({ id }) => id));
  return [...new Set(ids)].filter((id) => promotable.has(id));
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

async function updatePage(tx: Tx, { programId, id, revision }: PageRow, slug: string, isPublished: boolean): Promise<PageRow> {
  return tx.db
    .updateTable('landingPages')
    .set({ slug, isPublished, revision: revision + 1, reviewStatus: 'draft', updatedAt: tx.clock.now() })
    .where('programId', '=', programId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Without a program, the slug permanently names the first program that used it. */
async function registerSlug(tx: Tx, { programId, slug }: PageRow): Promise<void> {
  await insertConcurrently(tx);
  const pages = tx.db.insertInto('barePages').values({ slug, programId });
  await pages.onConflict((conflict) => conflict.column('slug').doNothing()).execute();
}

/** A former slug redirects to its page; a slug in use does not redirect. */
async function updateForwards(tx: Tx, { programId, id, slug }: PageRow, previousSlug: string | undefined): Promise<void> {
  await tx.db.deleteFrom('landingPageForwards').where('programId', '=', programId).where('slug', '=', slug).execute();
  if (previousSlug === undefined || previousSlug === slug) return;
  await tx.db
    .insertInto('landingPageForwards')
    .values({ programId, slug: previousSlug, pageId: id })
    .onConflict((conflict) => conflict.columns(['programId', 'slug']).doUpdateSet({ pageId: id }))
    .execute();
}

async function recordWrite(tx: Tx, actor: Actor, page: PageRow, previousSlug: string | undefined): Promise<void> {
  const hasMoved = previousSlug !== undefined && previousSlug !== page.slug;
  const before = hasMoved ? { before: { slug: previousSlug } } : {};
  await recordChange(tx, {
    ...before,
    programId: page.programId,
    actor,
    action: previousSlug === undefined ? 'landing_page.created' : 'landing_page.written',
    subjectId: page.id,
    after: { slug: page.slug, revision: page.revision, isPublished: page.isPublished },
  });
}
