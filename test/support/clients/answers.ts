// The answers that the service gave to a client, each validated against openapi.json.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js';

type Content = Record<string, { schema: object }>;
type Documented = { operationId: string; responses: Record<string, { $ref?: string; content?: Content }> };
type Document = {
  paths: Record<string, Record<string, Documented>>;
  components: { responses: Record<string, { content?: Content }> };
};

export type Seen = { operationId: string; status: number; mediaType: string; text: string };

const document: Document = JSON.parse(readFileSync('openapi.json', 'utf8'));
const ajv = new Ajv2020.default({ strict: false, validateFormats: false });
ajv.addSchema({ $id: 'api', components: document.components });
const validators = new Map<object, ValidateFunction>();

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    method: method.toUpperCase(),
    form: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
    slots: path.split('{').length,
    operation,
  })),
);

/** The operation that a request is for: with the fewest slots, because `/bulk` is no id. */
function findOperation(method: string, path: string): Documented {
  const matching = operations.filter((each) => each.method === method && each.form.test(path)).sort((a, b) => a.slots - b.slots);
  assert.ok(matching[0], `${method} ${path} is in no document`);
  return matching[0].operation;
}

/** Replaces `fetch` of this process by one that records every answer of the API. `restore` puts it back. */
export function observeAnswers(): { seen: Seen[]; restore(): void } {
  const seen: Seen[] = [];
  const { fetch: original } = globalThis;
  globalThis.fetch = async (input, init) => {
    const response = await original(input, init);
    const url = new URL(input instanceof Request ? input.url : input);
    if (!url.pathname.startsWith('/v1/')) return response;
    const { operationId } = findOperation(init?.method ?? 'GET', url.pathname);
    const [mediaType = ''] = (response.headers.get('content-type') ?? '').split(';');
    seen.push({ operationId, status: response.status, mediaType, text: await response.clone().text() });
    return response;
  };
  return {
    seen,
    restore: () => {
      globalThis.fetch = original;
    },
  };
}

/** What is wrong with an answer; null if it is as documented. */
export function findFault({ operationId, status, mediaType, text }: Seen): string | null {
  const documented = operations.find(({ operation }) => operation.operationId === operationId)?.operation.responses[status];
  if (!documented) return `${operationId}: ${status} is not documented: ${text}`;
  const content = documented.$ref ? document.components.responses[documented.$ref.split('/').at(-1) ?? '']?.content : documented.content;
  if (status === 204) return text === '' ? null : `${operationId}: 204 with a body`;
  const schema = content?.[mediaType]?.schema;
  if (!schema) return `${operationId}: ${mediaType} of ${status} is not documented`;
  if (mediaType !== 'application/json') return null;
  const known = validators.get(schema) ?? ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"api#/components')));
  validators.set(schema, known);
  return known(JSON.parse(text)) ? null : `${operationId}: ${status}: ${ajv.errorsText(known.errors)}`;
}
