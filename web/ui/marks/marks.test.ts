import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hueOf, initialsOf } from './initials.ts';
import { keyLabel } from './key-label.ts';

test('initials are those of the first and the last name, in any script', () => {
  const names = ['Ada Lindqvist', 'Zoë', 'Jean-Luc Marie Picard', 'ada@example.com', 'Émile zola', '李 小龍', '', '42'];
  assert.deepEqual(names.map(initialsOf), ['AL', 'Z', 'JP', 'A', 'ÉZ', '李小', '?', '?']);
});

test('a name has the same background everywhere', () => {
  assert.equal(hueOf('Ada Lindqvist'), hueOf('Ada Lindqvist'));
  assert.ok(hueOf('') >= 0 && hueOf('Zoë Marino') < 5);
});

test('keys are printed as on the keyboard of the user', () => {
  assert.deepEqual(
    [keyLabel('mod+k', true), keyLabel('mod+k', false), keyLabel('enter', true), keyLabel('g', false)],
    ['⌘K', 'Ctrl K', '↵', 'G'],
  );
});
