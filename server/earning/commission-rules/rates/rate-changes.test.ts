// What a change of rules means for each affiliate. Pure.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Rule } from '../terms.ts';
import { Terms } from '../terms.ts';
import { findAffected } from './find-recipients.ts';
import { listCovered } from './rate-changes.ts';

const rule = (given: Partial<Rule>, terms: object = { type: 'percentage', rate: 10 }): Rule => ({
  id: 'r',
  version: 1,
  name: 'Rule',
  isArchived: false,
  level: 1,
  productId: null,
  category: null,
  groupId: null,
  affiliateId: null,
  effectiveFrom: null,
  effectiveTo: null,
  ...given,
  terms: Terms.parse(terms),
});
const candidate = (id: string, given: object = {}) => ({
  id,
  email: `${id}@example.com`,
  firstName: id,
  earner: { id, groupId: null, override: null, ...given },
  hasDownline: id === 'named',
});
const affiliates = [
  candidate('plain'),
  candidate('gold', { groupId: 'gold' }),
  candidate('special', { override: { type: 'percentage', rate: 20 } }),
  candidate('named'),
];
const at = new Date('2026-12-01T00:00:00Z');
const percent = (rate: number) => ({ type: 'percentage' as const, rate, hasTiers: false });

const changesOf = (before: Rule[], after: Rule[], versions: Rule[], products: Parameters<typeof listCovered>[1] = []) =>
  Object.fromEntries(
    findAffected(affiliates, { ruleIds: ['r'], before, after, items: listCovered(versions, products), at }).map(({ id, changed }) => [
      id,
      changed,
    ]),
  );

test('a new version of the default rule changes the commission of those for whom no other rule or override applies', () => {
  const others = [rule({ id: 'g', groupId: 'gold' }, { type: 'percentage', rate: 15 }), rule({ id: 'a', affiliateId: 'named' })];
  const [was, is] = [rule({}), rule({ version: 2 }, { type: 'percentage', rate: 12.5 })];
  assert.deepEqual(changesOf([...others, was], [...others, is], [was, is]), {
    plain: { changes: [{ item: { kind: 'any' }, level: 1, before: percent(10), after: percent(12.5) }], endsAt: null },
  });
});

test('a rule that moves to another group, or is archived, changes what is earned in the former one', () => {
  const base = rule({ id: 'd' });
  const was = rule({ groupId: 'gold' }, { type: 'percentage', rate: 15 });
  const is = rule({ version: 2, groupId: 'silver' }, { type: 'percentage', rate: 15 });
  const found = changesOf([base, was], [base, is], [was, is]);
  assert.deepEqual(Object.keys(found), ['gold']);
  const archived = changesOf([base, was], [base], [was, { ...was, isArchived: true }]);
  assert.deepEqual(archived.gold?.changes, [{ item: { kind: 'any' }, level: 1, before: percent(15), after: percent(10) }]);
});

test('a rule that gets a condition is shown as it applies to orders that meet it', () => {
  const conditions = [{ field: 'country', operator: 'in', value: ['FR'] }];
  const [was, is] = [rule({}), rule({ version: 2 }, { type: 'percentage', rate: 12, conditions })];
  const { plain } = changesOf([was], [is], [was, is]);
  assert.deepEqual(plain?.changes, [
    { item: { kind: 'any' }, level: 1, before: percent(10), after: { ...percent(12), isConditional: true } },
  ]);
});

test('a rate that ends later says when', () => {
  const effectiveTo = '2026-12-31T00:00:00.000Z';
  const [was, is] = [rule({}), rule({ version: 2, effectiveTo }, { type: 'percentage', rate: 12 })];
  assert.equal(changesOf([was], [is], [was, is]).plain?.endsAt?.toISOString(), effectiveTo);
});

test('a rule for a product changes the commission of this product, also despite an override', () => {
  const base = rule({ id: 'd' });
  const is = rule({ productId: 'tea' }, { type: 'flat', amountCents: 300, per: 'unit' });
  const found = changesOf([base], [base, is], [is], [{ id: 'tea', name: 'Morning tea', category: null }]);
  assert.deepEqual(Object.keys(found), ['plain', 'gold', 'special', 'named']);
  assert.deepEqual(found.special?.changes, [
    {
      item: { kind: 'product', name: 'Morning tea' },
      level: 1,
      before: percent(20),
      after: { type: 'flat', amountCents: 300, per: 'unit', hasTiers: false },
    },
  ]);
});

test('a rule for uplines changes what those earn who have recruited others: for orders, products and commissions', () => {
  const [was, is] = [rule({ level: 2 }), rule({ level: 2, version: 2 }, { type: 'percentage', rate: 5, basis: 'commission' })];
  assert.deepEqual(changesOf([rule({ id: 'd' }), was], [rule({ id: 'd' }), is], [was, is]), {
    named: {
      changes: [{ item: { kind: 'any' }, level: 2, before: percent(10), after: { ...percent(5), basis: 'commission' } }],
      endsAt: null,
    },
  });
  const tea = rule({ id: 't', level: 2, productId: 'tea' }, { type: 'flat', amountCents: 300, per: 'unit' });
  const { named } = changesOf([was], [was, tea], [tea], [{ id: 'tea', name: 'Morning tea', category: null }]);
  assert.deepEqual(named?.changes[0]?.item, { kind: 'product', name: 'Morning tea' });
});

test('a rule for leads changes what a lead pays, despite an override, to those it is for', () => {
  const lead = (amountCents: number, given: object = {}) =>
    rule({ id: 'l', groupId: 'gold', ...given }, { event: 'lead', type: 'flat', amountCents });
  const found = changesOf([rule({})], [rule({}), lead(500)], [lead(500)]);
  const flat = { type: 'flat' as const, amountCents: 500, per: 'lead' as const, hasTiers: false };
  assert.deepEqual(found, { gold: { changes: [{ item: { kind: 'lead' }, level: 1, before: null, after: flat }], endsAt: null } });
  const [was, is] = [lead(500, { groupId: null }), lead(700, { groupId: null, version: 2 })];
  assert.deepEqual(Object.keys(changesOf([was], [is], [was, is])), ['plain', 'gold', 'special', 'named']);
});

test('another name changes nothing for affiliates', () => {
  const was = rule({});
  const renamed = rule({ version: 2, name: 'Standard' });
  assert.deepEqual(changesOf([was], [renamed], [was, renamed]), {});
});
