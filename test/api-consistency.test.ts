// Every resource of the API behaves alike. This reads the declarations and openapi.json, so a new endpoint is held
// to the same rules without a separate test. The written contract's own shapes are the only exceptions.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { api } from '../server/api.ts';
import { type AnyEndpoint, parseRoute } from '../server/platform/http/declaration/endpoint.ts';
import { exampleOf } from '../server/platform/http/openapi/schemas.ts';

type Json = { [key: string]: Json };
type Operation = { id: string; method: string; path: string; operation: Json };

const document = JSON.parse(readFileSync('openapi.json', 'utf8')) as Json;
const operations: Operation[] = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ id: String(operation.operationId), method, path, operation })),
);

/** Shapes that the written contract defines field by field. */
const contractShapes = new Set([
  'Affiliate',
  'InvitedAffiliate',
  'UpdatedAffiliate',
  'LandingPage',
  'LandingPageProduct',
  'WrittenLandingPage',
]);

/** Lists without a cursor: the written contract's, and numbers per day or year, whose rows have no id. */
const pagedByOffsetOnly = new Set(['affiliates.list', 'rejectedClicks.list', 'taxTotals.list']);

/** What is erased rather than archived. */
const erasable = new Set(['payoutDetails.delete', 'webhooks.delete', 'notificationChannels.delete', 'domains.delete']);

/** Exports that change what they export: a payment file marks its payouts as sent. */
const changingExports = new Set(['payoutBatches.export']);

/** Computations on data that is too large for a URL: POST, although they write nothing. */
const computations = new Set([
  'commissionRules.preview',
  'commissionRules.previewEmails',
  'commissionRules.simulate',
  'fraudSettings.effect',
  'groupMoves.preview',
  'resources.preview',
  'landingPages.preview',
  'landingPages.previewReview',
]);

const nameOf = (schema: Json | undefined): string =>
  String(schema?.$ref ?? '')
    .split('/')
    .at(-1) ?? '';
const resolve = (schema: Json | undefined): Json => (nameOf(schema) ? document.components?.schemas?.[nameOf(schema)] : schema) ?? {};
const schemaOf = ({ operation }: Operation): Json => {
  const success = Object.entries(operation.responses ?? {}).find(([status]) => status.startsWith('2'))?.[1];
  return success?.content?.['application/json']?.schema ?? {};
};
const parametersOf = ({ operation }: Operation): string[] =>
  Object.values(operation.parameters ?? {}).flatMap((parameter) => (String(parameter.in) === 'query' ? [String(parameter.name)] : []));

type Found = { path: string; name: string; schema: Json; owner: Json; shape: string; hasCurrencyAbove: boolean };

/** Every property of a schema, with the object it belongs to. */
function properties(given: Json | undefined, path = '', above = false, seen: string[] = []): Found[] {
  const shape = nameOf(given);
  if (shape && seen.includes(shape)) return [];
  const schema = resolve(given);
  const nested = [...Object.values(schema.anyOf ?? {}), ...Object.values(schema.oneOf ?? {}), ...Object.values(schema.allOf ?? {})];
  const below = [...nested, ...(schema.items ? [schema.items] : [])].flatMap((inner) =>
    properties(inner, path, above, shape ? [...seen, shape] : seen),
  );
  const hasCurrency = above || schema.properties?.currency !== undefined;
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => [
    { path: `${path}.${name}`, name, schema: property, owner: schema, shape, hasCurrencyAbove: hasCurrency },
    ...properties(property, `${path}.${name}`, hasCurrency, shape ? [...seen, shape] : seen),
  ]);
  return [...own, ...below];
}

const formatsOf = (schema: Json): string[] =>
  [schema, ...Object.values(schema.anyOf ?? {})].map((one) => String(resolve(one).format ?? ''));
const isInteger = (schema: Json): boolean =>
  [schema, ...Object.values(schema.anyOf ?? {})].some((one) => String(resolve(one).type) === 'integer');

/** Lists: reads that answer with an array, a limit and an offset. */
const lists = operations.filter((operation) => operation.method === 'get' && resolve(schemaOf(operation)).properties?.offset !== undefined);
const rowOf = (list: Operation): { noun: string; row: Json } => {
  const [noun = '', rows = {}] =
    Object.entries(resolve(schemaOf(list)).properties ?? {}).find(([, property]) => String(property.type) === 'array') ?? [];
  return { noun, row: resolve(rows.items) };
};
const endpointOf = (id: string): AnyEndpoint | undefined => api.find((endpoint) => endpoint.id === id);

