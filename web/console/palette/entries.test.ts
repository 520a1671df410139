import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Entry, filterEntries } from './entries.ts';

const entry = (label: string, words = ''): Entry => ({ id: label, group: 'goTo', label, words, icon: 'search', run: () => {} });
const entries = [entry('Switch to Café Affogato'), entry('Affiliates', 'partners publishers'), entry('Conversions', 'orders sales')];
const labels = (search: string) => filterEntries(entries, search).map(({ label }) => label);

test('the palette finds labels and keywords, without case and accents', () => {
  assert.deepEqual(
    labels(''),
    entries.map(({ label }) => label),
  );
  assert.deepEqual(labels('CAFE'), ['Switch to Café Affogato']);
  assert.deepEqual(labels('orders'), ['Conversions']);
  assert.deepEqual(labels('switch aff'), ['Switch to Café Affogato']);
  assert.deepEqual(labels('nothing like it'), []);
});

test('labels that start with the search come first', () => {
  assert.deepEqual(labels('aff'), ['Affiliates', 'Switch to Café Affogato']);
});
