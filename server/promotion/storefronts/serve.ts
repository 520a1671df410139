// `GET /s/PROGRAM/PAGE`: public pages. Only the approved revision of a page that is live, of an active affiliate, is ever
// shown; everything else is the same neutral 404. A former slug redirects to the current one. On a program's custom domain
// for storefronts, the path of a page is `/PAGE`.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { isLive } from '../../partners/affiliates/expand/landing-page-summary.ts';
import { cacheFile, sendFile } from '../../platform/http/pages/cached-file.ts';
import { siteOf } from '../../platform/http/sites/site.ts';
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

/** `program` is missing on a custom domain. */
type Address = { Params: { program?: string; page: string } };

const onSite = { constraints: { site: 'storefronts' } };

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
    scope.get<Address>('/:page', onSite, (request, reply) => sendPage(ctx, request, reply));
    scope.get<Address>('/:page/og.png', onSite, (request, reply) => sendCard(ctx, request, reply));
    for (const path of ['/', '/*']) scope.get(path, onSite, (request, reply) => sendElsewhere(ctx, request, reply));
  });
}

async function sendPage(ctx: Context, request: FastifyRequest<Address>, reply: FastifyReply): Promise<FastifyReply> {
  const { program, page } = await findByPath(ctx, request);
  if (!program || !page) return sendNotLive(ctx, reply, { program, status: 404 });
  const prefix = siteOf(request.raw) ? '' : `/s/${program.slug}`;
  const path = `${prefix}/${page.slug}`;
  const isCurrent = request.params.page === page.slug && (request.params.program ?? program.slug) === program.slug;
  if (!isCurrent) {
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

/** `/` of a custom domain redirects to the program's website. Other paths are not found. */
async function sendElsewhere(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const program = await findBySite(ctx, request);
  const website = program?.websiteUrl ?? null;
  if (website === null || request.url.split('?')[0] !== '/') return sendNotLive(ctx, reply, { program, status: 404 });
  return reply.headers({ ...headers, 'cache-control': 'no-cache' }).redirect(website, 302);
}

async function findBySite(ctx: Context, { raw }: FastifyRequest): Promise<StorefrontProgram | null> {
  const site = siteOf(raw);
  return site && findProgram(ctx, { id: site.programId });
}

async function findBySlug(ctx: Context, slug: string): Promise<StorefrontProgram | null> {
  return slugForm.test(slug) ? findProgram(ctx, { slug }) : null;
}

async function findByPath(ctx: Context, request: FastifyRequest<Address>) {
  const { params } = request;
  const pageSlug = params.page.toLowerCase();
  const program = await (params.program === undefined ? findBySite(ctx, request) : findBySlug(ctx, params.program.toLowerCase()));
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
