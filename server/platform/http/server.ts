// Sets up the web framework: framing, parsing, routes, and every error that occurs before an endpoint runs.
import helmet from '@fastify/helmet';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { Invalid, NotFound } from '../lib/errors.ts';
import { parseStrictJsonInTurn } from '../lib/json.ts';
import { createAccessChecks } from './checks.ts';
import { type AnyEndpoint, parseRoute } from './declaration/endpoint.ts';
import type { Identification } from './declaration/principal.ts';
import { type ErrorResponse, malformedRequest, methodNotAllowed, toErrorResponse } from './error-response.ts';
import { createHandler } from './handler.ts';
import { calculateMaxConnections, limitConnections, readDescriptorLimit } from './load/connections.ts';
import { limitHeavyRequests } from './load/heavy-requests.ts';
import { isDeclared } from './openapi/errors.ts';
import { watchProxies } from './proxies/watch-proxies.ts';
import { createRateLimiter } from './rate-limit.ts';
import {
  closeUnreadConnections,
  hasUnreadBody,
  rejectSlowRequest,
  rejectUnparsableRequest,
  rejectUnsupportedRequests,
} from './raw-responses.ts';
import { createSiteConstraint, type FindSite, siteOf } from './sites/site.ts';

const bodyLimitBytes = 64 * 1024;
const requestIdForm = /^[A-Za-z0-9_.-]{8,64}$/;

/** A response that was sent. `route` is the pattern of the path; empty for an unknown path. */
export type ObservedResponse = { method: string; route: string; status: number; seconds: number };

export type HttpParts = {
  endpoints: readonly AnyEndpoint[];
  identification: Identification;
  /** Finds the host names of programs. */
  findSite: FindSite;
  /** Routes that are not endpoints: the reference, health checks. */
  pages: (app: FastifyInstance) => Promise<void>;
  /** Routes without the hooks and headers of the API, for thousands of requests per second. */
  plainPages: (app: FastifyInstance) => void;
  /** Answers a browser that opened an address that doesn't exist. Other callers get JSON. */
  sendNotFoundPage: (request: FastifyRequest, reply: FastifyReply) => FastifyReply;
  /** Called after every response. */
  observe?: ((response: ObservedResponse) => void) | undefined;
  /** Called after every response of an endpoint, for the request log. */
  log?: ((request: FastifyRequest, reply: FastifyReply) => void) | undefined;
};

/** Links have no request id: their responses don't name one, and thousands are followed a second. */
const isLink = (url: string) => url.startsWith('/r/');

/** Builds a server that is ready to listen, or to receive injected requests. */
export async function buildServer(ctx: Context, parts: HttpParts): Promise<FastifyInstance> {
  const { endpoints, identification, findSite, pages, plainPages, observe } = parts;
  const app = Fastify({
    genReqId: ({ url = '', headers }) => (isLink(url) ? '' : (parseRequestId(headers['x-request-id']) ?? ctx.ids.uuid())),
    bodyLimit: bodyLimitBytes,
    trustProxy: ctx.config.trustedProxies,
    requestTimeout: 30_000,
    connectionTimeout: 60_000,
    keepAliveTimeout: 5000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: 16_384, constraints: { site: createSiteConstraint(findSite) } },
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    http: {
      requireHostHeader: false,
      headersTimeout: ctx.config.headersSeconds * 1000,
      maxHeaderSize: 16_384,
      // How often Node looks for slow requests; the default is 30 s.
      connectionsCheckingInterval: 1000,
    },
    clientErrorHandler: (error, socket) => rejectUnparsableRequest(error, socket, ctx.ids),
    // Visitors with a broken link are redirected too.
    frameworkErrors: (error, request, reply) =>
      isLink(request.url) ? void reply.redirect('/link-unavailable') : sendError(ctx, error, request, reply as FastifyReply),
  });
  const { maxConnections, databasePoolMax, firstRequestSeconds } = ctx.config;
  limitConnections(app.server, {
    maxConnections: maxConnections ?? calculateMaxConnections(readDescriptorLimit(), databasePoolMax),
    firstRequestMs: firstRequestSeconds * 1000,
    rejectSlow: (socket) => rejectSlowRequest(socket, ctx.ids),
  });
  rejectUnsupportedRequests(app.server as Parameters<typeof rejectUnsupportedRequests>[0], ctx.ids);
  closeUnreadConnections(app.server as Parameters<typeof closeUnreadConnections>[0]);
  app.addHook('onClose', watchProxies(app.server as Parameters<typeof watchProxies>[0], ctx));
  app.decorateRequest('actor', null);
  app.decorateRequest('slots');
  app.decorateRequest('isPathMissing', false);
  app.decorateRequest('heavyPermit');
  app.decorateRequest('rawBody');
  app.decorateRequest('sentError');
  app.setErrorHandler((error, request, reply) => sendError(ctx, error, request, reply));
  if (observe) observeResponses(app, observe);
  // Hooks apply to every scope below the one they are added to, so these routes have a separate scope.
  await app.register(async (scope) => plainPages(scope));
  await app.register(async (scope) => {
    await scope.register(helmet, {
      contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
      crossOriginResourcePolicy: { policy: 'same-origin' },
    });
    rejectInvalidFraming(scope);
    parseJsonOnly(scope, ctx);
    addRoutes(scope, ctx, endpoints, identification);
    await pages(scope);
    rejectUnknownRoutes(scope, parts);
    logRequests(scope, ctx, parts.log);
  });
  return app;
}

