// Whether an affiliate's page can have a slug, checked while they type it. Submitting decides.
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { pageSlugForm, toSlug } from '../../../platform/lib/slug.ts';
import { type DraftKey, draftingStatuses } from './draft.ts';

export const checkPageSlug = endpoint({
  id: 'portalPage.slugCheck',
  route: 'GET /app/portal/:programId/page/slug-check',
  scope: 'affiliate',
  affiliateStatuses: draftingStatuses,
  tag: 'Portal',
  summary: 'Check whether your page can have a slug',
  query: z.object({ slug: z.string().max(200).describe('The slug to check.').meta({ example: 'ada-lovelace' }) }),
  statuses: [200],
  result: z
    .object({
      isAvailable: z.boolean(),
      reason: z.enum(['invalid', 'taken']).nullable(),
      suggestion: z.string().nullable().describe('A similar slug that is available.'),
    })
    .meta({ id: 'PageSlugCheck', example: { isAvailable: false, reason: 'taken', suggestion: 'ada-lovelace-2' } }),
  async handle(ctx, { actor, query: { slug } }) {
    const isValid = pageSlugForm.test(slug);
    if (isValid && (await isFree(ctx, actor, slug))) return { isAvailable: true, reason: null, suggestion: null };
    return {
      isAvailable: false,
      reason: isValid ? ('taken' as const) : ('invalid' as const),
      suggestion: await suggest(ctx, actor, toSlug(slug)),
    };
  },
});

const suffixes = ['', '-2', '-3', '-4', '-5', '-picks', '-page'];

async function suggest(ctx: Pick<Context, 'db'>, key: DraftKey, slug: string): Promise<string | null> {
  if (slug === '') return null;
  for (const suffix of suffixes) if (await isFree(ctx, key, slug + suffix)) return slug + suffix;
  return null;
}

async function isFree({ db }: Pick<Context, 'db'>, { programId, affiliateId }: DraftKey, slug: string): Promise<boolean> {
  const pages = db.selectFrom('landingPages').select('affiliateId').where('programId', '=', programId).where('slug', '=', slug);
  const page = await pages.executeTakeFirst();
  return !page || page.affiliateId === affiliateId;
}
