// Destinations that are accepted or rejected, by payout method and country.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';

const iban = { method: 'bank', holder: 'Ada Hideaway', country: 'DE', currency: 'EUR', iban: 'DE89 3704 0044 0532 0130 00' };

describe('an invalid destination', () => {
  let service: TestService;
  let path: string;
  before(async () => {
    service = await openTestService();
    path = `${service.program.path}/affiliates/${(await anAffiliate(service)).id}/payout-details`;
  });
  after(() => service.close());

  const us = (fields: object) => ({ method: 'bank', holder: 'A', country: 'US', currency: 'USD', fields });
  const cases: [body: object, path: string, message: RegExp][] = [
    [{}, 'method', /one of: paypal, bank/],
    [{ method: 'cash' }, 'method', /one of: paypal, bank/],
    [{ method: 'paypal' }, 'email', /required/],
    [{ method: 'paypal', email: 'x' }, 'email', /email address/],
    [{ method: 'paypal', email: `${'a'.repeat(60)}@${'b'.repeat(60)}.example` }, 'email', /email address/],
    [{ ...iban, iban: 'DE88370400440532013000' }, 'iban', /check digits/],
    [{ ...iban, iban: 'DE8937040044053201300' }, 'iban', /22 characters/],
    [{ ...iban, iban: 'US89370400440532013000' }, 'iban', /country that uses IBANs/],
    [{ ...iban, iban: 'hello' }, 'iban', /must be an IBAN/],
    [{ ...iban, bic: 'COBA1EFF' }, 'bic', /BIC/],
    [{ ...iban, holder: '' }, 'holder', /empty/],
    [{ ...iban, country: 'Germany' }, 'country', /two-letter/],
    [{ ...iban, currency: 'EURO' }, 'currency', /ISO 4217/],
    [{ ...iban, iban: undefined }, 'iban', /required/],
    [{ ...iban, fields: { accountNumber: '12345678' } }, 'fields', /together with `iban`/],
    [us({ accountNumber: '12345' }), 'fields.routingNumber', /required/],
    [us({ accountNumber: '12345', routingNumber: '021000022' }), 'fields.routingNumber', /check digit/],
    [us({ accountNumber: '123', routingNumber: '021000021' }), 'fields.accountNumber', /4 to 17/],
    [us({ accountNumber: '12345', routingNumber: '021000021', accountType: 'gold' }), 'fields.accountType', /checking or savings/],
    [{ ...us({ accountNumber: '12345678', sortCode: '20-00' }), country: 'GB' }, 'fields.sortCode', /6 digits/],
    [{ ...us({ accountNumber: '1234567', sortCode: '20-00-00' }), country: 'GB' }, 'fields.accountNumber', /8 digits/],
    [{ ...us({ swift: 'x' }), country: 'JP' }, 'fields.accountNumber', /required/],
    [us(Object.fromEntries(Array.from({ length: 13 }, (_, index) => [`f${index}`, 'x']))), 'fields', /12 entries/],
    [{ method: 'stripe', accountId: 'cus_123456789' }, 'accountId', /connected account/],
    [{ method: 'wise', recipientId: 'x' }, 'recipientId', /Wise recipient/],
    [{ method: 'external', account: '' }, 'account', /empty/],
  ];
  for (const [body, field, message] of cases) {
    test(`${JSON.stringify(body).slice(0, 90)}: 400 for ${field}, and nothing is stored`, async () => {
      const { status, body: response } = await service.request('POST', path, { body });
      assert.equal(status, 400);
      const detail = response.details.find((one: { path: string[] }) => one.path.join('.') === field);
      assert.match(detail?.message ?? JSON.stringify(response.details), message);
      assert.equal((await service.pool.query('select 1 from payout_details')).rowCount, 0);
    });
  }

  for (const body of [
    us({ accountNumber: '000123456789', routingNumber: '0210-0002-1', accountType: 'savings' }),
    { ...us({ accountNumber: '31926819', sortCode: '60-16-13' }), country: 'GB', currency: 'GBP' },
    { ...us({ accountNumber: '0001234567', bankCode: '0005' }), country: 'JP', currency: 'JPY' },
    { ...iban, country: 'NO', iban: 'NO93 8601 1117 947', bic: 'dnbanokkxxx' },
    { ...iban, country: 'MT', iban: 'MT84MALT011000012345MTLCAST001S' },
    { method: 'wise', recipientId: '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f' },
  ]) {
    test(`${JSON.stringify(body).slice(0, 110)} is accepted`, async () => {
      const { status, text } = await service.request('POST', path, { body });
      assert.ok(status === 200 || status === 201, text);
    });
  }
});
