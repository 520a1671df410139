// The only file that sets up the web framework: framing, parsing, routes, and every refusal that
// comes before an endpoint. Endpoints and the authenticator are given to it.
import helmet from '@fastify/helmet';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { Invalid, NotFound } from '../lib/errors.ts';
import { parseStrictJson } from '../lib/json.ts';
import { type Authenticate, checksOf } from './checks.ts';
import { type AnyEndpoint, parseRoute } from './declaration/endpoint.ts';
import { badRequest, methodNotAllowed, toErrorResponse } from './error-response.ts';
import { createHandler } from './handler.ts';
import { connectionsWithin, descriptorLimit, limitConnections } from './load/connections.ts';
import { limitHeavyRequests } from './load/heavy-requests.ts';
import { isDeclared } from './openapi/errors.ts';
import { createRateLimiter } from './rate-limit.ts';
import { answerBrokenRequest, answerOddRequests, closeUnread, hasUnreadBody } from './raw-responses.ts';

const bodyLimitBytes = 64 * 1024;
const requestIdForm = /^[A-Za-z0-9_.-]{8,64}$/;

export type HttpParts = {
  endpoints: readonly AnyEndpoint[];
  authenticate: Authenticate;
  /** Pages beside the API: the reference, health. */
  pages: (app: FastifyInstance) => Promise<void>;
  /** Pages without the hooks and headers of the API, which set their own: for what is asked thousands of times a second. */
  plainPages: (app: FastifyInstance) => void;
};

/** A server that is ready to listen (or to be injected into). */
export async function buildServer(ctx: Context, { endpoints, authenticate, pages, plainPages }: HttpParts): Promise<FastifyInstance> {
  const app = Fastify({
    genReqId: (request) => givenRequestId(request.headers['x-request-id']) ?? ctx.ids.uuid(),
    bodyLimit: bodyLimitBytes,
    trustProxy: ctx.config.trustedProxies,
    requestTimeout: 30_000,
    connectionTimeout: 60_000,
    keepAliveTimeout: 5000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: 16_384 },
    http: {
      requireHostHeader: false,
      headersTimeout: ctx.config.headersSeconds * 1000,
      maxHeaderSize: 16_384,
      // Node looks for requests that take too long only so often, by default every 30 s.
      connectionsCheckingInterval: 1000,
    },
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, ctx.ids),
    // A visitor is led on even by a broken link.
    frameworkErrors: (error, request, reply) =>
      request.url.startsWith('/r/') ? void reply.redirect('/') : sendError(ctx, error, request, reply as FastifyReply),
  });
  const { maxConnections, databasePoolMax, firstRequestSeconds } = ctx.config;
  limitConnections(app.server, {
    most: maxConnections ?? connectionsWithin(descriptorLimit(), databasePoolMax),
    firstRequestMs: firstRequestSeconds * 1000,
  });
  answerOddRequests(app.server as Parameters<typeof answerOddRequests>[0], ctx.ids);
  closeUnread(app.server as Parameters<typeof closeUnread>[0]);
  app.decorateRequest('actor', null);
  app.decorateRequest('slots');
  app.decorateRequest('place');
  app.decorateRequest('rawBody');
  app.setErrorHandler((error, request, reply) => sendError(ctx, error, request, reply));
  // Hooks reach every scope below the one they are added to: pages without them stand beside the API.
  await app.register(async (scope) => plainPages(scope));
  await app.register(async (scope) => {
    await scope.register(helmet, {
      contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
      crossOriginResourcePolicy: { policy: 'same-origin' },
    });
    refuseOddFraming(scope);
    parseJsonOnly(scope);
    addRoutes(scope, ctx, endpoints, authenticate);
    await pages(scope);
    answerUnknownRoutes(scope, endpoints);
    logRequests(scope, ctx);
  });
  return app;
}

function addRoutes(app: FastifyInstance, ctx: Context, endpoints: readonly AnyEndpoint[], authenticate: Authenticate): void {
  const limit = createRateLimiter();
  const gate = limitHeavyRequests();
  for (const endpoint of endpoints) {
    const { method, path } = parseRoute(endpoint.route);
    const checks = checksOf(endpoint, ctx, authenticate, limit);
    app.route({
      method,
      url: path,
      ...(endpoint.bodyLimitBytes && { bodyLimit: endpoint.bodyLimitBytes }),
      config: { endpoint },
      onRequest: endpoint.heavy ? [checks, gate] : checks,
      handler: createHandler(endpoint, ctx),
    });
    if (endpoint.allowsCrossOrigin) answerPreflight(app, { method, path });
  }
}

