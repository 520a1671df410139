// The console shows the audit log in sentences: every action that the server records has one in each language.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { auditActions } from '../server/platform/audit/actions.ts';

const root = join(import.meta.dirname, '..');

type Texts = { sentence: Record<string, Record<string, string> | undefined> };

/** The action names that are written in the server's sources where an action is recorded. */
function recordedActions(): string[] {
  const files = globSync('server/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
  const sources = files
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .filter((text) => /recordChanges?\b|recordInPrograms\b/.test(text));
  return sources.flatMap((text) => [...text.matchAll(/\baction(?: =|:)[^;,\n]*/g)].flatMap(([statement]) => namesIn(statement)));
}

function namesIn(statement: string): string[] {
  return [...statement.matchAll(/'([a-z_]+\.[a-z_]+)'/g)].map(([, name = '']) => name);
}

describe('the sentences of the audit log', () => {
  for (const language of ['en', 'de']) {
    test(`exist for every action that the server records (${language})`, () => {
      const texts = JSON.parse(readFileSync(join(root, 'web/locales', language, 'audit.json'), 'utf8')) as Texts;
      const names = new Set([...Object.keys(auditActions), ...recordedActions()]);
      const missing = [...names].filter((action) => {
        const [noun = '', verb = ''] = action.split('.');
        return !texts.sentence[noun]?.[verb];
      });
      assert.deepEqual(missing, []);
    });
  }

  test('are collected from the sources that record actions', () => {
    const names = recordedActions();
    assert.ok(names.length > 80, `${names.length} actions found`);
    assert.deepEqual(
      names.filter((name) => !(name in auditActions)),
      [],
    );
  });
});
