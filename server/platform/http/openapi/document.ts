// The OpenAPI 3.1 document, generated from the endpoint declarations.
import { type AnyEndpoint, parseRoute } from '../declaration/endpoint.ts';
import { errorResponses, errorSchema, sharedResponses } from './errors.ts';
import { describeFields } from './fields/describe-fields.ts';
import { headers, toHeaders } from './headers.ts';
import { exampleOf, type Json, toJsonSchema } from './schemas.ts';

/** A tag of the API reference: a noun of the API and its section. */
export type Tag = { name: string; section: string; description: string };

/** Operations without an endpoint declaration: redirects and deliveries from providers. */
export type InboundOperation = { method: 'get' | 'post'; path: string; operation: Json };

type Parts = {
  /** What the document describes. */
  info: { title: string; summary: string; description: string };
  endpoints: readonly AnyEndpoint[];
  tags: readonly Tag[];
  inbound: readonly InboundOperation[];
  /** Describes the webhooks, and adds their schemas. */
  describeWebhooks?: (schemas: Json) => Json;
  /** How callers of the documented endpoints are identified. */
  security: keyof typeof securitySchemes;
};

const securitySchemes = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'An API key of a program: `trb_live_…` or `trb_test_…`.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-trb',
    description:
      'The session of a signed-in user; named `trb` where the service is reached over plain HTTP. Requests other than GET must be JSON and ' +
      'come from a page of this service (`Origin`). Public endpoints without a program in their path accept it together with the header ' +
      '`Tributary-Program`.',
  },
};

const scopes = {
  open: 'No API key is required.',
  any: 'Required scope: any.',
  read: 'Required scope: `read`.',
  write: 'Required scope: `write`.',
  user: 'Requires a signed-in user.',
  affiliate: 'Requires a signed-in user who is an affiliate of the program.',
  embed: 'Requires a signed-in user who is an affiliate of the program, or the session of an embedded portal.',
};

export function buildOpenApiDocument({ info, endpoints, tags, inbound, describeWebhooks, security }: Parts): Json {
  const schemas: Json = { Error: errorSchema };
  const responses = sharedResponses(endpoints, schemas);
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    const { method, path } = parseRoute(endpoint.route);
    const template = path.replace(/:([a-zA-Z]+)/g, '{$1}');
    paths[template] = { ...paths[template], [method.toLowerCase()]: toOperation(endpoint, template, schemas) };
  }
  for (const { method, path, operation } of inbound) paths[path] = { ...paths[path], [method]: operation };
  const webhooks = describeWebhooks?.(schemas);
  return {
    openapi: '3.1.0',
    info: { ...info, version: 'v1', contact: { name: 'The operator of this installation' }, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/', description: 'This installation' }],
    tags: tags.map(({ name, description: meaning }) => ({ name, description: meaning })),
    'x-tagGroups': [...Map.groupBy(tags, ({ section }) => section)].map(([name, members]) => ({
      name,
      tags: members.map((tag) => tag.name),
    })),
    security: [{ [security]: [] }],
    paths: describeFields(paths),
    webhooks,
    components: {
      securitySchemes: { [security]: securitySchemes[security] },
      headers: usedHeaders([paths, webhooks, responses]),
      responses: describeFields(responses),
      schemas: describeFields(Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => a.localeCompare(b)))),
    },
  };
}

function toOperation(endpoint: AnyEndpoint, template: string, schemas: Json): Json {
  return {
    operationId: endpoint.id,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: [endpoint.description, scopes[endpoint.scope], explainProof(endpoint), explainRepeats(endpoint)]
      .filter(Boolean)
      .join('\n\n'),
    'x-required-scope': endpoint.scope,
    'x-required-permission': endpoint.requires,
    'x-idempotent-by': endpoint.idempotentBy,
    'x-moves-money': endpoint.movesMoney,
    security: endpoint.scope === 'open' ? (endpoint.acceptsKey ? [{}, { apiKey: [] }] : []) : undefined,
    parameters: [...pathParameters(endpoint, template), ...queryParameters(endpoint, schemas), ...writeParameters(endpoint)],
    requestBody: endpoint.body && buildRequestBody(endpoint, schemas),
    responses: { ...successResponses(endpoint, schemas), ...errorResponses(endpoint, schemas) },
  };
}

