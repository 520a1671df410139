// Decisions stay few and readable in half an hour, and rules of behaviour are on one page per group of server/.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, test } from 'node:test';

/** At 250 words a minute, half an hour. */
const maxWords = 7500;
const maxDecisions = 30;
const maxWordsOfOne = 350;
/** "In two or three sentences." */
const maxContextWords = 80;
const maxRuleLines = 3;

const read = (pattern: string) => globSync(pattern).map((path) => ({ path, text: readFileSync(path, 'utf8') }));
const countWords = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;

const decisions = read('docs/decisions/[0-9]*.md');
const pages = read('docs/behaviour/*.md');

describe('the decisions', () => {
  test('can be read in half an hour', () => {
    assert.ok(decisions.length >= 20 && decisions.length <= maxDecisions, `${decisions.length} decisions`);
    const words = decisions.reduce((sum, { text }) => sum + countWords(text), 0);
    assert.ok(words <= maxWords, `${words} words: a rule of behaviour belongs in docs/behaviour/`);
    assert.deepEqual(
      decisions.filter(({ text }) => countWords(text) > maxWordsOfOne).map(({ path }) => path),
      [],
    );
  });

  test('have one layout: context, decision, consequences', () => {
    const faults = decisions.flatMap(({ path, text }) => {
      const [number] = basename(path).split('-');
      const headings = [...text.matchAll(/^#+ .*$/gm)].map(([heading]) => heading);
      const isTitled = headings[0]?.startsWith(`# ${number} `);
      const hasSections = headings.slice(1).join() === ['## Context', '## Decision', '## Consequences'].join();
      const [, context = ''] = /## Context\n([\s\S]*?)## Decision/.exec(text) ?? [];
      return isTitled && hasSections && countWords(context) <= maxContextWords ? [] : [`${path}: ${countWords(context)} words of context`];
    });
    assert.deepEqual(faults, []);
  });

  test('exist where the code and the documents refer to them', () => {
    const numbers = new Set(decisions.map(({ path }) => basename(path).slice(0, 3)));
    const tracked = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs', '*.css', '*.sql', '*.md'], { encoding: 'utf8' }).split('\n');
    const references = tracked
      .filter((path) => path !== '' && path !== 'CHANGELOG.md')
      .flatMap((path) =>
        [...readFileSync(path, 'utf8').matchAll(/\bdecisions?[ /\n]((?:\d{3}(?:, | and )?)+)/g)].map(([, list = '']) => ({ path, list })),
      );
    const missing = references.flatMap(({ path, list }) =>
      (list.match(/\d{3}/g) ?? []).filter((number) => !numbers.has(number)).map((number) => `${path}: ${number}`),
    );
    assert.deepEqual(missing, []);
    assert.ok(references.length > 10);
  });
});

describe('the rules of behaviour', () => {
  test('are on one page per group of server/', () => {
    const groups = globSync('server/*/').map((path) => basename(path));
    assert.deepEqual(pages.map(({ path }) => basename(path, '.md')).sort(), groups.sort());
  });

  test('take one to three lines each', () => {
    const long = pages.flatMap(({ path, text }) =>
      text
        .split(/^(?=- )/m)
        .filter((rule) => rule.startsWith('- '))
        .map((rule) => rule.split(/\n(?! {2}\S)/)[0] ?? '')
        .filter((rule) => rule.trim().split('\n').length > maxRuleLines)
        .map((rule) => `${path}: ${rule.slice(0, 80)}`),
    );
    assert.deepEqual(long, []);
  });
});
