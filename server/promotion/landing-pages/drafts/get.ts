// What the page editor of the portal shows: the draft, the state of the page, the products to choose from, and what the
// program restricts.
import { z } from 'zod';
import { findStorefrontPrefix } from '../../../accounts/programs/hosts/site-url.ts';
import type { Context } from '../../../context.ts';
import { isLive, ReviewStatus } from '../../../partners/affiliates/expand/landing-page-summary.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { centsOut, currencyOut, timestampOut, uuidOut } from '../../../platform/http/declaration/fields.ts';
import type { AffiliatePrincipal } from '../../../platform/http/declaration/principal.ts';
import { fullName } from '../../../platform/lib/text.ts';
import { findPromotable, promotablePages } from '../../catalogue/promotable.ts';
import { Accent } from '../content.ts';
import { TemplateId } from '../landing-page.ts';
import { DraftContent, draftExample, draftingStatuses, readDraft } from './draft.ts';

/** A catalogue can be of any size; the editor offers the newest products and those that are chosen. */
const maxProducts = 400;

const PageState = z
  .object({
    slug: z.string(),
    url: z.string(),
    reviewStatus: ReviewStatus,
    isPublished: z.boolean(),
    isLive: z.boolean(),
    submittedAt: timestampOut.describe('When the current revision was written.'),
    changes: z
      .object({
        note: z.string().nullable(),
        fields: z.array(z.string()).describe('The fields that must change.'),
        requestedAt: timestampOut,
      })
      .nullable()
      .describe('What the program asked to change in the current revision.'),
  })
  .meta({ id: 'PortalPageState' });

const PromotableProduct = z
  .object({ id: uuidOut, name: z.string(), imageUrl: z.string().nullable(), priceCents: centsOut })
  .meta({ id: 'PromotableProduct' });

const PortalPage = z
  .object({
    draft: z.object({
      version: z.int().describe('Required when the draft is saved. 0: it was never saved.'),
      savedAt: timestampOut.nullable().describe('Null if nothing differs from the page.'),
      content: DraftContent.describe('What the page will show.'),
    }),
    page: PageState.nullable().describe('Null before the first submission.'),
    products: z.array(PromotableProduct).describe('What the affiliate may promote, newest first, at most 400, and those that are chosen.'),
    currency: currencyOut,
    templates: z.array(TemplateId),
    accents: z.array(Accent),
    restrictedPhrases: z.array(z.string()).describe('Wording that the program does not allow on pages.'),
    urlPrefix: z.string().describe('The address of the page without its slug.'),
    programName: z.string(),
    affiliateName: z.string(),
    canSubmit: z.boolean().describe('Only active affiliates submit pages; others prepare a draft.'),
  })
  .meta({
    id: 'PortalPage',
    example: {
      draft: { version: 7, savedAt: '2026-11-21T14:02:11.000Z', content: draftExample },
      page: {
        slug: 'ada-lovelace',
        url: 'https://partners.example/s/fern-field/ada-lovelace',
        reviewStatus: 'approved',
        isPublished: true,
        isLive: true,
        submittedAt: '2026-11-18T09:12:44.000Z',
        changes: null,
      },
      products: [{ id: '01980a4e-9c11-7d20-8b42-5e6f7a8b9c0d', name: 'Sleep tea', imageUrl: null, priceCents: 1490 }],
      currency: 'USD',
      templates: ['clinical', 'creator', 'minimalist'],
      accents: ['lagoon', 'ink'],
      restrictedPhrases: ['cures'],
      urlPrefix: 'https://partners.example/s/fern-field/',
      programName: 'Fern & Field',
      affiliateName: 'Ada Lovelace',
      canSubmit: true,
    },
  });

export const getPortalPage = endpoint({
  id: 'portalPage.get',
  route: 'GET /app/portal/:programId/page',
  scope: 'affiliate',
  affiliateStatuses: draftingStatuses,
  tag: 'Portal',
  summary: 'Get your page and its private draft',
  statuses: [200],
  result: PortalPage,
  handle: (ctx, { actor }) => readPortalPage(ctx, actor),
});