/** A browser asks first whether a page of another site may send JSON. */
function answerPreflight(app: FastifyInstance, { method, path }: { method: string; path: string }): void {
  const headers = {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': method,
    'access-control-allow-headers': 'content-type',
    'access-control-max-age': '86400',
  };
  app.options(path, async (_request, reply) => reply.code(204).headers(headers).send());
}

function refuseOddFraming(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id);
    if (/^(https?:\/\/[^/]*)?\/v1/i.test(request.url)) void reply.header('cache-control', 'no-store');
    if (request.raw.httpVersion === '1.1' && !request.headers.host) throw badRequest('A Host header is required.');
    if (countHosts(request) > 1) throw badRequest('More than one Host header was sent.');
    if (isForAnotherHost(request)) throw badRequest('The address names another host.');
    const encoding = request.headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity') throw badRequest('An encoded body is not accepted.');
  });
}

/** Node keeps the first Host header, a proxy may have read the second. */
function countHosts({ raw }: FastifyRequest): number {
  return raw.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
}

/** A request line may hold a whole address; it must be ours. */
function isForAnotherHost({ url, headers }: FastifyRequest): boolean {
  if (!/^https?:/i.test(url)) return false;
  const named = URL.parse(url)?.host;
  return named === undefined || named !== URL.parse(`http://${headers.host}`)?.host;
}

function parseJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, bytes: string | Buffer) => {
    const type = (request.headers['content-type'] ?? '').toLowerCase().replaceAll(' ', '');
    if (type !== 'application/json' && type !== 'application/json;charset=utf-8') {
      throw new Invalid([{ path: [], message: 'must be sent as Content-Type: application/json' }], 'The body is not JSON.');
    }
    request.rawBody = Buffer.from(bytes);
    return request.rawBody.length === 0 ? undefined : parseStrictJson(request.rawBody);
  });
  app.addHook('preValidation', async (request) => {
    request.rawBody ??= Buffer.alloc(0);
  });
}

/** 405 where the path exists under another method, 404 otherwise. */
function answerUnknownRoutes(app: FastifyInstance, endpoints: readonly AnyEndpoint[]): void {
  const routes = endpoints.map(({ route }) => {
    const { method, path } = parseRoute(route);
    return { method, form: new RegExp(`^${path.replace(/:[a-zA-Z]+/g, '[^/]+')}$`) };
  });
  const refuse = (request: FastifyRequest, reply: FastifyReply): never => {
    const path = decodeURI(request.url.split('?')[0] ?? '');
    const allowed = [...new Set(routes.filter(({ form }) => form.test(path)).map(({ method }) => method))];
    if (allowed.length === 0) throw new NotFound();
    void reply.header('allow', allowed.includes('GET') ? ['HEAD', ...allowed].join(', ') : allowed.join(', '));
    throw methodNotAllowed();
  };
  // Before the body is read: the route is checked first.
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) refuse(request, reply);
  });
  app.setNotFoundHandler(refuse);
}

function logRequests(app: FastifyInstance, ctx: Context): void {
  app.addHook('onResponse', async (request, reply) => {
    const { method, id: requestId, actor, routeOptions } = request;
    const ms = Math.round(reply.elapsedTime);
    ctx.log.info({ method, route: routeOptions.url, status: reply.statusCode, ms, requestId, keyId: actor?.id }, 'request');
  });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: AnyEndpoint;
  }
}

/** An error that the reference doesn't list is a fault of ours; the log of tests shows which are left. */
function reportUndeclared(ctx: Context, request: FastifyRequest, error: { status: number; body: { code: string } }): void {
  const { endpoint } = request.routeOptions.config;
  const { status, body } = error;
  if (!endpoint || isDeclared(endpoint, { status, code: body.code })) return;
  ctx.log.debug({ endpoint: endpoint.id, status, code: body.code }, 'returned an error that is not declared');
}

function sendError(ctx: Context, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  // A caller that went away is no outage of ours.
  const brokenOff = request.raw.destroyed && !request.raw.complete;
  const reported = brokenOff ? badRequest('The request was aborted.') : error;
  const asked = { requestId: request.id, log: ctx.log, bodyLimitBytes: request.routeOptions.bodyLimit ?? bodyLimitBytes };
  const answer = toErrorResponse(reported, asked);
  const { status, headers, body } = answer;
  reportUndeclared(ctx, request, answer);
  if (status === 413 || hasUnreadBody(request.raw)) void reply.header('connection', 'close');
  void reply
    .code(status)
    .headers({ 'x-request-id': request.id, 'cache-control': 'no-store', ...headers })
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(body));
}

function givenRequestId(header: string | string[] | undefined): string | null {
  return typeof header === 'string' && requestIdForm.test(header) ? header : null;
}
