// Previews: a revision, or an affiliate's private draft, as its public page would look. The address contains a token that
// names what to show and until when, signed with a key of this service; every holder of it sees the preview.
import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { systemTime } from '../../platform/lib/clock.ts';
import { PageLink } from '../landing-pages/content.ts';
import { type DraftKey, readDraft } from '../landing-pages/drafts/draft.ts';
import { getRevision } from '../landing-pages/landing-page.ts';
import { findProgram, loadStorefront, type StorefrontContent } from './load.ts';
import { renderNotLive } from './not-live.ts';
import { renderStorefront } from './render.ts';
import { picturesOf } from './storefront.ts';
import { contentPolicy, styleSheetOf } from './styles.ts';

const Token = z.object({
  programId: z.string(),
  affiliateId: z.string(),
  /** Null: the draft of the affiliate, as it is when the preview is opened. */
  revision: z.number().nullable(),
  expiresAt: z.number(),
});
type Token = z.output<typeof Token>;

export type Preview = { programId: string; affiliateId: string; revision: number | null };

const defaultMinutes = 60;

/** A path that shows the preview for a limited time. */
export function createPreview(ctx: Pick<Context, 'vault' | 'clock'>, preview: Preview, { minutes = defaultMinutes } = {}) {
  const expiresAt = systemTime(ctx).getTime() + minutes * 60_000;
  const { programId, affiliateId, revision } = preview;
  const payload = Buffer.from(JSON.stringify({ programId, affiliateId, revision, expiresAt } satisfies Token)).toString('base64url');
  return { url: `/preview/${payload}.${signatureOf(ctx, payload)}`, expiresAt: new Date(expiresAt).toISOString() };
}

/** What a token names; null if it was not issued here or has expired. */
export function readPreviewToken(ctx: Pick<Context, 'vault' | 'clock'>, token: string): Preview | null {
  const [, payload = '', signature = ''] = /^([\w-]{1,600})\.([0-9a-f]{32})$/.exec(token) ?? [];
  if (payload === '' || !timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(ctx, payload)))) return null;
  const preview = Token.parse(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')));
  return preview.expiresAt > systemTime(ctx).getTime() ? preview : null;
}

function signatureOf({ vault }: Pick<Context, 'vault'>, payload: string): string {
  return vault.fingerprint(`preview:${payload}`);
}

const headers = {
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex, nofollow',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Registers `GET /preview/TOKEN`. */
export function servePreviews(app: FastifyInstance, ctx: Context): void {
  app.get<{ Params: { token: string } }>('/preview/:token', async (request, reply) => {
    const preview = readPreviewToken(ctx, request.params.token);
    const found = preview && (await findContent(ctx, preview));
    const program = preview && (await findProgram(ctx, { id: preview.programId }));
    if (!preview || !found || !program) return sendUnavailable(reply);
    const storefront = await loadStorefront(ctx, { ...found, program, affiliateId: preview.affiliateId, isPreview: true });
    const policy = contentPolicy(styleSheetOf(storefront.template, storefront.accent), {
      embedding: 'own pages',
      pictures: picturesOf(storefront),
    });
    return reply
      .headers({ ...headers, 'content-security-policy': policy })
      .type('text/html; charset=utf-8')
      .send(renderStorefront(storefront));
  });
}

function sendUnavailable(reply: FastifyReply): FastifyReply {
  const { html, policy } = renderNotLive(null);
  return reply
    .code(404)
    .headers({ ...headers, 'content-security-policy': policy })
    .type('text/html; charset=utf-8')
    .send(html);
}

type Found = { slug: string; content: StorefrontContent };

async function findContent(ctx: Context, { programId, affiliateId, revision }: Preview): Promise<Found | null> {
  if (revision === null) return readDraftContent(ctx, { programId, affiliateId });
  const page = await ctx.db
    .selectFrom('landingPages')
    .selectAll()
    .where('programId', '=', programId)
    .where('affiliateId', '=', affiliateId)
    .executeTakeFirst();
  if (!page || revision > page.revision) return null;
  return { slug: page.slug, content: await getRevision(ctx, page, revision) };
}

/** The draft in the form of a revision. Links that are still being typed are left out. */
async function readDraftContent(ctx: Pick<Context, 'db'>, key: DraftKey): Promise<{ slug: string; content: StorefrontContent }> {
  const { slug, links, ...content } = (await readDraft(ctx, key)).content;
  const complete = links.filter((link) => PageLink.safeParse(link).success);
  return { slug, content: { ...content, links: complete } };
}
