// The private draft of an affiliate's page: what they changed since the last revision and have not submitted. It is kept
// while they type, so a link without an address or an empty title is accepted here; submitting applies the limits.
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { optionalLine, paragraph, uuid, webAddress } from '../../../platform/http/declaration/fields.ts';
import { Outdated } from '../../../platform/lib/errors.ts';
import { toSlug } from '../../../platform/lib/slug.ts';
import { fullName } from '../../../platform/lib/text.ts';
import { Accent, HeroFocus, ProductNotes, readDetails } from '../content.ts';
import { PromotionMode, type Revision, TemplateId } from '../landing-page.ts';

const DraftLink = z.object({ label: optionalLine(40), url: optionalLine(2048) }).meta({ id: 'PageDraftLink' });

export const DraftContent = z
  .object({
    slug: optionalLine(64),
    templateId: TemplateId,
    accent: Accent,
    pageTitle: optionalLine(200),
    headline: optionalLine(300),
    bioText: paragraph(5000),
    avatarUrl: webAddress.nullable(),
    heroImageUrl: webAddress.nullable(),
    heroFocus: HeroFocus,
    promoBadgeText: optionalLine(100),
    promotionMode: PromotionMode,
    featuredProductIds: z.array(uuid).max(500),
    productNotes: ProductNotes,
    links: z.array(DraftLink).max(8),
  })
  .meta({ id: 'PageDraftContent' });
export type DraftContent = z.output<typeof DraftContent>;

/** What is stored: the changed fields. */
export const DraftChanges = DraftContent.partial();

export const draftExample: DraftContent = {
  slug: 'ada-lovelace',
  templateId: 'minimalist',
  accent: 'lagoon',
  pageTitle: "Ada's favourites",
  headline: 'What I use every day',
  bioText: '',
  avatarUrl: null,
  heroImageUrl: null,
  heroFocus: 'center',
  promoBadgeText: '',
  promotionMode: 'all',
  featuredProductIds: [],
  productNotes: {},
  links: [{ label: 'Newsletter', url: 'https://ada.example/newsletter' }],
};

/** Who prepares a page: also affiliates who await approval. */
export const draftingStatuses = ['pending', 'active'];

/** Whose draft it is. */
export type DraftKey = { programId: string; affiliateId: string };
/** Version 0 was never saved. `savedAt` is null if nothing differs from the last revision. */
export type Draft = { version: number; savedAt: Date | null; content: DraftContent };

/** The draft of an affiliate, or what a new one starts with: their page's current revision, else defaults. */
export async function readDraft(ctx: Pick<Context, 'db'>, { programId, affiliateId }: DraftKey): Promise<Draft> {
  const start = await readStart(ctx, { programId, affiliateId });
  const drafts = ctx.db.selectFrom('landingPageDrafts').select(['version', 'content', 'updatedAt']);
  const row = await drafts.where('programId', '=', programId).where('affiliateId', '=', affiliateId).executeTakeFirst();
  if (!row) return { version: 0, savedAt: null, content: start };
  const changes = DraftChanges.parse(row.content);
  const isChanged = Object.keys(changes).length > 0;
  return { version: row.version, savedAt: isChanged ? row.updatedAt : null, content: DraftContent.parse({ ...start, ...changes }) };
}

/** The error for a request that names a version of the draft other than the current one. */
export function outdatedDraft(version: number): Outdated {
  return new Outdated('draft_outdated', 'This draft was changed in another window. Load it again before you continue.', { version });
}

/** What a draft starts with: the current revision of the page, or defaults. */
export async function readStart({ db }: Pick<Context, 'db'>, { programId, affiliateId }: DraftKey): Promise<DraftContent> {
  const last = await db
    .selectFrom('landingPages as page')
    .innerJoin('landingPageRevisions as revision', (join) =>
      join
        .on('revision.programId', '=', programId)
        .onRef('revision.pageId', '=', 'page.id')
        .onRef('revision.revision', '=', 'page.revision'),
    )
    .selectAll('revision')
    .select('page.slug')
    .where('page.programId', '=', programId)
    .where('page.affiliateId', '=', affiliateId)
    .executeTakeFirst();
  if (last) return fromRevision(last);
  const owner = await db
    .selectFrom('affiliates')
    .select(['firstName', 'lastName'])
    .where('programId', '=', programId)
    .where('id', '=', affiliateId)
    .executeTakeFirstOrThrow();
  const name = fullName(owner);
  return { ...emptyContent, slug: toSlug(name), pageTitle: name };
}

const emptyContent: DraftContent = {
  slug: '',
  templateId: 'minimalist',
  accent: 'lagoon',
  pageTitle: '',
  headline: '',
  bioText: '',
  avatarUrl: null,
  heroImageUrl: null,
  heroFocus: 'center',
  promoBadgeText: '',
  promotionMode: 'all',
  featuredProductIds: [],
  productNotes: {},
  links: [],
};

function fromRevision(revision: Revision & { slug: string }): DraftContent {
  const { slug, pageTitle, headline, bioText, avatarUrl, heroImageUrl, promoBadgeText, featuredProductIds } = revision;
  return {
    ...readDetails(revision),
    slug,
    templateId: TemplateId.parse(revision.templateId),
    promotionMode: PromotionMode.parse(revision.promotionMode),
    pageTitle,
    headline: headline ?? '',
    bioText: bioText ?? '',
    avatarUrl,
    heroImageUrl,
    promoBadgeText: promoBadgeText ?? '',
    featuredProductIds,
  };
}
