// A request and its response as the log keeps them. Logged are the requests of API keys for one program; not those of people,
// and no clicks, whose endpoints are open to everyone.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type AnyEndpoint, parseRoute } from '../http/declaration/endpoint.ts';
import { canonicalUuid, type Ids } from '../lib/ids.ts';
import { createMask, type Mask } from './mask.ts';

/** A larger body is not kept. */
const maxBodyBytes = 16 * 1024;
const maxMessageLength = 500;

export type LoggedRequest = {
  programId: string;
  id: string;
  /** The header `X-Request-Id` of the response; clients can choose it, so it may not be unique. */
  requestId: string;
  apiKeyId: string;
  operation: string;
  method: string;
  path: string;
  /** Masked; null without a body, or if it was omitted. */
  body: object | null;
  isBodyOmitted: boolean;
  httpStatus: number;
  durationMs: number;
  errorCode: string | null;
  errorMessage: string | null;
  createdAt: Date;
};

type Masks = { body: Mask; query: Mask };

/** Created with the first request of an endpoint, because hundreds would delay every start. */
const masksOf = new WeakMap<AnyEndpoint, Masks>();

/** Null for a request that is not logged. */
export function describeRequest(request: FastifyRequest, reply: FastifyReply, { ids, now }: { ids: Ids; now: Date }): LoggedRequest | null {
  const { actor, method, id: requestId, sentError } = request;
  const { endpoint } = request.routeOptions.config;
  if (!endpoint || endpoint.scope === 'open' || actor?.kind !== 'api_key') return null;
  const masks = findMasks(endpoint);
  const hasBody = request.rawBody !== undefined && request.rawBody.length > 0;
  const isBodyOmitted = hasBody && (request.rawBody.length > maxBodyBytes || !isObject(request.body));
  const durationMs = Math.round(reply.elapsedTime);
  return {
    programId: actor.programId,
    id: ids.uuid(),
    requestId,
    apiKeyId: actor.id,
    operation: endpoint.id,
    method,
    path: toLoggedPath(endpoint, request, masks),
    body: hasBody && !isBodyOmitted ? (masks.body.apply(request.body) as object) : null,
    isBodyOmitted,
    httpStatus: reply.statusCode,
    durationMs,
    errorCode: sentError?.code ?? null,
    errorMessage: sentError ? describeError(sentError, masks) : null,
    createdAt: new Date(now.getTime() - durationMs),
  };
}

function findMasks(endpoint: AnyEndpoint): Masks {
  const known = masksOf.get(endpoint);
  if (known) return known;
  const masks = { body: createMask(endpoint.body ?? z.object({})), query: createMask(endpoint.query ?? z.object({})) };
  masksOf.set(endpoint, masks);
  return masks;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The path with the ids that were sent; other texts in it can be names, so their place has the name of the parameter. */
function toLoggedPath({ route }: AnyEndpoint, { params, query }: FastifyRequest, masks: Masks): string {
  const sent = params as Record<string, string>;
  const path = parseRoute(route).path.replace(/:(\w+)/g, (place, name) => canonicalUuid(sent[name] ?? '') ?? place);
  const shown = Object.entries(masks.query.apply(query) as Record<string, unknown>);
  const pairs = shown.flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, String(one)]));
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`;
}

type SentError = NonNullable<FastifyRequest['sentError']>;

/** What the response said was wrong, a line for each field. Names that the caller made up are left out. */
function describeError({ error, details = [] }: SentError, { body, query }: Masks): string {
  const isKnown = (name: string) => /^\d+$/.test(name) || body.hasField(name) || query.hasField(name);
  const faults = details.map(({ path, message }) => [path.filter(isKnown).join('.'), message].join(' ').trim());
  return [error, ...faults].join('\n').slice(0, maxMessageLength);
}
