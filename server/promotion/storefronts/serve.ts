// `GET /s/PROGRAM/PAGE`: public pages. Only the approved revision of a page that is live, of an active affiliate, is ever
// shown; everything else is the same neutral 404. A former slug redirects to the current one.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { isLive } from '../../partners/affiliates/expand/landing-page-summary.ts';
import { cacheFile, sendFile } from '../../platform/http/pages/cached-file.ts';
import { findPage, getRevision, type PageRow } from '../landing-pages/landing-page.ts';
import { serveFonts } from './fonts.ts';
import { findProgram, loadCard, loadStorefront, type StorefrontProgram } from './load.ts';
import { readKnown, renderNotLive } from './not-live.ts';
import { servePreviews } from './preview.ts';
import { renderStorefront } from './render.ts';
import { readCard } from './share/cards.ts';
import { picturesOf } from './storefront.ts';
import { contentPolicy, styleSheetOf } from './styles.ts';

const htmlType = 'text/html; charset=utf-8';
const headers = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'strict-origin-when-cross-origin' };
const slugForm = /^[\w-]{1,100}$/;

type Address = { Params: { program: string; page: string } };

/** Registers the pages in a separate scope, without the headers of the API. */
export function serveStorefronts(app: FastifyInstance, ctx: Context): void {
  void app.register(async (scope) => {
    scope.setErrorHandler(async (error, request, reply) => {
      ctx.log.error({ err: error, requestId: request.id }, 'a public page failed');
      return sendNotLive(ctx, reply, { program: null, status: 503 });
    });
    serveFonts(scope);
    servePreviews(scope, ctx);
    scope.get<Address>('/s/:program/:page', (request, reply) => sendPage(ctx, request, reply));
    scope.get<Address>('/s/:program/:page/og.png', (request, reply) => sendCard(ctx, request, reply));
    scope.get('/s/*', (_request, reply) => sendNotLive(ctx, reply, { program: null, status: 404 }));
  });
}

async function sendPage(ctx: Context, request: FastifyRequest<Address>, reply: FastifyReply): Promise<FastifyReply> {
  const { program, page } = await findByPath(ctx, request);
  if (!program || !page) return sendNotLive(ctx, reply, { program, status: 404 });
  const path = `/s/${program.slug}/${page.slug}`;
  if (path !== `/s/${request.params.program}/${request.params.page}`) {
    return reply.headers({ ...headers, 'cache-control': 'no-cache' }).redirect(path, 301);
  }
  const { affiliateId, slug } = page;
  const content = await getRevision(ctx, page, page.approvedRevision);
  const storefront = await loadStorefront(ctx, { program, affiliateId, slug, content, isPreview: false });
  const policy = contentPolicy(styleSheetOf(storefront.template, storefront.accent), {
    embedding: 'forbidden',
    pictures: picturesOf(storefront),
  });
  const file = await cacheFile(htmlType, renderStorefront(storefront));
  return sendFile(request, reply.headers({ ...headers, 'content-security-policy': policy }), file);
}

/** The image of the page, where links to it are shown. */
async function sendCard(ctx: Context, request: FastifyRequest<Address>, reply: FastifyReply): Promise<FastifyReply> {
  const { program, page } = await findByPath(ctx, request);
  if (!program || !page) return sendNotLive(ctx, reply, { program, status: 404 });
  const content = await getRevision(ctx, page, page.approvedRevision);
  const file = await readCard(ctx, program.id, await loadCard(ctx, { program, affiliateId: page.affiliateId, content }));
  return sendFile(request, reply.headers({ ...headers, 'cross-origin-resource-policy': 'cross-origin' }), file);
}

async function findByPath(ctx: Context, { params }: FastifyRequest<Address>) {
  const [programSlug, pageSlug] = [params.program.toLowerCase(), params.page.toLowerCase()];
  const program = slugForm.test(programSlug) ? await findProgram(ctx, { slug: programSlug }) : null;
  const page = program && slugForm.test(pageSlug) ? await findLivePage(ctx, program, pageSlug) : null;
  return { program, page };
}

type LivePage = PageRow & { approvedRevision: number };

/** The page, read in one statement, if it and its affiliate are to be shown. */
async function findLivePage(ctx: Context, { id: programId }: StorefrontProgram, slug: string): Promise<LivePage | null> {
  const page = await findPage(ctx, programId, slug);
  if (!page || !isLive(page) || page.approvedRevision === null) return null;
  const owner = await ctx.db
    .selectFrom('affiliates')
    .select('status')
    .where('programId', '=', programId)
    .where('id', '=', page.affiliateId)
    .executeTakeFirst();
  return owner?.status === 'active' ? { ...page, approvedRevision: page.approvedRevision } : null;
}

type NotLive = { program: StorefrontProgram | null; status: 404 | 503 };

async function sendNotLive(ctx: Context, reply: FastifyReply, { program, status }: NotLive): Promise<FastifyReply> {
  const { html, policy } = renderNotLive(await readKnown(ctx, program));
  return reply
    .code(status)
    .headers({ ...headers, 'content-security-policy': policy, 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
    .type(htmlType)
    .send(html);
}
