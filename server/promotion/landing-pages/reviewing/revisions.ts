// The revisions of a landing page: who wrote them, who decided on them, and their contents.
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { NamedActor } from '../../../platform/http/declaration/actor-shape.ts';
import { endpoint, type Slot } from '../../../platform/http/declaration/endpoint.ts';
import { countOut, page as pageFields, timestampOut, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { countRows, listOf } from '../../../platform/http/declaration/lists.ts';
import { exampleOf } from '../../../platform/http/openapi/schemas.ts';
import { NotFound } from '../../../platform/lib/errors.ts';
import { pageContentShape, toPageContent } from '../content.ts';
import { existingSlugSlot, findPage, type PageRow, type Revision } from '../landing-page.ts';
import { findAuthors, findDecisions, PageDecision } from './decisions.ts';
import { findPhrases, readRestrictedPhrases, toPageTexts } from './restricted-phrases.ts';

const listed = {
  revision: countOut,
  isCurrent: z.boolean(),
  isApproved: z.boolean().describe('The last approved revision.'),
  writtenBy: NamedActor.nullable(),
  decision: PageDecision.nullable().describe('The last decision on this revision.'),
  createdAt: timestampOut,
};
const listedExample = {
  revision: 4,
  isCurrent: true,
  isApproved: true,
  writtenBy: exampleOf(NamedActor),
  decision: exampleOf(PageDecision),
  createdAt: '2026-11-18T09:00:00.000Z',
};

const ListedRevision = z.object(listed).meta({ id: 'PageRevision', example: listedExample });

export const listPageRevisions = endpoint({
  id: 'landingPages.revisions',
  route: 'GET /app/programs/:programId/landing-pages/:slug/revisions',
  scope: 'read',
  isUserOnly: true,
  tag: 'Review',
  summary: 'List the revisions of a page',
  path: { slug: existingSlugSlot },
  query: z.object(pageFields),
  statuses: [200],
  result: listOf('revisions', ListedRevision, 'PageRevisionList'),
  async handle(ctx, { actor: { programId }, params: { slug }, query: { limit, offset } }) {
    const page = await getPage(ctx, programId, slug);
    const revisions = ctx.db.selectFrom('landingPageRevisions').where('programId', '=', programId).where('pageId', '=', page.id);
    const rows = await revisions.select(['revision', 'createdAt']).orderBy('revision', 'desc').limit(limit).offset(offset).execute();
    const describe = await describeRevisions(ctx, page);
    return { revisions: rows.map(describe), total: await countRows(revisions), limit, offset };
  },
});

const RevisionProduct = z.object({ id: uuidOut, name: z.string(), imageUrl: z.string().nullable() }).meta({ id: 'PageRevisionProduct' });

const FullRevision = z
  .object({
    ...listed,
    slug: z.string(),
    ...pageContentShape,
    // Without its name: the documents of both APIs would give it two schemas.
    links: z.array(z.object({ label: z.string(), url: z.string() })),
    products: z.array(RevisionProduct).describe('The featured products, in their order.'),
    restrictedPhrases: z
      .array(z.object({ phrase: z.string(), fields: z.array(z.string()).describe('The fields that contain it.') }))
      .describe('The restricted phrases of the program that this revision contains, and where.'),
  })
  .meta({
    id: 'FullPageRevision',
    example: {
      ...listedExample,
      slug: 'ada-lovelace',
      templateId: 'clinical',
      promotionMode: 'all',
      pageTitle: "Ada's favourites",
      headline: 'What I use every day',
      bioText: null,
      avatarUrl: null,
      heroImageUrl: null,
      promoBadgeText: null,
      accent: 'lagoon',
      links: [],
      productNotes: {},
      heroFocus: 'center',
      products: [],
      restrictedPhrases: [{ phrase: 'cure', fields: ['bioText'] }],
    },
  });

const revisionForm = /^[1-9]\d{0,8}$/;

const revisionSlot: Slot = {
  schema: z
    .string()
    .refine((text) => revisionForm.test(text), { error: 'must be the number of a revision' })
    .meta({ json: { type: 'string', pattern: revisionForm.source } }),
  meaning: 'The number of the revision.',
  example: '4',
  // Depends on the page, so the handler looks it up.
  exists: async () => true,
};

export const getPageRevision = endpoint({
  id: 'landingPages.revision',
  route: 'GET /app/programs/:programId/landing-pages/:slug/revisions/:revision',
  scope: 'read',
  isUserOnly: true,
  tag: 'Review',
  summary: 'Get a revision of a page',
  path: { slug: existingSlugSlot, revision: revisionSlot },
  statuses: [200],
  result: FullRevision,
  async handle(ctx, { actor: { programId }, params: { slug, revision } }) {
    const page = await getPage(ctx, programId, slug);
    const content = await ctx.db
      .selectFrom('landingPageRevisions')
      .selectAll()
      .where('programId', '=', programId)
      .where('pageId', '=', page.id)
      .where('revision', '=', Number(revision))
      .executeTakeFirst();
    if (!content) throw new NotFound();
    const describe = await describeRevisions(ctx, page);
    const contents = toPageContent(content);
    return {
      ...describe(content),
      slug: page.slug,
      ...contents,
      products: await findProducts(ctx, programId, content.featuredProductIds),
      restrictedPhrases: findPhrases(toPageTexts(contents), await readRestrictedPhrases(ctx, programId)),
    };
  },
});

async function getPage(ctx: Pick<Context, 'db'>, programId: string, slug: string): Promise<PageRow> {
  const page = await findPage(ctx, programId, slug);
  if (!page) throw new NotFound();
  return page;
}

/** Returns a function that adds to a revision who wrote it and who decided on it. */
async function describeRevisions(ctx: Pick<Context, 'db'>, page: PageRow) {
  const { programId, id } = page;
  const authors = await findAuthors(ctx, programId, id);
  const decisions = await findDecisions(ctx, { programId, pageIds: [id] }, 'all');
  return ({ revision, createdAt }: Pick<Revision, 'revision' | 'createdAt'>) => ({
    revision,
    isCurrent: revision === page.revision,
    isApproved: revision === page.approvedRevision,
    writtenBy: authors.get(revision) ?? null,
    decision: decisions.find((decision) => decision.revision === revision) ?? null,
    createdAt: createdAt.toISOString(),
  });
}

async function findProducts(ctx: Pick<Context, 'db'>, programId: string, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const products = ctx.db.selectFrom('products').select(['id', 'name', 'imageUrl']).where('programId', '=', programId);
  const rows = await products.where('id', 'in', ids).execute();
  return ids.flatMap((id) => rows.find((row) => row.id === id) ?? []);
}
