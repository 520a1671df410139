// `GET /r/CODE`, `/r/SLUG` and `/r/PROGRAM/NAME`: the links that affiliates share. Visitors are always redirected with
// 302 (Contract §8); an unknown link redirects to the website of its program, or to a neutral page if that is unknown.
// On a program's custom domain for links, their paths have no `/r`.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../../context.ts';
import { siteOf } from '../../../platform/http/sites/site.ts';
import { allowsRecognition, readVisitorCookie, signVisitorId } from '../../../platform/http/visitor-cookie.ts';
import { findAdParameter } from '../ad-parameters.ts';
import type { LinkName } from '../links/find-links.ts';
import { getTracking, type Outcome } from '../visit.ts';
import { serveUnavailablePage, unavailablePath } from './link-unavailable.ts';

/** 13 months, the longest time that a visitor may be recognized. */
const visitorSeconds = 395 * 86_400;

type Query = Record<string, unknown>;

/** Registers the links on an instance without hooks, since redirects are requested thousands of times a second. */
export function serveRedirects(app: FastifyInstance, ctx: Context): void {
  const tracking = getTracking(ctx);
  const isSecure = ctx.config.publicUrl?.startsWith('https:') ?? false;
  const cookieTail = `; Path=/; SameSite=Lax; HttpOnly${isSecure ? '; Secure' : ''}`;
  const isBehindProxy = ctx.config.trustedProxies.length > 0;

  const respond = (request: FastifyRequest, reply: FastifyReply, name: LinkName): void => {
    const { headers, socket, method } = request.raw;
    const query = request.query as Query;
    // Visitors who object get no cookie and no id.
    const mayIdentify = query.consent !== '0' && allowsRecognition(headers);
    const hasCookie = headers.cookie?.includes('trb_vid=') ?? false;
    const known = readVisitorCookie(ctx.vault, headers);
    const visitorId = mayIdentify ? (known ?? ctx.ids.uuid()) : null;
    const cleared = !mayIdentify && hasCookie ? `trb_vid=; Max-Age=0${cookieTail}` : null;
    const peer = socket.remoteAddress ?? '';
    const answer = (outcome: Outcome | null): void => {
      if (outcome === null) return void redirectToWebsite(reply, name, cleared);
      const isIdentified = outcome.recorded && visitorId !== null;
      const token = isIdentified ? `trb_vid=${signVisitorId(ctx.vault, visitorId)}; Max-Age=${visitorSeconds}${cookieTail}` : null;
      redirect(reply, outcome.redirectUrl, token ?? cleared);
    };
    const giveUp = (error: unknown): void => {
      ctx.log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'click not recorded, redirected to the website');
      answer(null);
    };
    try {
      const outcome = tracking.visit({
        name,
        via: 'redirect',
        ip: isBehindProxy ? request.ip : peer,
        headers,
        peer,
        isHead: method === 'HEAD',
        referrer: headers.referer,
        url: query.url,
        subIds: readSubIds(query),
        adParameter: findAdParameter(query),
        visitorId,
      });
      if (outcome instanceof Promise) outcome.then(answer).catch(giveUp);
      else answer(outcome);
    } catch (error) {
      giveUp(error);
    }
  };
  const redirectToWebsite = async (reply: FastifyReply, { program }: LinkName, cookie: string | null): Promise<void> =>
    redirect(reply, (await tracking.findWebsite(program)) ?? unavailablePath, cookie);

  app.setErrorHandler((_error, _request, reply) => redirect(reply.hijack(), unavailablePath, null));
  app.get<{ Params: { name: string } }>('/r/:name', (request, reply) => {
    respond(request, reply.hijack(), { kind: 'any', name: request.params.name, program: '' });
  });
  app.get<{ Params: { program: string; name: string } }>('/r/:program/:name', (request, reply) => {
    respond(request, reply.hijack(), { kind: 'any', name: request.params.name, program: request.params.program });
  });
  serveSite(app, { respond, redirectToWebsite });
  serveUnavailablePage(app);
  app.addHook('onClose', () => tracking.flush());
}

type Responses = {
  respond(request: FastifyRequest, reply: FastifyReply, name: LinkName): void;
  redirectToWebsite(reply: FastifyReply, name: LinkName, cookie: string | null): Promise<void>;
};

/** Registers the links of custom domains. Other paths redirect to the program's website. */
function serveSite(app: FastifyInstance, { respond, redirectToWebsite }: Responses): void {
  const onSite = { constraints: { site: 'links' } };
  const toName = ({ raw }: FastifyRequest, name: string): LinkName => ({ kind: 'any', name, program: siteOf(raw)?.programId ?? '' });
  app.get<{ Params: { name: string } }>('/:name', onSite, (request, reply) => {
    respond(request, reply.hijack(), toName(request, request.params.name));
  });
  for (const path of ['/', '/*']) {
    app.get(path, onSite, (request, reply) => void redirectToWebsite(reply.hijack(), toName(request, ''), null));
  }
}

const always = [
  ['cache-control', 'no-store'],
  ['referrer-policy', 'strict-origin-when-cross-origin'],
  ['x-robots-tag', 'noindex, nofollow'],
  ['content-length', '0'],
].flat();

/** Writes directly to the socket: a redirect needs only these headers. */
function redirect(reply: FastifyReply, location: string, cookie: string | null): void {
  const headers = ['location', location, ...always];
  if (cookie !== null) headers.push('set-cookie', cookie);
  reply.raw.writeHead(302, headers).end();
}

const subIdNames = [1, 2, 3, 4, 5].map((number) => [`sub${number}`, `subId${number}`] as const);

function readSubIds(query: Query): unknown[] {
  return subIdNames.map(([short, long]) => query[short] ?? query[long]);
}
