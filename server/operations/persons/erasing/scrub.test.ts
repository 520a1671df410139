// What is removed from texts and JSON: the person everywhere, and words that others share only where it is certain who is meant.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createScrubber, toPattern, toWords } from './scrub.ts';

const id = '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f';
const person = {
  emailKey: 'ann.lee+x@lee.example',
  userId: null,
  addresses: ['ann.lee+x@lee.example'],
  ownDomains: ['lee.example'],
  names: [['Ann', 'Lee'] as [string, string]],
  visitorIds: [],
};
const words = toWords(person, { ids: [id], words: ['ann-lee'] });
const scrubber = createScrubber(words, 'erased-1@erased.invalid');

describe('a text', () => {
  for (const [given, expected] of [
    ['Mail ANN.LEE+X@lee.example today', 'Mail erased today'],
    ['<ann.lee+x@lee.example>', '<erased>'],
    ['joann.lee+x@lee.example', 'joann.lee+x@lee.example'],
    ['Thanks, Ann Lee!', 'Thanks, erased!'],
    ['Lee, Ann', 'erased'],
    ['Ann and Lee', 'Ann and Lee'],
    ['Joann Lee', 'Joann Lee'],
    ['was a•••@lee.example', 'was erased'],
  ] as const)
    test(`about others: ${given}`, () => assert.equal(scrubber.text(given, false), expected));

  test('about the person also loses parts of the name and slugs, but not parts of words', () => {
    assert.equal(scrubber.text('Ann is back from her annual leave: /r/ann-lee', true), 'erased is back from her annual leave: /r/erased');
  });

  test('is about the person if it has their address, their full name or an id of theirs', () => {
    const about = ['to ann.lee+x@lee.example', 'Ann Lee', `affiliate ${id}`];
    assert.deepEqual(about.map(scrubber.isAbout), [true, true, true]);
    assert.deepEqual(['Ann', 'Lee', 'annlee@lee.example'].map(scrubber.isAbout), [false, false, false]);
  });
});

describe('JSON', () => {
  test('loses what describes the person, and keeps ids, states and numbers', () => {
    const given = { id, firstName: 'Ann', lastName: '', email: 'old@lee.example', status: 'active', clicks: 3, tags: ['vip'], note: 'Hi' };
    const expected = {
      id,
      firstName: 'Erased',
      lastName: 'affiliate',
      email: 'erased-1@erased.invalid',
      status: 'active',
      clicks: 3,
      tags: [],
      note: null,
    };
    assert.deepEqual(scrubber.json({ rows: [given] }, false), { rows: [expected] });
  });

  test('about others keeps their names', () => {
    const given = { id: 'other', firstName: 'Ann', lastName: 'Zhou', email: 'ann@zhou.example' };
    assert.deepEqual(scrubber.json([given, { affiliate: { email: 'Ann.Lee+x@lee.example', firstName: 'Ann' } }], false), [
      given,
      { affiliate: { email: 'erased-1@erased.invalid', firstName: 'Erased' } },
    ]);
  });
});

test('what an address contains is not read as a regular expression', () => {
  assert.equal(toPattern(['a+b.c@d.example', '(x|y)*']), 'a\\+b\\.c@d\\.example|\\(x\\|y\\)\\*');
});