async function readPortalPage(ctx: Context, actor: AffiliatePrincipal): Promise<z.input<typeof PortalPage>> {
  const { programId, affiliateId } = actor;
  const facts = await readFacts(ctx, actor);
  const urlPrefix = await findStorefrontPrefix(ctx, { id: programId, slug: facts.programSlug });
  const { version, savedAt, content } = await readDraft(ctx, { programId, affiliateId });
  return {
    draft: { version, savedAt: savedAt?.toISOString() ?? null, content },
    page: await readState(ctx, actor, urlPrefix),
    products: await listProducts(ctx, { programId, groupId: facts.groupId }, content.featuredProductIds),
    currency: actor.currency,
    templates: TemplateId.options,
    accents: Accent.options,
    restrictedPhrases: facts.restrictedPhrases ?? [],
    urlPrefix,
    programName: facts.programName,
    affiliateName: fullName(facts),
    canSubmit: actor.affiliateStatus === 'active',
  };
}

async function readFacts({ db }: Pick<Context, 'db'>, { programId, affiliateId }: AffiliatePrincipal) {
  return db
    .selectFrom('affiliates')
    .innerJoin('programs', 'programs.id', 'affiliates.programId')
    .leftJoin('programBrands as brand', (join) => join.on('brand.programId', '=', programId))
    .select(['programs.name as programName', 'programs.slug as programSlug', 'affiliates.groupId', 'firstName', 'lastName'])
    .select('brand.restrictedPhrases')
    .where('affiliates.programId', '=', programId)
    .where('affiliates.id', '=', affiliateId)
    .executeTakeFirstOrThrow();
}

async function readState(ctx: Pick<Context, 'db'>, { programId, affiliateId }: AffiliatePrincipal, urlPrefix: string) {
  const page = await ctx.db
    .selectFrom('landingPages as page')
    .innerJoin('landingPageRevisions as revision', (join) =>
      join
        .on('revision.programId', '=', programId)
        .onRef('revision.pageId', '=', 'page.id')
        .onRef('revision.revision', '=', 'page.revision'),
    )
    .select(['page.id', 'page.slug', 'page.revision', 'page.reviewStatus', 'page.isPublished', 'revision.createdAt'])
    .where('page.programId', '=', programId)
    .where('page.affiliateId', '=', affiliateId)
    .executeTakeFirst();
  if (!page) return null;
  return {
    slug: page.slug,
    url: urlPrefix + page.slug,
    reviewStatus: ReviewStatus.parse(page.reviewStatus),
    isPublished: page.isPublished,
    isLive: isLive(page),
    submittedAt: page.createdAt.toISOString(),
    changes: page.reviewStatus === 'changes_requested' ? await readRequestedChanges(ctx, programId, page) : null,
  };
}

/** The note of the review that decided on the current revision; other members' names stay with the program. */
async function readRequestedChanges({ db }: Pick<Context, 'db'>, programId: string, { id, revision }: { id: string; revision: number }) {
  const review = await db
    .selectFrom('landingPageReviews')
    .select(['note', 'fields', 'createdAt'])
    .where('programId', '=', programId)
    .where('pageId', '=', id)
    .where('revision', '=', revision)
    .where('verdict', '=', 'changes_requested')
    .where('undoneAt', 'is', null)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return review ? { note: review.note, fields: review.fields, requestedAt: review.createdAt.toISOString() } : null;
}

async function listProducts(ctx: Context, promoter: { programId: string; groupId: string | null }, chosenIds: readonly string[]) {
  const newest: z.input<typeof PromotableProduct>[] = [];
  const shape = ({ id, name, imageUrl, priceCents }: z.input<typeof PromotableProduct>) => ({ id, name, imageUrl, priceCents });
  for await (const rows of promotablePages(ctx, promoter)) {
    newest.push(...rows.map(shape));
    if (newest.length >= maxProducts) break;
  }
  const listed = new Set(newest.map(({ id }) => id));
  const others = await findPromotable(
    ctx,
    promoter,
    chosenIds.filter((id) => !listed.has(id)),
  );
  return [...newest, ...others.map(shape)];
}