/** Endpoints are validated by their declaration, so Fastify need not load its compilers of JSON schemas. */
function noSchemas(): never {
  throw new Error('Routes have no schema.');
}

function addRoutes(app: FastifyInstance, ctx: Context, endpoints: readonly AnyEndpoint[], identification: Identification): void {
  const limit = createRateLimiter();
  const heavyLimit = limitHeavyRequests();
  for (const endpoint of endpoints) {
    const { method, path } = parseRoute(endpoint.route);
    const checks = createAccessChecks(endpoint, ctx, { identification, limit });
    const gate = heavyLimit(endpoint);
    app.route({
      method,
      url: path,
      bodyLimit: endpoint.bodyLimitBytes ?? bodyLimitBytes,
      config: { endpoint },
      onRequest: gate ? [checks, gate] : checks,
      handler: createHandler(endpoint, ctx, identification),
    });
    if (endpoint.allowsCrossOrigin) respondToPreflight(app, { method, path });
  }
}

/** Browsers send a preflight request before a page of another site may send JSON. */
function respondToPreflight(app: FastifyInstance, { method, path }: { method: string; path: string }): void {
  const headers = {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': method,
    'access-control-allow-headers': 'content-type',
    'access-control-max-age': '86400',
  };
  app.options(path, async (_request, reply) => reply.code(204).headers(headers).send());
}

function rejectInvalidFraming(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id);
    if (/^(https?:\/\/[^/]*)?\/(v1|app)/i.test(request.url)) void reply.header('cache-control', 'no-store');
    if (request.raw.httpVersion === '1.1' && !request.headers.host) throw malformedRequest('A Host header is required.');
    if (countHeaders(request, 'host') > 1) throw malformedRequest('More than one Host header was sent.');
    if (countHeaders(request, 'authorization') > 1) throw malformedRequest('More than one Authorization header was sent.');
    if (isForAnotherHost(request)) throw malformedRequest('The request URL names a different host than the Host header.');
    const encoding = request.headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity') throw malformedRequest('Content-Encoding is not supported.');
  });
}

/** Node uses the first of two such headers, while a proxy may have used the second. */
function countHeaders({ raw }: FastifyRequest, header: 'host' | 'authorization'): number {
  return raw.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === header).length;
}

/** A request line may contain an absolute URL; its host must match the Host header. */
function isForAnotherHost({ url, headers }: FastifyRequest): boolean {
  if (!/^https?:/i.test(url)) return false;
  const host = URL.parse(url)?.host;
  return host === undefined || host !== URL.parse(`http://${headers.host}`)?.host;
}

function parseJsonOnly(app: FastifyInstance, ctx: Context): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, bytes: string | Buffer) => {
    const type = (request.headers['content-type'] ?? '').toLowerCase().replaceAll(' ', '');
    if (type !== 'application/json' && type !== 'application/json;charset=utf-8') {
      throw new Invalid([{ path: [], message: 'must be sent as Content-Type: application/json' }], 'The body is not JSON.');
    }
    request.rawBody = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes);
    return request.rawBody.length === 0 ? undefined : parseStrictJsonInTurn(request.rawBody, ctx.workers);
  });
  app.addHook('preValidation', async (request) => {
    request.rawBody ??= Buffer.alloc(0);
  });
}

