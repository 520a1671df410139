// Custom properties: a name that is defined nowhere has no effect, and no tool reports it.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const read = (pattern: string) => globSync(pattern).map((path) => ({ path, text: readFileSync(path, 'utf8') }));
const styles = [...read('web/**/*.css'), ...read('server/**/*.css')];
const sources = [...read('web/**/*.{ts,tsx}'), ...read('server/**/*.ts')].filter(({ path }) => !path.endsWith('.test.ts'));

/** Written as a declaration of CSS, or as a key of an object of styles. */
const definition = /(--[a-z][\w-]*)['"]?\]?\s*:/g;
const use = /var\(\s*(--[a-z][\w-]*)/g;

test('every custom property that styles use is defined', () => {
  const defined = new Set([...styles, ...sources].flatMap(({ text }) => [...text.matchAll(definition)].map(([, name]) => name)));
  const used = [...styles, ...sources].flatMap(({ path, text }) => [...text.matchAll(use)].map(([, name = '']) => ({ path, name })));
  assert.ok(used.length > 500, `${used.length} uses were found`);
  const missing = used.filter(({ name }) => !defined.has(name)).map(({ path, name }) => `${name} in ${path}`);
  assert.deepEqual([...new Set(missing)], []);
});
