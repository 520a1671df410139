// Names are displayed to people, so no endpoint may accept hidden characters in one.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { aGroup, anAffiliate, aProduct } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';

let service: TestService;
let ids: { affiliateId: string; groupId: string; productId: string };
before(async () => {
  service = await openTestService();
  const affiliate = await anAffiliate(service, { status: 'active' });
  ids = { affiliateId: affiliate.id, groupId: await aGroup(service), productId: await aProduct(service) };
});
after(() => service.close());

const program = { websiteUrl: 'https://brand.example' };
const fields: [field: string, method: string, path: () => string, body: (name: string) => object][] = [
  ['a program', 'PATCH', () => '', (name) => ({ ...program, name })],
  ['the first name of an affiliate', 'POST', () => '/affiliates', (firstName) => ({ email: 'n1@example.com', firstName, lastName: 'L' })],
  ['the last name of an affiliate', 'POST', () => '/affiliates', (lastName) => ({ email: 'n2@example.com', firstName: 'F', lastName })],
  ['a group', 'POST', () => '/groups', (name) => ({ name })],
  ['a renamed group', 'PATCH', () => `/groups/${ids.groupId}`, (name) => ({ name })],
  ['a product', 'POST', () => '/products', (name) => ({ name, priceCents: 1, checkoutUrl: 'https://shop.example' })],
  ['a renamed product', 'PATCH', () => `/products/${ids.productId}`, (name) => ({ name })],
  ['a commission rule', 'POST', () => '/commission-rules', (name) => ({ name, type: 'percentage', rate: 1 })],
  ['a provider', 'POST', () => '/providers', (name) => ({ name, type: 'manual' })],
  ['a coupon code', 'POST', () => '/coupons', (code) => ({ code, affiliateId: ids.affiliateId })],
  ['the title of a page', 'POST', () => '/landing-pages/ada', (pageTitle) => ({ pageTitle, affiliateId: ids.affiliateId })],
  [
    'the holder of an account',
    'POST',
    () => `/affiliates/${ids.affiliateId}/payout-details`,
    (holder) => ({ method: 'bank', accountHolder: holder, iban: 'DE89370400440532013000', country: 'DE', currency: 'EUR' }),
  ],
];

describe('names with hidden characters are rejected with 400', () => {
  for (const [field, method, path, body] of fields)
    test(field, async () => {
      for (const name of ['Ada\u200e', 'Ada\u2028x', 'Ada\u00ad', '\u3164', 'Ada\u202e', 'A\u200da']) {
        const { status, body: response } = await service.request(method, `${service.program.path}${path()}`, { body: body(name) });
        assert.deepEqual([status, response.code], [400, 'invalid_request'], `${JSON.stringify(name)} ${JSON.stringify(response)}`);
      }
    });
});

test('names in scripts that need joiners, and emoji, are accepted unchanged', async () => {
  for (const name of ['می\u200cخواهم', 'ශ්\u200dරී', '👩🏽\u200d🔬 & co', '葛\u{e0100}城']) {
    const { status, body } = await service.request('POST', `${service.program.path}/groups`, { body: { name } });
    assert.deepEqual([status, body.name], [201, name]);
  }
});
