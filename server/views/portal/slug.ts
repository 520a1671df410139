// The affiliate's own short address: whether a slug is free, and taking it.
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { changeAffiliate } from '../../partners/affiliates/change-affiliate.ts';
import { buildLinkUrl } from '../../partners/affiliates/links/link-url.ts';
import { readLink } from '../../partners/affiliates/links/read-link.ts';
import { vanitySlugField } from '../../partners/affiliates/update.ts';
import { transact } from '../../platform/db/transact.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { line } from '../../platform/http/declaration/fields.ts';
import { isReservedSlug, vanitySlugForm } from '../../platform/lib/slug.ts';

export const checkSlug = endpoint({
  id: 'portal.slugCheck',
  route: 'GET /app/portal/:programId/slug-check',
  scope: 'affiliate',
  tag: 'Portal',
  summary: 'Check whether a short address is free',
  description: 'Another affiliate can take it before it is set: setting it decides.',
  query: z.object({ slug: line(200) }),
  statuses: [200],
  result: z
    .object({
      slug: z.string(),
      isAvailable: z.boolean(),
      reason: z.enum(['invalid', 'reserved', 'taken']).nullable(),
      url: z.string().nullable().describe('The address with this slug, if it is available.'),
    })
    .meta({ id: 'SlugCheck', example: { slug: 'ada', isAvailable: true, reason: null, url: 'https://links.example/r/ada' } }),
  async handle(ctx, { actor, query }) {
    const slug = query.slug.trim().toLowerCase();
    const reason = await findFault(ctx, actor, slug);
    if (reason) return { slug, isAvailable: false, reason, url: null };
    const link = await readLink(ctx, actor);
    const isBareSlug = await isBareFor(ctx, actor.programId, slug);
    return {
      slug,
      isAvailable: true,
      reason: null,
      url: buildLinkUrl(ctx.config, { ...link, vanitySlug: slug, isBareSlug }),
    };
  },
});

type Owner = { programId: string; affiliateId: string };

async function findFault({ db }: Pick<Context, 'db'>, { programId, affiliateId }: Owner, slug: string) {
  if (!vanitySlugForm.test(slug)) return 'invalid' as const;
  if (isReservedSlug(slug)) return 'reserved' as const;
  const links = db.selectFrom('shortLinks').select(['affiliateId', 'kind', 'releasedAt']);
  const link = await links.where('programId', '=', programId).where('slug', '=', slug).executeTakeFirst();
  if (!link || link.releasedAt !== null) return null;
  return link.affiliateId === affiliateId && link.kind === 'vanity' ? null : ('taken' as const);
}

/** Whether the slug's address needs no program in its path. */
async function isBareFor({ db }: Pick<Context, 'db'>, programId: string, slug: string): Promise<boolean> {
  const bare = await db.selectFrom('bareLinks').select('programId').where('slug', '=', slug).executeTakeFirst();
  if (bare) return bare.programId === programId;
  return (await db.selectFrom('referralCodes').select('code').where('code', '=', slug.toUpperCase()).executeTakeFirst()) === undefined;
}

export const setSlug = endpoint({
  id: 'portal.setSlug',
  route: 'PATCH /app/portal/:programId/slug',
  scope: 'affiliate',
  tag: 'Portal',
  summary: "Set the affiliate's short address",
  description: 'A released slug keeps redirecting to the affiliate until another one takes it.',
  body: z.object({ vanitySlug: vanitySlugField.nullable() }).meta({ id: 'PortalSlug', example: { vanitySlug: 'ada' } }),
  statuses: [200],
  result: z
    .object({ vanitySlug: z.string().nullable(), url: z.string() })
    .meta({ id: 'PortalSlugResult', example: { vanitySlug: 'ada', url: 'https://links.example/r/ada' } }),
  errors: [{ status: 409, code: 'slug_taken', when: 'The slug is already in use in the program.' }],
  handle: (ctx, { actor, body: { vanitySlug } }) =>
    transact(ctx, async (tx) => {
      await changeAffiliate(tx, actor, { id: actor.affiliateId, vanitySlug });
      return { vanitySlug, url: (await readLink(tx, actor)).url };
    }),
});
