import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { explainUnstorable, isOneLine, isPlainText, repairJson, toOneLine, toStorable } from './text.ts';

const hidden: [name: string, text: string][] = [
  ['a left-to-right mark', 'Ada\u200e'],
  ['a right-to-left mark', '\u200fAda'],
  ['an Arabic letter mark', 'Ada\u061c'],
  ['an override', '\u202eadA'],
  ['an isolate', 'Ada\u2066'],
  ['a line separator', 'Ada\u2028Lovelace'],
  ['a paragraph separator', 'Ada\u2029Lovelace'],
  ['a next line', 'Ada\u0085Lovelace'],
  ['a line feed', 'Ada\nLovelace'],
  ['a tab', 'Ada\tLovelace'],
  ['NUL', 'Ada\0'],
  ['a lone surrogate', 'Ada\ud800'],
  ['a zero-width space', 'A\u200bda'],
  ['a word joiner', 'A\u2060da'],
  ['an invisible plus', 'A\u2064da'],
  ['a byte order mark', 'A\ufeffda'],
  ['a soft hyphen', 'A\u00adda'],
  ['a combining grapheme joiner', 'A\u034fda'],
  ['a Hangul filler', 'A\u3164da'],
  ['a half-width Hangul filler', '\uffa0'],
  ['a Braille blank', '\u2800'],
  ['a Mongolian vowel separator', 'A\u180eda'],
  ['a tag', 'Ada\u{e0041}'],
  ['a joiner among Latin letters', 'A\u200dda'],
  ['a non-joiner among Latin letters', 'A\u200cda'],
  ['a joiner after a Persian word', 'علی\u200c'],
  ['two joiners', 'می\u200c\u200cخواهم'],
  ['a variation selector after a Latin letter', 'A\ufe0fda'],
  ['a noncharacter', 'Ada\uffff'],
];

const spelled: [name: string, text: string][] = [
  ['Latin, with accents', 'Zoë Åström-Núñez'],
  ['composed accents', 'Zoe\u0308'],
  ['Persian with a non-joiner', 'می\u200cخواهم'],
  ['Hindi with a joiner', 'क्\u200dष'],
  ['Bengali: joiner before the virama', 'র\u200d্য'],
  ['Sinhala', 'ශ්\u200dරී'],
  ['Malayalam chillu at the end', 'അവന്\u200d'],
  ['Hebrew', 'עדה לאבלייס'],
  ['Arabic number sign', '\u0600١٢'],
  ['Han with an ideographic selector', '葛\u{e0100}城'],
  ['Mongolian with a selector', 'ᠠ\u180bᠠ'],
  ['a family', 'Team 👨\u200d👩\u200d👧\u200d👦'],
  ['a skin tone and a profession', '👩🏽\u200d🔬'],
  ['a heart on fire', '❤\ufe0f\u200d🔥'],
  ['the flag of Wales', '🏴\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}'],
  ['the flag of Kenya', '🇰🇪'],
  ['a keycap', '1\ufe0f\u20e3'],
  ['Hangul', '에이다'],
];

describe('one line of text', () => {
  for (const [name, text] of hidden) {
    test(`${name} is rejected, and can be repaired`, () => {
      assert.equal(isOneLine(text), false);
      assert.equal(isOneLine(toOneLine(text)), true);
    });
  }
  for (const [name, text] of spelled) {
    test(`${name} is accepted and left unchanged`, () => {
      assert.equal(isOneLine(text), true);
      assert.equal(toOneLine(text), text);
    });
  }
  test('a line break becomes a space', () => assert.equal(toOneLine('Ada\r\n\u2028Lovelace'), 'Ada Lovelace'));

  test('repaired text is accepted, and accepted text is left unchanged', () => {
    const odd = fc.constantFrom(
      ...'a 👩\u200d\u200c\u200e\u2028\ufe0f\u034fشक्葛\u{e0100}1\u20e3\0\ud83d'.split(''),
      '👩',
      '\u{e0061}',
      '🏴',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(odd, fc.string({ unit: 'binary', maxLength: 2 })), { maxLength: 12 }), (parts) => {
        const repaired = toOneLine(parts.join(''));
        assert.equal(isOneLine(toOneLine(repaired)), true);
        if (isOneLine(parts.join(''))) assert.equal(repaired, parts.join('').trim());
      }),
      { numRuns: 5000 },
    );
  });
});

describe('multi-line text', () => {
  for (const text of ['one\n\ttwo', 'עדה\u200f!', 'co\u00adoperate', 'می\u200cخواهم ✓\ufe0f'])
    test(`${JSON.stringify(text)} is accepted`, () => assert.equal(isPlainText(text), true));
  for (const text of ['a\u202eb', 'a\u2066b', 'a\u2028b', 'a\0b', 'a\u200bb', 'a\u{e0041}b', 'a\ud800'])
    test(`${JSON.stringify(text)} is rejected`, () => assert.equal(isPlainText(text), false));
});

describe('repairing data from external systems', () => {
  test('texts are made storable; keys that reach prototypes and deep nesting are removed', () => {
    assert.equal(explainUnstorable(toStorable('a\0b\ud800c')), null);
    assert.equal(toStorable('a\0b\ud800c'), 'ab\ufffdc');
    assert.deepEqual(repairJson(JSON.parse('{"a\\u0000":["\\ud800"],"__proto__":{"x":1},"n":null}')), { a: ['\ufffd'], n: null });
    const deep = JSON.parse('['.repeat(100) + ']'.repeat(100));
    assert.ok(JSON.stringify(repairJson(deep)).length < 80);
  });
});