/** What a signed-in user must have proved. */
function explainProof({ isSensitive, movesMoney }: AnyEndpoint): string | null {
  const recent = 'Users must have confirmed their identity within ten minutes, with their second factor if they have one.';
  if (!movesMoney) return isSensitive ? recent : null;
  return (
    `${recent} A member whose first second factor was added, or who removed one, waits for 24 hours, or until another owner confirms them ` +
    '(403 `second_factor_waiting`). Programs in test mode without a live payout provider don’t wait, because no money moves.'
  );
}

/** The shared headers that some part of the document refers to. */
function usedHeaders(parts: readonly unknown[]): Json {
  const text = JSON.stringify(parts);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => text.includes(`"#/components/headers/${name}"`)));
}

/** What repeating a request does if it does not support the `Idempotency-Key`. */
function explainRepeats({ route, scope, outside, endsAccess }: AnyEndpoint): string | null {
  if (route.startsWith('GET ')) return null;
  if (endsAccess) return 'Does not support `Idempotency-Key`: repeating it returns 404, since the caller has no access afterwards.';
  if (outside)
    return 'Does not support `Idempotency-Key`: it calls external systems in steps that are recorded one by one, and repeating it continues them.';
  if (scope === 'write') return null;
  return scope === 'read' ? 'Changes nothing, so it needs no `Idempotency-Key`.' : 'Does not support `Idempotency-Key`.';
}

function buildRequestBody({ body }: AnyEndpoint, schemas: Json): Json {
  const content = { schema: toJsonSchema(body, 'input', schemas), example: exampleOf(body) };
  return { required: !body.safeParse({}).success, content: { 'application/json': content } };
}

function successResponses(endpoint: AnyEndpoint, schemas: Json): Json {
  const [usual] = endpoint.statuses;
  const schema = toJsonSchema(endpoint.result, 'output', schemas);
  const example = exampleOf(endpoint.result);
  const media = Object.fromEntries((endpoint.media ?? []).map((type) => [type, { schema: { type: 'string' } }]));
  const content = { 'application/json': { schema, example }, ...media };
  return Object.fromEntries(
    endpoint.statuses.map((status) => {
      const usualMeaning = status === 201 ? 'Created.' : 'Success.';
      const meaning = endpoint.outcomes?.[status] ?? (status === usual ? usualMeaning : 'Success.');
      return [status, { description: meaning, headers: successHeaders(endpoint), content }];
    }),
  );
}

/** Whether repeating a request with the same `Idempotency-Key` returns its first response. */
function acceptsIdempotencyKey({ scope, outside, endsAccess }: AnyEndpoint): boolean {
  return scope === 'write' && !outside && !endsAccess;
}

function successHeaders(endpoint: AnyEndpoint): Json {
  const limits = endpoint.scope === 'open' ? [] : ['RateLimit', 'RateLimit-Policy'];
  const replays = acceptsIdempotencyKey(endpoint) ? ['Idempotent-Replayed'] : [];
  const warnings = endpoint.warns ? ['Tributary-Warning'] : [];
  return toHeaders(['X-Request-Id', ...limits, ...replays, ...warnings]);
}

function pathParameters({ path }: AnyEndpoint, template: string): Json[] {
  return [...template.matchAll(/\{([a-zA-Z]+)\}/g)].map(([, name = '']) => {
    const slot = path?.[name];
    return {
      name,
      in: 'path',
      required: true,
      description: slot?.meaning ?? "The id of the API key's program, as returned by `GET /v1/me`.",
      schema: slot ? toJsonSchema(slot.schema, 'input', {}) : { type: 'string', format: 'uuid' },
      example: slot?.example ?? '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f',
    };
  });
}

function queryParameters({ query }: AnyEndpoint, schemas: Json): Json[] {
  const object = query ? (toJsonSchema(query, 'input', schemas) as { properties?: Record<string, Json>; required?: string[] }) : {};
  return Object.entries(object.properties ?? {}).map(([name, { description: meaning, ...schema }]) => ({
    name,
    in: 'query',
    required: object.required?.includes(name) ?? false,
    description: meaning,
    schema,
  }));
}

function writeParameters(endpoint: AnyEndpoint): Json[] {
  if (!acceptsIdempotencyKey(endpoint)) return [];
  return [
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'Repeating the request with the same key returns the first response, for 30 days. Reusing a key for a different request ' +
        'returns 400.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    },
  ];
}
