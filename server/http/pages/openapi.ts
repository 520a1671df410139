// The OpenAPI 3.1 document, walked out of the endpoint declarations. zod knows the schemas; `meta({ json })`
// gives the words for what a transform hides.
import { z } from 'zod';
import { type AnyEndpoint, parseRoute } from '../endpoint.ts';

type Json = { [key: string]: unknown };

const errorStatuses: Record<number, string> = {
  400: 'The request is malformed or fails validation. Do not retry.',
  401: 'The API key is missing or not valid. Do not retry.',
  403: 'The key lacks the scope. Do not retry.',
  404: "Not found, or not in the key's program.",
  409: 'It exists already.',
  422: 'Valid, but there is nothing to act on.',
  429: 'Too many requests. Retry after the seconds in `Retry-After`.',
  503: 'Briefly unavailable. Retry after the seconds in `Retry-After`.',
};

const errorBody = {
  type: 'object',
  required: ['error'],
  properties: {
    error: { type: 'string', description: 'What went wrong, for a person.' },
    code: { type: 'string', description: 'The same for a program; stable.' },
    requestId: { type: 'string', description: 'Also in the X-Request-Id header. Quote it when you ask for help.' },
    details: {
      type: 'array',
      description: 'On validation failures: each offending field.',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: { path: { type: 'array', items: { type: 'string' } }, message: { type: 'string' } },
      },
    },
  },
};

const scopes = {
  open: 'Needs no key.',
  any: 'Scope: any key.',
  read: 'Scope: `read`.',
  write: 'Scope: `write`.',
};

/** The whole document for these endpoints. Pure: the same declarations give the same text. */
export function openApiDocument(endpoints: readonly AnyEndpoint[]): Json {
  const schemas: Json = { Error: errorBody };
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    const { method, path } = parseRoute(endpoint.route);
    const template = path.replace(/:([a-zA-Z]+)/g, '{$1}');
    paths[template] = { ...paths[template], [method.toLowerCase()]: operation(endpoint, template, schemas) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tributary',
      version: 'v1',
      summary: 'Affiliate programs, self-hosted.',
      description:
        'Start with `GET /v1/me`: it returns the `programId` of your key, which every other path needs. Amounts are integer cents, times are ISO 8601 in UTC. ' +
        'Retry only 429 and 5xx, with exponential backoff. Every POST and PATCH takes an `Idempotency-Key`.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'This installation' }],
    tags: [...new Set(endpoints.map(({ tag }) => tag))].map((name) => ({ name })),
    security: [{ apiKey: [] }],
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key of a program: `trb_live_…` or `trb_test_…`.' },
      },
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => a.localeCompare(b))),
    },
  };
}

function operation(endpoint: AnyEndpoint, template: string, schemas: Json): Json {
  const [usual] = endpoint.statuses;
  const refusals = { ...endpoint.refusals };
  const ofKeys = endpoint.scope === 'open' ? [] : endpoint.scope === 'any' ? [401] : [401, 403];
  const statuses = [400, ...ofKeys, ...(template.includes('{') ? [404] : []), ...(endpoint.scope === 'open' ? [] : [429]), 503];
  const errors = [...new Set([...statuses, ...Object.keys(refusals).map(Number)])].sort();
  const success = toJson(endpoint.result, 'output', schemas);
  return {
    operationId: endpoint.id,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: [endpoint.description, scopes[endpoint.scope]].filter(Boolean).join(' '),
    ...(endpoint.scope === 'open' && { security: [] }),
    parameters: [...pathParameters(endpoint, template), ...queryParameters(endpoint, schemas), ...writeParameters(endpoint)],
    ...(endpoint.body && {
      requestBody: { required: true, content: { 'application/json': { schema: toJson(endpoint.body, 'input', schemas) } } },
    }),
    responses: {
      ...Object.fromEntries(
        endpoint.statuses.map((status) => [
          status,
          {
            description: status === usual ? 'Done.' : 'Done; it existed already.',
            content: {
              'application/json': { schema: success },
              ...Object.fromEntries((endpoint.media ?? []).map((type) => [type, { schema: { type: 'string' } }])),
            },
          },
        ]),
      ),
      ...Object.fromEntries(
        errors.map((status) => [
          status,
          {
            description: refusals[status as keyof typeof refusals] ?? errorStatuses[status],
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
          },
        ]),
      ),
    },
  };
}

function pathParameters({ path }: AnyEndpoint, template: string): Json[] {
  return [...template.matchAll(/\{([a-zA-Z]+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: path?.[name]?.meaning ?? 'The program of the key, from `GET /v1/me`.',
    schema: path?.[name] ? toJson(path[name].schema, 'input', {}) : { type: 'string', format: 'uuid' },
    ...(path?.[name] && { example: path[name].example }),
  }));
}

function queryParameters({ query }: AnyEndpoint, schemas: Json): Json[] {
  const { properties = {} } = query ? (toJson(query, 'input', schemas) as { properties?: Record<string, Json> }) : {};
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: false,
    ...(description !== undefined && { description }),
    schema,
  }));
}

function writeParameters({ scope, outside }: AnyEndpoint): Json[] {
  if (scope !== 'write' || outside) return [];
  return [
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description: 'Repeating a request under the same key returns the first answer, for 30 days. Another request under it is 400.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    },
  ];
}

/** JSON schema of a zod value. Schemas with an id move to `schemas` and are referred to. */
function toJson(schema: z.ZodType, io: 'input' | 'output', schemas: Json): Json {
  const { $schema, $defs, ...json } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const given = (z.globalRegistry.get(zodSchema) as { json?: Json } | undefined)?.json;
      if (!given) return;
      const description = jsonSchema.description;
      for (const key of Object.keys(jsonSchema)) delete (jsonSchema as Json)[key];
      Object.assign(jsonSchema, given, description === undefined ? {} : { description });
    },
  }) as Json;
  const referred = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(referred);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).filter(([key, item]) => !(key === 'id' && typeof item === 'string') && key !== 'json');
    return Object.fromEntries(
      entries.map(([key, item]) => [key, key === '$ref' ? String(item).replace('#/$defs/', '#/components/schemas/') : referred(item)]),
    );
  };
  for (const [name, definition] of Object.entries(($defs ?? {}) as Json)) schemas[name] = referred(definition);
  return referred(json) as Json;
}
