// Every operation that members may call is called by the console, or listed with the reason why it has no screen.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { listOperations, type Operation, readDocuments } from '../scripts/web/operations.ts';
import { listSources } from '../scripts/web/texts.ts';
import { api } from '../server/api.ts';
import { isForAffiliates } from '../server/platform/http/declaration/endpoint.ts';

const endpoints = new Map(api.map((endpoint) => [endpoint.id, endpoint]));

/** The reason of each operation in the list. */
const reasons = new Map(
  [...readFileSync('test/without-screen.txt', 'utf8').matchAll(/^(\w+\.\w+) +(\S.*)$/gm)].map(([, id = '', reason = '']) => [id, reason]),
);

/** Operations of members; affiliates and keys have their own. */
function isForMembers({ id }: Operation): boolean {
  const endpoint = endpoints.get(id);
  return endpoint === undefined || (!isForAffiliates(endpoint) && endpoint.isKeyOnly !== true);
}

/**
 * Which operations the sources of an app call: by a literal, or by a template such as `conversions.${kind}` whose kinds are
 * literals of the same file. The names of texts and the lists of reads that a write invalidates don't count.
 */
function findCalled(sources: readonly string[]): Set<string> {
  const called = new Set<string>();
  for (const source of sources) {
    const text = source.replace(/\[\s*'[\w.]+'(?:,\s*'[\w.]+')*,?\s*\]/g, '').replace(/\bt\((?:[^()`']*\?)?\s*(?:`[^`]*`|'[^']*')/g, '');
    const literals = text.match(/(?<=')\w+(?:\.\w+)?(?=')/g) ?? [];
    for (const literal of literals) called.add(literal);
    for (const prefix of text.match(/(?<=`)\w+\.(?=\$\{)/g) ?? []) for (const literal of literals) called.add(prefix + literal);
  }
  return called;
}

const forMembers = listOperations(readDocuments('.')).filter(isForMembers);
const called = findCalled(listSources('.', 'console').map((path) => readFileSync(path, 'utf8')));

test('every operation that members may call has a screen, or a reason why it has none', () => {
  const missing = forMembers.filter(({ id }) => !called.has(id) && !reasons.has(id));
  assert.deepEqual(
    missing.map(({ id, method, path }) => `${id} (${method} ${path})`),
    [],
    'operations without a screen and without a reason in test/without-screen.txt',
  );
  assert.ok(forMembers.length > 200 && called.size > 150);
});

test('the list of operations without a screen is sorted, and contains none that is called or doesn’t exist', () => {
  const ids = new Set(forMembers.map(({ id }) => id));
  const listed = [...reasons.keys()];
  assert.deepEqual(
    listed.filter((id) => !ids.has(id)),
    [],
    'listed, but no operation of members',
  );
  assert.deepEqual(
    listed.filter((id) => called.has(id)),
    [],
    'listed, but called by the console',
  );
  assert.deepEqual(listed, [...listed].sort());
  for (const [id, reason] of reasons) assert.match(reason, /^[A-Z].{15,}\.$/, id);
  const named = [...reasons.values()].flatMap((reason) => reason.match(/\b[a-z]\w*\.\w+/g) ?? []);
  assert.deepEqual(
    named.filter((id) => !ids.has(id) || !called.has(id)),
    [],
    'named in a reason, but not called by the console',
  );
});

test('the names of texts and the lists of invalidated reads are no calls', () => {
  const called = findCalled([
    `t('orders.title'); t(\`orders.\${status}\`); useWrite('orders.credit', { invalidates: ['orders.list', 'orders.get'] })`,
    `const kinds = { a: 'cancel' }; call(\`orders.\${kind}\`, input)`,
  ]);
  assert.deepEqual([...called].filter((id) => id.startsWith('orders.')).sort(), ['orders.cancel', 'orders.credit']);
});
