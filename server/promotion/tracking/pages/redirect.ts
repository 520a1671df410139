// `GET /r/CODE`, `/r/SLUG` and `/r/PROGRAM/SLUG`: the links that affiliates share. Whatever happens, a visitor is
// led on with 302 (Contract §8); a link that leads nowhere leads to this service's own front page.
import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../../context.ts';
import type { LinkName } from '../links.ts';
import { type Outcome, trackingOf } from '../visit.ts';
import { newVisitor, readVisitor, visitorToken } from '../visitor.ts';

/** 13 months, as long as the visitor may be remembered. */
const visitorSeconds = 395 * 86_400;
const visitorCookie = /(?:^|;\s*)trb_vid=([0-9a-f_-]{61})(?:;|$)/;

type Query = Record<string, unknown>;

/** Registers the links on an instance without hooks: a redirect is answered thousands of times a second. */
export function serveRedirects(app: FastifyInstance, ctx: Context): void {
  const tracking = trackingOf(ctx);
  const isSecure = ctx.config.publicUrl?.startsWith('https:') ?? false;
  const cookieTail = `; Path=/; SameSite=Lax; HttpOnly${isSecure ? '; Secure' : ''}`;
  const isBehindProxy = ctx.config.trustedProxies.length > 0;

  const answer = async (request: FastifyRequest, reply: FastifyReply, name: LinkName): Promise<void> => {
    const { headers, socket, method } = request.raw;
    const query = request.query as Query;
    const mayRemember = allowsCookies(query, headers);
    const hasCookie = headers.cookie?.includes('trb_vid=') ?? false;
    const known = hasCookie ? readVisitor(ctx.vault, visitorCookie.exec(headers.cookie ?? '')?.[1]) : null;
    const visitorId = mayRemember ? (known ?? newVisitor()) : null;
    const peer = socket.remoteAddress ?? '';
    let outcome: Outcome | null = null;
    try {
      outcome = await tracking.visit({
        name,
        via: 'redirect',
        ip: isBehindProxy ? request.ip : peer,
        headers,
        peer,
        isHead: method === 'HEAD',
        referrer: headers.referer,
        url: query.url,
        subIds: subIdsOf(query),
        visitorId,
      });
    } catch (error) {
      ctx.log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'click not recorded, redirected to the website');
    }
    const cookie =
      outcome?.recorded && visitorId !== null
        ? `trb_vid=${visitorToken(ctx.vault, visitorId)}; Max-Age=${visitorSeconds}${cookieTail}`
        : null;
    const forgotten = !mayRemember && hasCookie ? `trb_vid=; Max-Age=0${cookieTail}` : null;
    leadOn(reply, outcome?.redirectUrl ?? '/', cookie ?? forgotten);
  };

  app.setErrorHandler((_error, _request, reply) => leadOn(reply.hijack(), '/', null));
  app.get<{ Params: { name: string } }>('/r/:name', (request, reply) => {
    void answer(request, reply.hijack(), { kind: 'any', name: request.params.name, program: '' });
  });
  app.get<{ Params: { program: string; name: string } }>('/r/:program/:name', (request, reply) => {
    void answer(request, reply.hijack(), { kind: 'any', ...request.params });
  });
  app.addHook('onClose', () => tracking.refusals.idle());
}

/** Straight to the socket: these headers are all that a redirect needs. */
function leadOn(reply: FastifyReply, location: string, cookie: string | null): void {
  const headers: OutgoingHttpHeaders = {
    location,
    'cache-control': 'no-store',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-robots-tag': 'noindex, nofollow',
    'content-length': 0,
  };
  if (cookie !== null) headers['set-cookie'] = cookie;
  reply.raw.writeHead(302, headers).end();
}

/** A visitor who is not asked or who said no gets no cookie and no id: `?consent=0`, Global Privacy Control, Do Not Track. */
function allowsCookies(query: Query, headers: Record<string, unknown>): boolean {
  return query.consent !== '0' && headers['sec-gpc'] !== '1' && headers.dnt !== '1';
}

const numbers = ['1', '2', '3', '4', '5'];

function subIdsOf(query: Query): unknown[] {
  return numbers.map((number) => query[`sub${number}`] ?? query[`subId${number}`]);
}
