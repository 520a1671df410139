// Every error that a request of the console or the portal can end with has a text in both languages.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { apiWords } from '../ui/form/faults.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const languages = ['en', 'de'] as const;
const textsOf = (language: string) => JSON.parse(read(`web/locales/problems/${language}.json`)) as Record<string, string>;
const placeholdersOf = (text: string) => [...text.matchAll(/\{\{\w+\}\}/g)].map(([name]) => name).sort();

type Operation = { operationId?: string; responses?: Record<string, object> };
type Document = { paths: Record<string, Record<string, Operation>>; components: { responses: Record<string, object> } };

/** The codes of all operations for signed-in users, and of those of the public API that the web apps call. */
function readCodes(): string[] {
  const sources = globSync('web/{api,console,portal,ui}/**/*.{ts,tsx}', { cwd: root }).filter((path) => !path.includes('.gen.'));
  const called = new Set(sources.flatMap((path) => [...read(path).matchAll(/'(\w+\.\w+)'/g)].map(([, id]) => id)));
  const codes = ['openapi-app.json', 'openapi.json'].flatMap((file) => {
    const { paths, components } = JSON.parse(read(file)) as Document;
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    const used = operations.filter(({ operationId }) => file === 'openapi-app.json' || called.has(operationId ?? ''));
    return used.flatMap(({ responses = {} }) => Object.values(responses).flatMap((response) => codesOf(response, components)));
  });
  return [...new Set(codes)].sort();
}

function codesOf(response: object, { responses }: Document['components']): string[] {
  const reference = (response as { $ref?: string }).$ref?.split('/').at(-1);
  const text = JSON.stringify(reference === undefined ? response : responses[reference]);
  return [...text.matchAll(/"code":\{"type":"string","enum":\[([^\]]*)\]/g)].flatMap(([, list]) => JSON.parse(`[${list}]`) as string[]);
}

describe('the texts of errors', () => {
  const codes = readCodes();

  for (const language of languages) {
    test(`cover every code in ${language}`, () => {
      assert.ok(codes.length > 80, `${codes.length} codes were found`);
      const texts = textsOf(language);
      assert.deepEqual(
        codes.filter((code) => !texts[code]?.trim()),
        [],
      );
    });

    test(`contain no word of the API, and end as sentences in ${language}`, () => {
      for (const [code, text] of Object.entries(textsOf(language))) {
        assert.doesNotMatch(text.replaceAll(/\{\{\w+\}\}/g, ''), apiWords, code);
        assert.match(text, /\.$/, code);
      }
    });
  }

  test('have the same keys and insert the same values in both languages', () => {
    const [english, german] = [textsOf('en'), textsOf('de')];
    assert.deepEqual(Object.keys(german), Object.keys(english));
    for (const [code, text] of Object.entries(english)) {
      assert.deepEqual(placeholdersOf(german[code] ?? ''), placeholdersOf(text), code);
      assert.notEqual(german[code], text, code);
      // Without the response's values, a text must be complete.
      if (!code.endsWith('.known')) assert.deepEqual(placeholdersOf(text), [], code);
    }
  });
});
