// The error responses of an operation: its statuses, and the possible codes of each.
import { z } from 'zod';
import { type AnyEndpoint, type DeclaredError, hasOffset, parseRoute } from '../declaration/endpoint.ts';
import { toHeaders } from './headers.ts';
import { type Json, toJsonSchema } from './schemas.ts';

/** The error body (Contract §2.6) and its additional fields. */
export const errorSchema: Json = {
  type: 'object',
  required: ['error', 'code', 'requestId'],
  properties: {
    error: { type: 'string', description: 'A human-readable description of the error.' },
    code: { type: 'string', description: 'A machine-readable code, which never changes.' },
    requestId: { type: 'string', description: 'Also in the X-Request-Id header. Include it in support requests.' },
    details: {
      type: 'array',
      description: 'For validation errors: each invalid field and the reason.',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: { path: { type: 'array', items: { type: 'string' } }, message: { type: 'string' } },
      },
    },
  },
};

type Generic = { name: string; description: string; codes: readonly string[] };

/** Each status, with the codes that any operation can return. */
const generic: Record<number, Generic> = {
  400: {
    name: 'Invalid',
    description: 'The request is malformed or invalid. Do not retry.',
    codes: ['invalid_request', 'malformed_request'],
  },
  401: { name: 'Unauthenticated', description: 'The API key is missing or invalid. Do not retry.', codes: ['unauthenticated'] },
  403: {
    name: 'Forbidden',
    description: 'The API key lacks the required scope, or the role of the user does not permit the operation. Do not retry.',
    codes: [
      'missing_scope',
      'permission_required',
      'fresh_sign_in_required',
      'second_factor_required',
      'second_factor_waiting',
      'view_is_read_only',
      'user_required',
      'api_key_required',
      'cross_site_request',
    ],
  },
  404: { name: 'NotFound', description: "Not found, or not in the API key's program.", codes: ['not_found'] },
  409: { name: 'Conflict', description: 'Already exists.', codes: [] },
  412: { name: 'Outdated', description: 'The object was changed after the version that the request names.', codes: [] },
  413: { name: 'TooLarge', description: 'The request body is too large.', codes: ['too_large'] },
  422: { name: 'NothingToDo', description: 'Valid, but there is nothing to act on.', codes: [] },
  429: {
    name: 'RateLimited',
    description: 'Too many requests. Retry after the number of seconds in `Retry-After`.',
    codes: ['rate_limited'],
  },
  503: {
    name: 'Unavailable',
    description: 'Temporarily unavailable. Retry after the number of seconds in `Retry-After`.',
    codes: ['unavailable'],
  },
};

/** The responses that operations share: those that some operation can return without its own error code. */
export function sharedResponses(endpoints: readonly AnyEndpoint[], schemas: Json): Json {
  const statuses = [...new Set(endpoints.flatMap(genericStatuses))].sort((a, b) => a - b);
  return Object.fromEntries(statuses.map((status) => [generic[status]?.name, response(status, [], schemas)]));
}

const tooManyHeavyRequests: DeclaredError = {
  status: 429,
  code: 'too_many_heavy_requests',
  when: 'Too many heavy requests of the program are running or waiting.',
};

type Declared = Pick<AnyEndpoint, 'errors' | 'heavy' | 'query'>;

/** The errors that an operation declares, and those that follow from being heavy. */
function listErrors(endpoint: Declared): readonly DeclaredError[] {
  const { errors = [], heavy } = endpoint;
  return heavy || hasOffset(endpoint) ? [...errors, tooManyHeavyRequests] : errors;
}

/** Whether an operation declares this error. */
export function isDeclared(endpoint: Declared, { status, code }: { status: number; code: string }): boolean {
  const declared = listErrors(endpoint).filter((error) => error.status === status);
  const known = [...(generic[status]?.codes ?? []), ...declared.map((error) => error.code)];
  return status >= 500 || known.includes(code);
}

/** The error responses of an operation by status. */
export function errorResponses(endpoint: AnyEndpoint, schemas: Json): Json {
  const declared = Map.groupBy(listErrors(endpoint), ({ status }) => status as number);
  const statuses = [...new Set([...genericStatuses(endpoint), ...declared.keys()])];
  return Object.fromEntries(
    statuses
      .sort((a, b) => a - b)
      .map((status) => {
        const errors = declared.get(status) ?? [];
        if (errors.length > 0) return [status, response(status, errors, schemas)];
        return [status, { $ref: `#/components/responses/${generic[status]?.name}` }];
      }),
  );
}

function response(status: number, errors: readonly DeclaredError[], schemas: Json): Json {
  const meanings = errors.map(({ code, when }) => `\`${code}\`: ${when}`);
  const description = [generic[status]?.description, ...meanings].join('\n\n');
  return { description, headers: errorHeaders(status), content: { 'application/json': content(status, errors, schemas) } };
}

function genericStatuses({ scope, route, body, acceptsKey }: AnyEndpoint): number[] {
  const isOpen = scope === 'open';
  const keys = isOpen && !acceptsKey ? [] : scope === 'any' ? [401] : [401, 403];
  const hasPath = parseRoute(route).path.includes(':');
  return [400, ...keys, hasPath && 404, body && 413, !isOpen && 429, 503].filter((status) => typeof status === 'number');
}

function content(status: number, errors: readonly DeclaredError[], schemas: Json): Json {
  const codes = [...new Set([...(generic[status]?.codes ?? []), ...errors.map(({ code }) => code)])];
  const base = { $ref: '#/components/schemas/Error' };
  if (codes.length === 0) return { schema: base };
  const facts = z.object(Object.assign({}, ...errors.map((error) => error.facts?.partial().shape ?? {})));
  const { properties = {} } = toJsonSchema(facts, 'output', schemas) as { properties?: Json };
  return {
    schema: {
      allOf: [
        base,
        {
          type: 'object',
          properties: {
            code: { type: 'string', enum: codes, description: 'A machine-readable code, which never changes.' },
            ...properties,
          },
        },
      ],
    },
  };
}

function errorHeaders(status: number): Json {
  if (status === 401) return toHeaders(['X-Request-Id', 'WWW-Authenticate']);
  if (status === 429 || status === 503) return toHeaders(['X-Request-Id', 'Retry-After']);
  return toHeaders(['X-Request-Id']);
}
