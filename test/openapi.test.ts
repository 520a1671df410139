// openapi.json as tools read it: every reference resolves, ids are unique, and every example validates against its
// schema. The rules that all resources share are in api-consistency.test.ts.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';

type Json = { [key: string]: Json };
type Sample = { name: string; pointer: string; example: unknown };

const document = JSON.parse(readFileSync('openapi.json', 'utf8')) as Json;
const listOperations = (items: Json = {}) =>
  Object.entries(items).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation, id: String(operation.operationId) })),
  );
const operations = listOperations(document.paths);
const events = listOperations(document.webhooks);

/** As generators write it: `webhooks.test` and `webhooks-test` are both `WebhooksTest`. */
const toGeneratedName = (id: string) =>
  id.replace(/(^|[^a-zA-Z0-9]+)([a-zA-Z0-9])/g, (_, _separator: string, letter: string) => letter.toUpperCase());
const findRepeated = (names: readonly string[]) => names.filter((name, index) => names.indexOf(name) !== index);

const escapePointer = (part: string) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));

/** Every example in the document, with the place of its schema. */
const samples: Sample[] = operations.flatMap(({ path, method, operation, id }) => {
  const base = `#/paths/${escapePointer(path)}/${method}`;
  const request = operation.requestBody?.content?.['application/json'];
  const own = request?.example === undefined ? [] : [{ name: `${id} request`, pointer: `${base}/requestBody`, example: request.example }];
  const responses = Object.entries(operation.responses ?? {}).flatMap(([status, { content }]) => {
    const example = content?.['application/json']?.example;
    return example === undefined ? [] : [{ name: `${id} ${status}`, pointer: `${base}/responses/${status}`, example }];
  });
  return [...own, ...responses];
});

/** The objects of a schema and of those it refers to that exclude further fields. */
function findClosed(value: unknown, path = '', seen = new Set<string>()): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { $ref, additionalProperties, ...rest } = value as Json;
  const name = typeof $ref === 'string' ? String($ref).split('/').at(-1) : undefined;
  const own = String(additionalProperties) === 'false' ? [path] : [];
  const below = Object.entries(rest).flatMap(([key, inner]) => (key === 'example' ? [] : findClosed(inner, `${path}.${key}`, seen)));
  if (name === undefined || seen.has(name)) return [...own, ...below];
  seen.add(name);
  const target = document.components?.schemas?.[name] ?? document.components?.responses?.[name];
  return [...own, ...below, ...findClosed(target, name, seen)];
}

describe('openapi.json', () => {
  test('has only references that resolve', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"(#[^"]+)"/g)].map(([, reference = '']) => reference);
    assert.ok(references.length > 300);
    for (const reference of new Set(references)) {
      const found = reference
        .slice(2)
        .split('/')
        .reduce<Json | undefined>((value, part) => value?.[part], document);
      assert.ok(found, reference);
    }
  });

  test('has ids that differ between all operations and events, even as the names that generators make of them', () => {
    const ids = [...operations, ...events].map(({ id }) => id);
    assert.ok(events.length > 40);
    assert.deepEqual(findRepeated(ids.map(toGeneratedName)), []);
  });

  test('titles each event by its name', () => {
    for (const { path, operation } of events) {
      assert.equal(operation.summary, path);
      assert.ok(operation.description, path);
      const name = String(operation.requestBody?.content?.['application/json']?.schema?.$ref).split('/').at(-1);
      assert.equal(document.components?.schemas?.[name ?? '']?.title, path);
    }
  });

  test('declares every parameter of its paths', () => {
    for (const { path, operation, id } of operations) {
      const declared = Object.values(operation.parameters ?? {}).flatMap((one) => (String(one.in) === 'path' ? [String(one.name)] : []));
      assert.deepEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).sort(), declared.sort(), id);
    }
  });

  test('describes the headers of every response, and the body of every error', () => {
    for (const { operation, id } of operations.filter(({ path }) => path.startsWith('/v1/'))) {
      for (const [status, given] of Object.entries(operation.responses ?? {})) {
        const shared =
          String(given.$ref ?? '')
            .split('/')
            .at(-1) ?? '';
        const response = shared ? document.components?.responses?.[shared] : given;
        assert.ok(response?.headers?.['X-Request-Id'], `${id} ${status}`);
        if (Number(status) >= 400) assert.ok(response?.content?.['application/json']?.schema, `${id} ${status}`);
      }
    }
  });

  test('has examples that validate against their schemas', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(document, 'openapi');
    assert.ok(samples.length > 60, `${samples.length} examples`);
    for (const { name, pointer, example } of samples) {
      const validate = ajv.compile({ $ref: `openapi${pointer}/content/application~1json/schema` });
      assert.ok(validate(example), `${name}: ${ajv.errorsText(validate.errors)}`);
    }
    const [first] = samples;
    const validate = ajv.compile({ $ref: `openapi${first?.pointer}/content/application~1json/schema` });
    assert.equal(validate('not an object'), false);
  });

  test('types the settings of providers by their type, in requests and responses', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(document, 'openapi');
    const isNew = ajv.compile({ $ref: 'openapi#/components/schemas/NewProvider' });
    const wise = { type: 'wise', name: 'Wise', config: { profileId: '12345' }, secrets: { apiToken: 'b1946ac92492d2347c6235b4' } };
    assert.equal(isNew(wise), true, ajv.errorsText(isNew.errors));
    assert.equal(isNew({ ...wise, config: {} }), false, 'a setting is missing');
    assert.equal(isNew({ ...wise, type: 'stripe_connect' }), false, 'settings of another type');
    assert.equal(isNew({ type: 'external_webhook', name: 'Treasury', config: { url: 'https://pay.example' } }), true, 'a generated secret');
    for (const shape of ['Provider', 'NewProvider', 'CreatedProvider']) {
      const { oneOf, discriminator } = document.components?.schemas?.[shape] ?? {};
      assert.equal(String(discriminator?.propertyName), 'type');
      assert.equal(Object.keys(discriminator?.mapping ?? {}).length, Object.values(oneOf ?? {}).length);
    }
  });

  test('describes every property, like openapi-app.json', () => {
    const missing: string[] = [];
    const visit = (value: unknown, path: string): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const [key, inner] of Object.entries(value as Json)) {
        if (key === 'example') continue;
        if (key === 'properties')
          missing.push(...Object.entries(inner).flatMap(([name, property]) => (property.description ? [] : [`${path}.${name}`])));
        visit(inner, `${path}.${key}`);
      }
    };
    for (const path of ['openapi.json', 'openapi-app.json']) visit(JSON.parse(readFileSync(path, 'utf8')), path);
    assert.deepEqual(missing, []);
  });

  test('has the same versioning policy as the README', () => {
    for (const text of [String(document.info?.description), readFileSync('README.md', 'utf8')]) {
      assert.match(text, /Changes within v1 are additive/);
      assert.match(text, /`Deprecation` and\s+`Sunset`/);
      assert.match(text, /at least\s+twelve\s+months/);
    }
  });

  test('does not promise that responses have no further fields', () => {
    const closed = operations.flatMap(({ operation, id }) =>
      Object.entries(operation.responses ?? {}).flatMap(([status, response]) =>
        findClosed(response).map((schema) => `${id} ${status}: ${schema}`),
      ),
    );
    assert.deepEqual([...closed, ...findClosed(document.webhooks)], []);
  });
});
