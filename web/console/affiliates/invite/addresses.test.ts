import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseAddresses, splitName } from './addresses.ts';

const read = (text: string) => parseAddresses(text).map(({ email, firstName, lastName }) => `${email} ${firstName}|${lastName}`);

describe('pasted addresses', () => {
  test('are found in every usual form', () => {
    const text =
      'ada.lindqvist@example.com, Mateo Castillo <mateo@example.com>; "Marino, Zoë" <zoe@example.com>\nNoor Haddad\tnoor@example.com';
    assert.deepEqual(read(text), [
      'ada.lindqvist@example.com Ada|Lindqvist',
      'mateo@example.com Mateo|Castillo',
      'zoe@example.com Zoë|Marino',
      'noor@example.com Noor|Haddad',
    ]);
  });

  test('count once, whatever their case', () => {
    assert.deepEqual(read('ADA@example.com\nada@example.com'), ['ADA@example.com ADA|']);
  });

  test('without a name in them stay without one', () => {
    assert.deepEqual(read('info@example.com x1@example.com'.replace(' ', '\n')), ['info@example.com |', 'x1@example.com |']);
  });

  test('are kept when they are malformed, so that they can be corrected', () => {
    assert.deepEqual(read('hello\n\n,;  \nada@, zoe@example.com'), ['hello |', 'ada@ |', 'zoe@example.com Zoe|']);
  });
});

test('a name is split before its last word, or at its comma', () => {
  assert.deepEqual(splitName('Ana Maria Rossi'), { firstName: 'Ana Maria', lastName: 'Rossi' });
  assert.deepEqual(splitName('Rossi, Ana Maria'), { firstName: 'Ana Maria', lastName: 'Rossi' });
  assert.deepEqual(splitName('Cher'), { firstName: 'Cher', lastName: '' });
});
