// An affiliate's landing page: its values, its slug, and finding it by a current or former slug.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import type { LandingPageRevisions, LandingPages } from '../../platform/db/schema.gen.ts';
import type { Slot } from '../../platform/http/declaration/endpoint.ts';
import { pageSlugForm } from '../../platform/lib/slug.ts';

export const TemplateId = z.enum(['clinical', 'creator', 'minimalist']).meta({ id: 'TemplateId' });
export const PromotionMode = z.enum(['all', 'featured_only']).meta({ id: 'PromotionMode' });

export type PageRow = Selectable<LandingPages>;
export type Revision = Selectable<LandingPageRevisions>;

const slug = z
  .string()
  .refine((text) => pageSlugForm.test(text), { error: 'must be 1 to 64 lowercase letters, numbers and hyphens' })
  .meta({ json: { type: 'string', pattern: pageSlugForm.source } });

const slugSlot = { schema: slug, meaning: 'The slug of the page: lowercase letters, numbers and hyphens.', example: 'ada-lovelace' };

/** `:slug` of an existing page, its current or a former one. */
export const existingSlugSlot: Slot = {
  ...slugSlot,
  async exists(ctx, programId, text) {
    return (await findPage(ctx, programId, text)) !== null;
  },
};

/** `:slug` that a write can create: its format is validated with the body (400). */
export const freeSlugSlot: Slot = { ...slugSlot, exists: null };

/** The page with this slug, or the one that had it before. */
export async function findPage(ctx: Pick<Context, 'db'>, programId: string, text: string): Promise<PageRow | null> {
  const page = await ctx.db
    .selectFrom('landingPages')
    .selectAll()
    .where('programId', '=', programId)
    .where('slug', '=', text)
    .executeTakeFirst();
  if (page) return page;
  const moved = await ctx.db
    .selectFrom('landingPageForwards as forward')
    .innerJoin('landingPages as page', (join) => join.on('page.programId', '=', programId).onRef('page.id', '=', 'forward.pageId'))
    .selectAll('page')
    .where('forward.programId', '=', programId)
    .where('forward.slug', '=', text)
    .executeTakeFirst();
  return moved ?? null;
}

/** The content of the page at a revision. */
export async function getRevision(ctx: Pick<Context, 'db'>, { programId, id }: PageRow, revision: number): Promise<Revision> {
  return ctx.db
    .selectFrom('landingPageRevisions')
    .selectAll()
    .where('programId', '=', programId)
    .where('pageId', '=', id)
    .where('revision', '=', revision)
    .executeTakeFirstOrThrow();
}
