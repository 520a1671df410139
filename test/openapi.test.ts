// openapi.json as tools read it: every reference resolves, ids are unique, and every example validates against its
// schema. The rules that all resources share are in api-consistency.test.ts.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';

type Json = { [key: string]: Json };
type Sample = { name: string; pointer: string; example: unknown };

const document = JSON.parse(readFileSync('openapi.json', 'utf8')) as Json;
const operations = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation, id: String(operation.operationId) })),
);

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

  test('gives every operation an id of its own, and declares every parameter of its path', () => {
    const ids = operations.map(({ id }) => id);
    assert.deepEqual([...new Set(ids)].length, ids.length);
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
});
