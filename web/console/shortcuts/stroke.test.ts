import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchStroke } from './stroke.ts';

const press = (key: string, held: { metaKey?: boolean; ctrlKey?: boolean; altKey?: boolean } = {}) => {
  const { metaKey = false, ctrlKey = false, altKey = false } = held;
  return { key, metaKey, ctrlKey, altKey };
};

test('a shortcut is its key with exactly the keys held', () => {
  assert.ok(matchStroke('c', press('c')));
  assert.ok(matchStroke('c', press('C')));
  assert.ok(matchStroke('?', press('?')));
  assert.ok(matchStroke('mod+k', press('k', { metaKey: true })));
  assert.ok(matchStroke('mod+k', press('k', { ctrlKey: true })));
  assert.ok(!matchStroke('c', press('c', { ctrlKey: true })), 'copying is not a shortcut');
  assert.ok(!matchStroke('c', press('c', { altKey: true })));
  assert.ok(!matchStroke('mod+k', press('k')));
});
