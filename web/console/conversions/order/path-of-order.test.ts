// The path of an order adds up, its links end at its nodes, and every code of the API has a text in both languages.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import i18next from 'i18next';
import { toPath } from './path-of-order.ts';
import type { Explanation, Say } from './say.ts';
import { toSentences } from './sentences.ts';
import { toTimeline } from './timeline-of-order.ts';

const languages = ['en', 'de'] as const;
const root = join(import.meta.dirname, '..', '..', '..', '..');
const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const catalogues = Object.fromEntries(languages.map((language) => [language, read(`web/locales/${language}/conversions.json`)]));

async function createSay(language: 'en' | 'de'): Promise<Say> {
  const instance = i18next.createInstance();
  const missing = (key: string) => assert.fail(`${language}: ${key} is missing`);
  await instance.init({
    lng: language,
    ns: ['conversions'],
    defaultNS: 'conversions',
    parseMissingKeyHandler: missing,
    interpolation: { escapeValue: false },
  });
  instance.addResourceBundle(language, 'conversions', catalogues[language]);
  const money = (cents: number) => `$${(cents / 100).toFixed(2)}`;
  return {
    t: (key, values) => String(instance.t(key as never, values as never)),
    money,
    percent: (rate) => `${rate}%`,
    flat: (cents, per) => `${money(cents)} per ${per}`,
    date: (instant) => instant.slice(0, 10),
    day: (dayOn) => dayOn,
    decimal: (decimal) => decimal,
  };
}

const example = read('openapi.json').components.schemas.Explanation.example as Explanation;
const [affiliate] = example.affiliates;
const [commission] = example.commissions;
const [item] = example.items;

/** Two lines under one rule and its cap, an upline, a refund, and a signal that was not used. */
function build(): Explanation {
  assert.ok(affiliate && commission && item);
  const upline = { ...affiliate, id: 'zoe', name: 'Zoë Amari' };
  const parts = [
    { position: 0, amountCents: 300, reversedCents: 100 },
    { position: 1, amountCents: 200, reversedCents: 0 },
  ];
  const limits = [{ by: 'program_cap' as const, beforeCents: 900, afterCents: 500, totalCents: 550, parts: 2 }];
  return {
    ...example,
    totals: { ...example.totals, commissionCents: 550, creditedCents: 500, uplineCents: 50, reversedCents: 100, netCents: 450 },
    affiliates: [affiliate, upline],
    signals: [
      ...example.signals,
      { signal: 'customer', value: '', affiliateId: 'zoe', outcome: 'outranked', facts: { creditedSignal: 'click' } },
    ],
    items: [item, { ...item, position: 1, name: 'Teapot', quantity: 2 }, { ...item, position: 2, name: 'Gift card', commissionCents: 0 }],
    commissions: [
      { ...commission, positions: [0, 1], amountCents: 500, reversedCents: 100, parts, limits },
      { ...commission, level: 2, affiliateId: 'zoe', amountCents: 50, parts: [{ position: 0, amountCents: 50, reversedCents: 0 }] },
    ],
    refunds: [
      {
        id: 'r',
        refundId: 're_1',
        reason: 'refund',
        amountCents: 900,
        original: null,
        reversedCents: 100,
        occurredAt: example.occurredAt,
        undoneAt: null,
      },
    ],
  };
}