/** 405 if the path exists with another method, otherwise 404: a page for browsers, JSON for every other caller. */
function rejectUnknownRoutes(
  app: FastifyInstance,
  { endpoints, sendNotFoundPage }: Pick<HttpParts, 'endpoints' | 'sendNotFoundPage'>,
): void {
  const routes = endpoints.map(({ route }) => {
    const { method, path } = parseRoute(route);
    return { method, form: new RegExp(`^${path.replace(/:[a-zA-Z]+/g, '[^/]+')}$`) };
  });
  const reject = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const path = decodeURI(request.url.split('?')[0] ?? '');
    // The routes of the installation don't exist on the host of a program.
    const existing = siteOf(request.raw) ? [] : routes.filter(({ form }) => form.test(path));
    const allowed = [...new Set(existing.map(({ method }) => method))];
    if (allowed.length === 0 && isPageRequest(request)) return sendNotFoundPage(request, reply);
    if (allowed.length === 0) throw new NotFound();
    void reply.header('allow', allowed.includes('GET') ? ['HEAD', ...allowed].join(', ') : allowed.join(', '));
    throw methodNotAllowed();
  };
  // The route is checked before the body is read.
  app.addHook('onRequest', async (request, reply) => {
    return request.is404 ? reject(request, reply) : undefined;
  });
  app.setNotFoundHandler(reject);
}

/** Whether a browser opens an address. Programs send no Accept header, accept everything or JSON. */
function isPageRequest({ method, url, headers }: FastifyRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && !/^\/(v1|app)(\/|\?|$)/.test(url) && /\btext\/html\b/.test(headers.accept ?? '');
}

function observeResponses(app: FastifyInstance, observe: (response: ObservedResponse) => void): void {
  app.addHook('onResponse', async ({ method, routeOptions }, { statusCode, elapsedTime }) => {
    observe({ method, route: routeOptions.url ?? '', status: statusCode, seconds: elapsedTime / 1000 });
  });
}

function logRequests(app: FastifyInstance, ctx: Context, log: HttpParts['log']): void {
  app.addHook('onResponse', async (request, reply) => {
    const { method, id: requestId, actor, routeOptions } = request;
    const ms = Math.round(reply.elapsedTime);
    ctx.log.info(
      { method, route: routeOptions.url, status: reply.statusCode, ms, requestId, keyId: keyIdOf(actor), userId: userIdOf(actor) },
      'request',
    );
    log?.(request, reply);
  });
}

type Caller = FastifyRequest['actor'];
const keyIdOf = (caller: Caller): string | undefined => (caller?.kind === 'api_key' ? caller.id : undefined);
const userIdOf = (caller: Caller): string | undefined => (caller?.kind === 'user' ? caller.id : undefined);

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: AnyEndpoint;
  }
  interface FastifyRequest {
    /** The body of the error that was sent as the response. */
    sentError?: ErrorResponse['body'];
  }
}

/** The API reference must list every error; the log of tests shows those that are missing. */
function logUndeclaredError(ctx: Context, request: FastifyRequest, error: { status: number; body: { code: string } }): void {
  const { endpoint } = request.routeOptions.config;
  const { status, body } = error;
  if (!endpoint || isDeclared(endpoint, { status, code: body.code })) return;
  ctx.log.debug({ endpoint: endpoint.id, status, code: body.code }, 'returned an error that is not declared');
}

function sendError(ctx: Context, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  // A client that disconnected must not be reported as an outage.
  const isAborted = request.raw.destroyed && !request.raw.complete;
  const reported = isAborted ? malformedRequest('The request was aborted.') : error;
  const info = { requestId: request.id, log: ctx.log, bodyLimitBytes: request.routeOptions.bodyLimit ?? bodyLimitBytes };
  const response = toErrorResponse(reported, info);
  const { status, headers, body } = response;
  request.sentError = body;
  logUndeclaredError(ctx, request, response);
  if (status === 413 || hasUnreadBody(request.raw)) void reply.header('connection', 'close');
  void reply
    .code(status)
    .headers({ 'x-request-id': request.id, 'cache-control': 'no-store', ...headers })
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(body));
}

function parseRequestId(header: string | string[] | undefined): string | null {
  return typeof header === 'string' && requestIdForm.test(header) ? header : null;
}
