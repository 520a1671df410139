// The search of a program finds each kind of object by what people know of it, and nothing of another program.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { aCoupon, anAffiliate, anOrder, aPage, aProduct } from '../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestService } from '../../../test/support/harness.ts';

const kinds = ['affiliates', 'conversions', 'payouts', 'coupons', 'products', 'pages'] as const;

let service: TestService;
let viewer: TestMember;
let foreignOrder: string;
const ids: Record<string, string> = {};

before(async () => {
  service = await openTestService();
  viewer = await service.asMember('viewer');
  const ada = await anAffiliate(service, { status: 'active', firstName: 'Ada', lastName: 'Lindqvist', email: 'Ada@Example.com' });
  ids.code = ada.referralCode;
  ids.affiliate = ada.id;
  await service.request('PATCH', `${service.program.path}/affiliates/${ada.id}`, { body: { vanitySlug: 'calm-ada' } });
  ids.coupon = (await aCoupon(service, { affiliateId: ada.id, code: 'CALM10' })).id;
  ids.product = await aProduct(service, { name: 'Stoneware Teapot', sku: 'TP-1' });
  ids.page = (await aPage(service, ada.id, 'ada-favourites')).id;
  ids.order = (await anOrder(service, { orderId: 'FF-10023', affiliateId: ada.id, customer: { email: 'buyer@example.com' } })).id;
  const other = await anAffiliate(service, { status: 'active', firstName: 'Ada', lastName: 'Elsewhere' }, service.foreign);
  foreignOrder = (await anOrder(service, { orderId: 'FF-10023', affiliateId: other.id }, service.foreign)).id;
});
after(() => service.close());

/** What a text finds, as `kind id`. */
async function find(text: string): Promise<string[]> {
  const path = `/app/programs/${service.program.programId}/search?q=${encodeURIComponent(text)}`;
  const { status, body } = await viewer.request('GET', path);
  assert.equal(status, 200);
  return kinds.flatMap((kind) => body[kind].map((one: { id: string }) => `${kind} ${one.id}`));
}

describe('the search', () => {
  const cases: [text: () => string, found: string][] = [
    [() => 'lindq', 'affiliates affiliate'],
    [() => 'ADA@example.com', 'affiliates affiliate'],
    [() => (ids.code ?? '').toLowerCase(), 'affiliates affiliate'],
    [() => 'calm-ada', 'affiliates affiliate'],
    [() => ids.affiliate ?? '', 'affiliates affiliate'],
    [() => '10023', 'conversions order'],
    [() => 'buyer@example.com', 'conversions order'],
    [() => ids.order ?? '', 'conversions order'],
    [() => 'calm1', 'coupons coupon'],
    [() => 'teapot', 'products product'],
    [() => 'TP-1', 'products product'],
    [() => 'favour', 'pages page'],
  ];
  for (const [text, found] of cases)
    test(`finds ${found.split(' ')[0]}: ${found} by ${String(text).replace('() => ', '')}`, async () => {
      const [kind, name = ''] = found.split(' ');
      assert.deepEqual(await find(text()), [`${kind} ${ids[name]}`]);
    });

  test('takes wildcards literally and finds nothing of another program', async () => {
    assert.deepEqual(await find('%%%'), []);
    assert.deepEqual(await find(foreignOrder), []);
    assert.deepEqual(await find('elsewhere'), []);
  });

  test('a short text only finds what equals it', async () => {
    assert.deepEqual(await find('ad'), []);
    await anOrder(service, { orderId: 'A7', affiliateId: ids.affiliate });
    assert.equal((await find('a7')).length, 1);
  });

  test('lists at most five of a kind, exact matches first', async () => {
    for (let number = 0; number < 6; number += 1) await anOrder(service, { orderId: `FF-10023-${number}`, affiliateId: ids.affiliate });
    const found = (await find('ff-10023')).filter((one) => one.startsWith('conversions'));
    assert.deepEqual([found.length, found[0]], [5, `conversions ${ids.order}`]);
  });
});