describe('the path of an order', () => {
  for (const language of languages)
    test(`adds up and has a text for everything in ${language}`, async () => {
      const say = await createSay(language);
      const explanation = build();
      const { columns, links, totalCents } = toPath(explanation, say);
      const nodes = columns.flatMap((column) => column.nodes);
      assert.equal(
        nodes.reduce((sum, { partCents = 0 }) => sum + partCents, 0),
        explanation.totals.commissionCents,
      );
      assert.equal(totalCents, 550);
      const ids = new Set(nodes.map(({ id }) => id));
      for (const { from, to } of links) assert.ok(ids.has(from) && ids.has(to), `${from} ${to}`);
      const into = (id: string, kinds: string[]) =>
        links.filter(({ to, kind }) => to === id && kinds.includes(kind)).reduce((sum, { cents }) => sum + cents, 0);
      assert.deepEqual(
        [into('affiliate', ['flow']), into('total', ['flow']), into('upline-total', ['upline']), into('reversed', ['refund'])],
        [500, 500, 50, 100],
      );
      const unused = nodes.filter(({ kind }) => kind === 'unused');
      assert.deepEqual(
        unused.map(({ id }) => id),
        ['signal-1', 'line-2'],
      );
      for (const { reason } of unused) assert.ok(reason);
      for (const sentence of toSentences(explanation, say)) assert.doesNotMatch(sentence, /\{\{|undefined|null/);
      for (const { steps } of explanation.timeline) assert.ok(toTimeline(steps, say).every(({ title }) => title.length > 0));
    });
});

test('a limit that several commissions are under says that an amount is its share', async () => {
  const shared = build();
  const alone = build();
  for (const one of alone.commissions) one.limits = one.limits.map((limit) => ({ ...limit, totalCents: 500, parts: 1 }));
  const [english, german] = [await createSay('en'), await createSay('de')];
  const texts = (explanation: Explanation, say: Say) =>
    [...toSentences(explanation, say), ...toPath(explanation, say).columns.flatMap(({ nodes }) => nodes.flatMap(({ lines }) => lines))]
      .filter((text) => /cap|Obergrenze/.test(text))
      .map((text) => text.replaceAll(/[\u00a0\u202f]/g, ' '));
  assert.deepEqual(
    new Set(texts(shared, english)),
    new Set(['Lowered to its share of the program’s cap ($5.50): $5.00.', 'Lowered to its share of the program’s cap: $5.00']),
  );
  assert.deepEqual(
    new Set(texts(alone, english)),
    new Set(['Lowered to the program’s cap ($5.00): $5.00.', 'Lowered to the program’s cap: $5.00']),
  );
  for (const text of texts(shared, german)) assert.match(text, /^Auf den Anteil an der Obergrenze/);
  for (const text of texts(alone, german)) assert.match(text, /^Auf die Obergrenze/);
});

describe('the catalogue', () => {
  const documents = [read('openapi.json'), read('openapi-app.json')];
  const schema = (name: string) => documents.map((document) => document.components.schemas[name]).find(Boolean);
  const property = (name: string, field: string): string[] => {
    const found = schema(name).properties[field];
    return found.enum ?? schema(String(found.$ref).split('/').at(-1) ?? '').enum;
  };
  const candidates = schema('ExplainedLine').properties.candidates.items.properties;
  const cases: [section: string, codes: () => string[]][] = [
    ['signalReason', () => property('SignalOutcome', 'outcome')],
    ['signalTitle', () => property('SignalOutcome', 'signal')],
    ['say.by', () => property('SignalOutcome', 'signal')],
    ['source', () => property('SignalOutcome', 'signal')],
    ['step', () => candidates.step.enum],
    ['ruleReason', () => candidates.outcome.enum],
    ['limit', () => property('CommissionLimit', 'by')],
    ['timeline', () => property('TimelineStep', 'step')],
    ['fraud', () => property('FraudEvent', 'kind')],
    ['refundReason', () => schema('RefundReason').enum],
    ['refundSheet.effects', () => property('RefundAdjustment', 'effect')],
    ['unattributed', () => schema('UnattributedReason').enum],
    ['entry', () => schema('LedgerEntryKind').enum],
  ];
  for (const [section, codes] of cases)
    test(`has a text for every ${section} of the API in both languages`, () => {
      for (const language of languages) {
        const texts = section.split('.').reduce((tree, key) => tree[key], catalogues[language]);
        assert.deepEqual(
          codes().filter((code) => typeof texts[code] !== 'string'),
          [],
          language,
        );
      }
    });
});
