// The parts of a diff add up to both texts, and unchanged words stay unchanged.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type DiffPart, diffWords } from './word-diff.ts';

const shorten = (parts: readonly DiffPart[]) => parts.map(({ kind, text }) => `${{ same: ' ', added: '+', removed: '-' }[kind]}${text}`);

test('marks the words that were replaced, added and removed', () => {
  const before = 'What I recommend for calm evenings.';
  assert.deepEqual(shorten(diffWords(before, before)), [` ${before}`]);
  assert.deepEqual(shorten(diffWords(before, 'What I recommend for calmer, longer evenings.')), [
    ' What I recommend for ',
    '-calm',
    '+calmer, longer',
    '  evenings.',
  ]);
  assert.deepEqual(shorten(diffWords('', 'New words')), ['+New words']);
  assert.deepEqual(shorten(diffWords('Old words', '')), ['-Old words']);
  assert.deepEqual(diffWords('', ''), []);
});

test('keeps words that moved past each other in one of their places', () => {
  assert.deepEqual(shorten(diffWords('a b c d ', 'a c b d ')), [' a ', '-b ', ' c', '+ b', '  d ']);
});

test('adds up to both texts, whatever they are', () => {
  const text = fc.array(fc.constantFrom('tea ', 'calm ', 'sleep\n', '  ', 'cure', ' ')).map((words) => words.join(''));
  const without = (parts: readonly DiffPart[], kind: DiffPart['kind']) =>
    parts
      .filter((part) => part.kind !== kind)
      .map((part) => part.text)
      .join('');
  fc.assert(
    fc.property(text, text, (before, after) => {
      const parts = diffWords(before, after);
      assert.equal(without(parts, 'added'), before);
      assert.equal(without(parts, 'removed'), after);
    }),
  );
});

test('replaces everything between the equal ends of texts that are too long to compare', () => {
  const words = (prefix: string) => Array.from({ length: 2500 }, (_, index) => `${prefix}${index} `).join('');
  const parts = diffWords(`start ${words('a')}end`, `start ${words('b')}end`);
  assert.deepEqual(
    parts.map(({ kind }) => kind),
    ['same', 'removed', 'added', 'same'],
  );
});
