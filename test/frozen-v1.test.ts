// Within /v1 only additions are allowed (decisions, versioning). `frozen-v1.json` holds every operation as
// callers know it; what it names must stay. `FREEZE=1 npm test -- test/frozen-v1.test.ts` adds what is new.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';

type Json = { [key: string]: Json };
type Operation = { statuses: string[]; answer: string[]; accepts: string[]; requires: string[]; parameters: string[] };

const document = JSON.parse(readFileSync('openapi.json', 'utf8')) as Json;
const path = 'test/frozen-v1.json';

function resolve(schema: Json | undefined): Json {
  const name = schema?.$ref === undefined ? undefined : String(schema.$ref).split('/').at(-1);
  return (name === undefined ? schema : document.components?.schemas?.[name]) ?? {};
}

/** Every field of a schema as `path: type`, with the values of enums. */
function fields(given: Json | undefined, prefix = ''): string[] {
  const schema = resolve(given);
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => fields(property, prefix ? `${prefix}.${name}` : name));
  const items = schema.items ? fields(schema.items, `${prefix}[]`) : [];
  const alternatives = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((list) => Object.values(list ?? {}));
  const variants = alternatives.flatMap((variant) => fields(variant, prefix));
  const constants = schema.const === undefined ? [] : [schema.const];
  const values = [...Object.values(schema.enum ?? {}), ...constants].map((value) => `${prefix} = ${String(value)}`);
  const isNested = Boolean(schema.items) || alternatives.length > 0 || (Boolean(schema.properties) && prefix === '');
  const type = isNested ? [] : [`${prefix}: ${String(schema.type)}`];
  return [...new Set([...type, ...values, ...variants, ...items, ...own])];
}

function currentOperations(): Record<string, Operation> {
  const operations: Record<string, Operation> = {};
  for (const [address, methods] of Object.entries(document.paths ?? {})) {
    for (const [method, operation] of Object.entries(methods)) {
      const body = operation.requestBody?.content?.['application/json']?.schema;
      const success = Object.entries(operation.responses ?? {}).find(([status]) => status.startsWith('2'))?.[1];
      const parameters = Object.values(operation.parameters ?? {});
      operations[`${method.toUpperCase()} ${address}`] = {
        statuses: Object.keys(operation.responses ?? {}),
        answer: fields(success?.content?.['application/json']?.schema),
        accepts: body ? fields(body) : [],
        requires: Object.values(resolve(body).required ?? {}).map(String),
        parameters: parameters.map((parameter) => `${String(parameter.in)} ${String(parameter.name)}`),
      };
    }
  }
  return operations;
}

describe('/v1 as callers know it', () => {
  const current = currentOperations();
  if (process.env.FREEZE) writeFileSync(path, `${JSON.stringify(current, null, 2)}\n`);
  const frozen = JSON.parse(readFileSync(path, 'utf8')) as Record<string, Operation>;

  test('is frozen at all, and every present operation is in it', () => {
    assert.deepEqual(Object.keys(current).sort(), Object.keys(frozen).sort());
    assert.ok((frozen['GET /v1/programs/{programId}/affiliates']?.answer.length ?? 0) >= 16);
  });

  for (const [name, before] of Object.entries(frozen)) {
    test(`${name} lost no status, field, value or parameter, and requires nothing new`, () => {
      const now = current[name];
      assert.ok(now);
      for (const part of ['statuses', 'answer', 'accepts', 'parameters'] as const) {
        assert.deepEqual(
          before[part].filter((item) => !now[part].includes(item)),
          [],
          part,
        );
      }
      assert.deepEqual(
        now.requires.filter((item) => !before.requires.includes(item)),
        [],
      );
    });
  }
});
