import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { emptyAnnouncement, findMissing, textOf, toBody, toInstant } from './announcement-values.ts';

describe('the form of an announcement', () => {
  const filled = { ...emptyAnnouncement, 'texts.de.subject': 'Neu', 'texts.de.heading': 'Hallo', 'texts.de.body': 'Am Montag.' };

  test('has a text in a language as soon as one of its fields is filled', () => {
    assert.equal(textOf(filled, 'en'), null);
    assert.deepEqual(textOf(filled, 'de'), { subject: 'Neu', heading: 'Hallo', body: 'Am Montag.' });
    assert.deepEqual(toBody(filled).texts.en, null);
  });

  test('needs the text of one language', () => {
    assert.deepEqual(findMissing(emptyAnnouncement, 'de'), ['texts.de.subject', 'texts.de.heading', 'texts.de.body']);
    assert.deepEqual(findMissing(filled, 'en'), []);
  });
});

test('an hour is that of the program, even on days on which its clocks change', () => {
  assert.equal(toInstant('2026-12-01', 9, 'Europe/Berlin'), '2026-12-01T08:00:00.000Z');
  assert.equal(toInstant('2026-03-29', 9, 'Europe/Berlin'), '2026-03-29T07:00:00.000Z');
  assert.equal(toInstant('2026-10-25', 9, 'Europe/Berlin'), '2026-10-25T08:00:00.000Z');
  assert.equal(toInstant('2026-10-25', 0, 'Europe/Berlin'), '2026-10-24T22:00:00.000Z');
  assert.equal(toInstant('2026-11-01', 9, 'America/New_York'), '2026-11-01T14:00:00.000Z');
});
