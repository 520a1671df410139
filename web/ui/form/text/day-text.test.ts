import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDay, showDay } from './day-text.ts';

test('a day is shown as in the rest of the app', () => {
  assert.equal(showDay('2026-12-21', 'en'), '21 Dec 2026');
  assert.equal(showDay(null, 'en'), '');
});

test('a day is read in every usual form', () => {
  for (const text of ['21 Dec 2026', '21 december 2026', 'Dec 21, 2026', '21.12.2026', '21/12/2026', '12/21/2026', ' 2026-12-21 '])
    assert.equal(readDay(text, 'en'), '2026-12-21', text);
  for (const text of ['21. Dez. 2026', '21. Dezember 2026', '21.12.2026', '1. Mai 2026'])
    assert.match(readDay(text, 'de') ?? '', /^2026-(12-21|05-01)$/, text);
  assert.equal(readDay(showDay('2026-09-05', 'de'), 'de'), '2026-09-05');
});

test('a day that does not exist is not read', () => {
  for (const text of ['', '31 Feb 2026', '13/13/2026', 'soon', '21 Dec', '2026-00-10', '21 Foo 2026'])
    assert.equal(readDay(text, 'en'), null, text);
});