/** Fails with every fault, each once and in order. */
function assertNone(faults: readonly string[]): void {
  assert.deepEqual([...new Set(faults)].sort(), []);
}

describe('the API', () => {
  test('is read: the checks below look at something', () => {
    assert.ok(operations.length > 80);
    assert.ok(lists.length >= 15);
  });

  test('has an example for every success response, and each example is exactly what the schema allows', () => {
    const faults = api.flatMap((endpoint) => {
      const example = exampleOf(endpoint.result);
      if (example === undefined) return [`${endpoint.id} has no example`];
      const parsed = endpoint.result.safeParse(example);
      if (!parsed.success) return [`${endpoint.id}: ${parsed.error.issues[0]?.path.join('.')} ${parsed.error.issues[0]?.message}`];
      return JSON.stringify(sorted(parsed.data)) === JSON.stringify(sorted(example))
        ? []
        : [`${endpoint.id}: the example has other fields`];
    });
    assertNone(faults);
  });

  test('lists with the same envelope, page and order', () => {
    const faults = lists.flatMap((list) => {
      const { noun } = rowOf(list);
      const segment = list.path.split('/').at(-1) ?? '';
      const expected = segment.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
      const missing = ['limit', 'offset', 'sort'].filter((name) => !parametersOf(list).includes(name));
      const fields = ['limit', 'offset'].filter((name) => resolve(schemaOf(list)).properties?.[name] === undefined);
      return [
        ...(noun === expected ? [] : [`${list.id}: the rows are called ${noun}, the path ${segment}`]),
        ...missing.map((name) => `${list.id} has no ${name}`),
        ...fields.map((name) => `${list.id} does not return ${name}`),
      ];
    });
    assertNone(faults);
  });

  test('pages every list by cursor', () => {
    const faults = lists.flatMap((list) => {
      if (pagedByOffsetOnly.has(list.id)) return [];
      const returns = resolve(schemaOf(list)).properties?.nextCursor !== undefined;
      return [
        ...(parametersOf(list).includes('cursor') ? [] : [`${list.id} accepts no cursor`]),
        ...(returns ? [] : [`${list.id} returns no nextCursor`]),
      ];
    });
    assertNone(faults);
  });

  test('exports a list by GET, with the filters of the list, as CSV or JSON', () => {
    const exports = api.filter(({ route, id }) => route.endsWith('/export') && !changingExports.has(id));
    assert.deepEqual(exports.map(({ id }) => id).sort(), ['affiliateTable.export', 'auditEvents.export']);
    const queryOf = ({ query }: AnyEndpoint) => Object.keys(query?.shape ?? {});
    const faults = exports.flatMap((each) => {
      const [method = '', path = ''] = each.route.split(' ');
      const list = api.find(({ route }) => route === `GET ${path.replace(/\/export$/, '')}`);
      assert.ok(list, each.route);
      const filters = queryOf(list).filter((name) => !['limit', 'offset', 'cursor', 'sort'].includes(name));
      return [
        ...(method === 'GET' ? [] : [`${each.id} is not a GET`]),
        ...[...filters, 'format'].filter((name) => !queryOf(each).includes(name)).map((name) => `${each.id} has no ${name}`),
        ...(String(each.media) === 'text/csv' ? [] : [`${each.id} returns ${each.media}`]),
      ];
    });
    assertNone(faults);
  });

  test('returns every row of a list by its id', () => {
    const paths = new Set(operations.filter(({ method }) => method === 'get').map(({ path }) => path));
    const faults = lists.filter((list) => rowOf(list).row.properties?.id !== undefined && !paths.has(`${list.path}/{id}`));
    assertNone(faults.map(({ id }) => id));
  });

  test('filters by the fields that a row has', () => {
    const filters = ['affiliateId', 'groupId', 'productId', 'conversionId', 'couponId', 'batchId', 'ruleId'];
    const faults = lists.flatMap((list) => {
      const { row } = rowOf(list);
      const accepted = parametersOf(list);
      const has = (name: string) => row.properties?.[name] !== undefined;
      return [
        ...filters.filter((name) => has(name) && !accepted.includes(name)),
        ...(has('status') && !accepted.includes('status') ? ['status'] : []),
        ...(has('createdAt') && !accepted.includes('createdFrom') ? ['createdFrom'] : []),
        ...(has('createdAt') && !accepted.includes('createdTo') ? ['createdTo'] : []),
      ].map((name) => `${list.id} can't be filtered by ${name}`);
    });
    assertNone(faults);
  });

  test('accepts several values of a status', () => {
    const faults = lists.flatMap((list) =>
      Object.values(list.operation.parameters ?? {})
        .filter((parameter) => String(parameter.name) === 'status' && String(resolve(parameter.schema).type) !== 'array')
        .map(() => list.id),
    );
    assertNone(faults);
  });

  test('archives by status: there is no /archive or /restore, and DELETE only erases', () => {
    const faults = operations.filter(
      ({ id, method, path }) => /\/(archive|restore)$/.test(path) || (method === 'delete' && !erasable.has(id)),
    );
    assertNone(faults.map(({ id }) => id));
  });

  test('names amounts …Cents, and returns them with a currency', () => {
    const faults = operations.flatMap((operation) =>
      properties(schemaOf(operation)).flatMap(({ path, name, schema, shape, hasCurrencyAbove }) => {
        if (/cents$/i.test(name) && isInteger(schema) && !/[a-z]Cents$/.test(name)) return [`${operation.id}${path}`];
        const isMoney = /Cents$/.test(name) && isInteger(schema);
        return isMoney && !hasCurrencyAbove && !contractShapes.has(shape) ? [`${operation.id}${path} has no currency`] : [];
      }),
    );
    assertNone(faults);
  });

  test('names times …At and days …On', () => {
    const faults = operations.flatMap((operation) =>
      properties(schemaOf(operation)).flatMap(({ path, name, schema }) => {
        const formats = formatsOf(schema);
        const isWrong = (formats.includes('date-time') && !/(At|From|To)$/.test(name)) || (formats.includes('date') && !/On$/.test(name));
        return isWrong ? [`${operation.id}${path}`] : [];
      }),
    );
    assertNone(faults);
  });

  test('lists every error with its codes', () => {
    const faults = operations.flatMap(({ id, operation }) =>
      Object.entries(operation.responses ?? {}).flatMap(([status, response]) => {
        if (!['409', '422'].includes(status)) return [];
        const variants = Object.values(response.content?.['application/json']?.schema?.allOf ?? {});
        return variants.some((variant) => variant.properties?.code?.enum) ? [] : [`${id} ${status}`];
      }),
    );
    assertNone(faults);
  });

  test('describes every operation: a tag that is described, a summary, and the required scope', () => {
    const tags = new Set(
      Object.values(document.tags ?? {})
        .filter(({ description }) => description)
        .map(({ name }) => String(name)),
    );
    for (const { id, operation } of operations) {
      assert.ok(
        Object.values(operation.tags ?? {}).every((tag) => tags.has(String(tag))),
        `${id}: tag`,
      );
      assert.ok(String(operation.summary ?? '').length > 5, `${id}: summary`);
      assert.match(String(operation['x-required-scope']), /^(open|any|read|write)$/, id);
      if (endpointOf(id)) assert.equal(String(operation['x-required-scope']), endpointOf(id)?.scope);
    }
  });

  test('expands the affiliate, product, rule, group and conversion that a row of a list refers to', () => {
    const expandable = ['affiliateId', 'productId', 'ruleId', 'groupId', 'conversionId', 'couponId', 'providerId'];
    const faults = lists.flatMap((list) => {
      const references = expandable.filter((name) => rowOf(list).row.properties?.[name] !== undefined);
      return references.length > 0 && !parametersOf(list).includes('expand') ? [`${list.id}: ${references.join(', ')}`] : [];
    });
    assertNone(faults);
  });

  test('calls text that a person writes a note, and what is enumerated a reason', () => {
    const faults = operations.flatMap((operation) => {
      const schema = operation.operation.requestBody?.content?.['application/json']?.schema;
      return properties(schema).flatMap(({ path, name, schema: property }) => {
        const isEnumerated = [property, ...Object.values(property.anyOf ?? {})].some((one) => resolve(one).enum !== undefined);
        return name === 'reason' && !isEnumerated ? [`${operation.id}${path}`] : [];
      });
    });
    assertNone(faults);
  });

  test('has one method for one meaning: reads are GET, and GET never writes', () => {
    const faults = api.filter(
      ({ id, route, scope }) =>
        !['open', 'user', 'affiliate', 'embed'].includes(scope) &&
        (parseRoute(route).method === 'GET') === (scope === 'write') &&
        !computations.has(id),
    );
    assertNone(faults.map(({ id }) => id));
  });
});

/** The value with the keys of every object in order, to compare without regard to it. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([key, item]) => [key, sorted(item)]),
  );
}
