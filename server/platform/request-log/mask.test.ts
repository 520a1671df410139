// What the request log shows of bodies and queries.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { z } from 'zod';
import { api } from '../../api.ts';
import { line, logged, timestampIn, uuid, wholeNumber } from '../http/declaration/fields.ts';
import { oneOf } from '../http/declaration/lists.ts';
import { createMask } from './mask.ts';

const id = '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f';
const at = '2026-11-20T09:00:00Z';

describe('a value is shown', () => {
  const { apply: mask } = createMask(
    z.object({
      id: uuid.optional(),
      at: timestampIn.nullable().optional(),
      count: z.int().optional(),
      isOn: z.boolean().optional(),
      kind: z.enum(['a', 'b']).optional(),
      name: logged(line(50)).nullable().optional().describe('A thing.'),
      note: line(50).optional(),
      birthDate: z.iso.date().optional(),
      extra: z.record(z.string(), z.unknown()).optional(),
      any: z.unknown(),
      items: z.array(z.object({ sku: logged(line(9)), owner: line(9) })).optional(),
    }),
  );
  const shows = (field: string, value: unknown) => (mask({ [field]: value }) as Record<string, unknown>)[field];

  test('if its declaration allows no free text', () => {
    for (const [field, value] of Object.entries({ id, at, count: 7, isOn: false, kind: 'a' })) assert.equal(shows(field, value), value);
  });

  test('if it is a text that is marked', () => {
    assert.equal(shows('name', 'Sleep tea'), 'Sleep tea');
    assert.equal(shows('name', 'x'.repeat(301)), '***');
    assert.deepEqual(shows('items', [{ sku: 'S1', owner: 'Ada' }]), [{ sku: 'S1', owner: '***' }]);
  });

  test('if it is null, because then it has no contents', () => assert.equal(shows('note', null), null));

  test('otherwise it is masked: other texts, days, records and what has no type', () => {
    const others = { note: 'Ada', birthDate: '1990-01-02', extra: { ada: 1 }, any: { ada: 1 } };
    for (const [field, value] of Object.entries(others)) assert.equal(shows(field, value), '***');
  });

  test('not if it has another type than declared', () => {
    const others = { id: 'ada@example.com', at: 'Ada', count: 'Ada', isOn: 'Ada', kind: 'Ada', name: ['Ada'], items: 'Ada' };
    for (const [field, value] of Object.entries(others)) assert.doesNotMatch(JSON.stringify(shows(field, value)), /ada/i, field);
  });

  test('not if its field is not declared, and neither is the name of the field', () => {
    assert.deepEqual(mask({ count: 1, ada: 'Ada', __proto__: { x: 1 } }), { count: 1 });
  });
});

test('the names of declared fields are known, those in variants and lists included', () => {
  const { hasField } = createMask(z.object({ items: z.array(z.union([z.object({ sku: z.string() }), z.object({ name: z.string() })])) }));
  assert.deepEqual(['items', 'sku', 'name', 'properties', 'ada'].map(hasField), [true, true, true, false, false]);
});

test('of several variants the one that fits decides', () => {
  const person = z.object({ kind: z.literal('person'), name: line(50) });
  const company = z.object({ kind: z.literal('company'), name: logged(line(50)) });
  const { apply: mask } = createMask(z.object({ owner: z.discriminatedUnion('kind', [person, company]) }));
  assert.deepEqual(mask({ owner: { kind: 'company', name: 'Fern' } }), { owner: { kind: 'company', name: 'Fern' } });
  assert.deepEqual(mask({ owner: { kind: 'person', name: 'Ada' } }), { owner: { kind: 'person', name: '***' } });
  assert.deepEqual(mask({ owner: { kind: 'other', name: 'Ada' } }), { owner: '***' });
});

test('a query has numbers, booleans and lists with one entry as text', () => {
  const limit = wholeNumber({ min: 1, max: 9, fallback: 1 });
  const { apply: mask } = createMask(z.object({ limit, kind: oneOf(z.enum(['a', 'b'])), email: line(99).optional() }));
  assert.deepEqual(mask({ limit: '5', kind: 'a', email: 'a@b.example' }), { limit: '5', kind: 'a', email: '***' });
  assert.deepEqual(mask({ kind: ['a', 'x'] }), { kind: ['a', '***'] });
});

describe('in every endpoint', () => {
  const secret = 'Ada Lovelace +49 170 1234567 DE89370400440532013000';
  const isAboutPeople =
    /secret|password|token|apiKey|e?mail|iban|bic|tin$|ssn|ein|vatId|taxNumber|holder|firstName|lastName|legalName|street|city|postalCode|birth|phone|address|account$|note|metadata|url/i;

  for (const endpoint of api.filter(({ scope, body }) => body && scope !== 'open'))
    test(`${endpoint.id} shows no field about people, and no secret`, () => {
      const { apply: mask } = createMask(endpoint.body);
      const shown = Object.entries(endpoint.body.shape ?? {}).filter(
        ([name]) => (mask({ [name]: secret }) as Record<string, unknown>)[name] === secret,
      );
      assert.deepEqual(
        shown.map(([name]) => name).filter((name) => isAboutPeople.test(name)),
        [],
      );
    });
});
