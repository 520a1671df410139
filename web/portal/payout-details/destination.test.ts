import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { accountFields, emptyValues, toDestination } from './destination.ts';

const filled = Object.assign(emptyValues('EUR'), {
  holder: 'Ada',
  iban: 'DE89 3704',
  'fields.accountNumber': '123',
  'fields.sortCode': '20-00-00',
  'fields.routingNumber': '021000021',
  'fields.accountType': 'checking',
  'fields.addressCity': 'Springfield',
});

describe('the request for payout details', () => {
  test('has the IBAN where accounts have one, and the numbers of the country elsewhere', () => {
    const of = (country: string) => toDestination('bank', Object.assign({}, filled, { country }), false);
    const bank = { method: 'bank', holder: 'Ada', currency: 'EUR' };
    assert.deepEqual(of('DE'), { ...bank, country: 'DE', iban: 'DE89 3704' });
    assert.deepEqual(of('GB'), { ...bank, country: 'GB', fields: { sortCode: '20-00-00', accountNumber: '123' } });
    const account = { routingNumber: '021000021', accountNumber: '123', accountType: 'checking' };
    assert.deepEqual(of('US'), { ...bank, country: 'US', fields: account });
  });

  test('asks for the address of holders in the US only where the provider needs it', () => {
    assert.equal(accountFields('US', false).includes('fields.addressCity'), false);
    assert.equal(accountFields('US', true).includes('fields.addressCity'), true);
    assert.deepEqual(accountFields('JP', true), ['fields.accountNumber']);
  });

  test('contains only the fields of its method', () => {
    assert.deepEqual(toDestination('paypal', Object.assign({}, filled, { email: 'a@b.example' }), false), {
      method: 'paypal',
      email: 'a@b.example',
    });
  });
});
