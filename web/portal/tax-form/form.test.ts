import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { emptyValues, kinds, listSections, toBody } from './form.ts';

const filled = Object.assign({}, emptyValues, {
  name: ' Ada Lindqvist ',
  country: 'SE',
  'address.street': 'Storgatan 1',
  'address.city': 'Umeå',
  'address.country': 'SE',
  birthDate: '1980-12-31',
  ssn: '123-45-6789',
  'treaty.country': 'SE',
  'treaty.rate': '12,5 %',
  signatureName: 'Ada Lindqvist',
  isCertified: true,
});

describe('the request for a tax form', () => {
  test('contains what was filled in of this form, and nothing of the others', () => {
    assert.deepEqual(toBody('w8ben', filled), {
      kind: 'w8ben',
      name: 'Ada Lindqvist',
      country: 'SE',
      birthDate: '1980-12-31',
      address: { street: 'Storgatan 1', city: 'Umeå', country: 'SE' },
      treaty: { country: 'SE', rate: 12.5 },
      signatureName: 'Ada Lindqvist',
      isCertified: true,
    });
  });

  test('leaves out an unchecked certification and names no empty field', () => {
    for (const kind of kinds) assert.deepEqual(toBody(kind, emptyValues), { kind, address: {} });
  });

  test('asks persons and entities for different details', () => {
    const names = (sellerType: string | null) => listSections('dac7', { sellerType })[0]?.fields.map(({ name }) => name);
    assert.deepEqual(names(null), ['sellerType']);
    assert.deepEqual(names('entity'), ['sellerType', 'legalName', 'registrationNumber']);
    assert.deepEqual(names('individual'), ['sellerType', 'firstName', 'lastName', 'birthDate', 'birthCity']);
  });
});
