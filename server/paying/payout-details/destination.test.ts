// The address of a bank account's holder, stored beside the account numbers.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { identifyAccount, identifyDestination, PayoutDestination } from './destination.ts';

describe('the address of an account’s holder', () => {
  const numbers = { routingNumber: '021000021', accountNumber: '0001-2345', accountType: 'checking' };
  const address = { addressFirstLine: '12 Elm-St', addressCity: 'Leeds', addressPostCode: 'LS1 4AP', addressCountry: 'GB' };
  const us = (fields: object) => ({ method: 'bank', holder: 'Mia', country: 'US', currency: 'USD', fields });

  test('is stored as it was sent', () => {
    const destination = PayoutDestination.parse(us({ ...numbers, ...address }));
    assert.deepEqual('fields' in destination && destination.fields, { ...numbers, accountNumber: '00012345', ...address });
  });

  test('has a two-letter country code', () => {
    const { error } = PayoutDestination.safeParse(us({ ...numbers, ...address, addressCountry: 'England' }));
    assert.deepEqual(
      error?.issues.map(({ path, message }) => [path.join('.'), message]),
      [['fields.addressCountry', 'must be a two-letter country code in upper case']],
    );
  });

  test('distinguishes destinations, but not accounts', () => {
    const [plain, full] = [numbers, { ...numbers, ...address }].map((fields) => PayoutDestination.parse(us(fields)));
    assert.ok(plain && full);
    assert.notEqual(identifyDestination(plain), identifyDestination(full));
    assert.equal(identifyAccount(plain), identifyAccount(full));
  });
});
