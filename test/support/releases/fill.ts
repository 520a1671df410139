// What the database of a release contains: a row of most kinds, made through the API of that release.
import assert from 'node:assert/strict';
import type { Installation } from '../operator.ts';

/** What a later version must still answer about the database of a release. */
export type Expected = {
  release: string;
  programId: string;
  apiKey: string;
  orderId: string;
  /** A GET of each path returned this. Fields that were added since are ignored. */
  answers: Record<string, unknown>;
};

const reads = [
  '',
  'affiliates?limit=50',
  'conversions?limit=50',
  'commissions?limit=50',
  'commission-rules',
  'products?limit=50',
  'groups',
  'coupons?limit=50',
  'payouts?limit=50',
  'providers',
  'webhooks',
  'landing-pages/ada',
];

/** Fills the program of an installation and reads it back. */
export async function fillRelease({ asService: service }: Installation, release: string): Promise<Expected> {
  const { program, request } = service;
  const post = async (path: string, body: object) => {
    const answer = await request('POST', path.startsWith('/') ? path : `${program.path}/${path}`, { body });
    assert.ok(answer.status < 300, `${path}: ${answer.text}`);
    return answer.body;
  };
  assert.equal((await request('PATCH', program.path, { body: { holdDays: 0, minimumPayoutCents: 0 } })).status, 200);
  const group = await post('groups', { name: 'Partners', rate: 12, commissionType: 'percentage' });
  const product = await post('products', { name: 'Vase', priceCents: 4900, checkoutUrl: 'https://shop.example/vase' });
  await post('commission-rules', { name: 'All orders', type: 'percentage', rate: 10 });
  await post('commission-rules', { name: 'Vase', type: 'flat', amountCents: 500, productId: product.id });
  await post('providers', { type: 'manual', name: 'Bank' });
  await post('webhooks', { url: 'http://127.0.0.1:9/hook', eventTypes: ['affiliate.created', 'refund.created'] });
  const [ada, ben] = [await invite('ada'), await invite('ben')];
  assert.equal((await request('PATCH', `${program.path}/affiliates/${ada.id}`, { body: { groupId: group.id } })).status, 200);
  await post('coupons', { code: 'ADA10', affiliateId: ada.id });
  await post('landing-pages/ada', { affiliateId: ada.id, pageTitle: 'Favourites of Ada' });
  for (const [index, affiliate] of [ada, ben, ada, ben].entries()) {
    await post('/v1/conversions', { orderId: `order-${index}`, amountCents: 10_000 + index, referralCode: affiliate.referralCode });
  }
  await post('/v1/conversions', {
    orderId: 'vase',
    amountCents: 9800,
    couponCode: 'ADA10',
    items: [{ productId: product.id, quantity: 2, amountCents: 9800 }],
  });
  await post('/v1/refunds', { orderId: 'order-1', amountCents: 2500, refundId: 'refund-1' });
  const { payouts } = await post('payouts/dispatch', {});
  await post(`payouts/${payouts[0].id}/mark-paid`, { reference: 'BANK-1' });
  await post('/v1/conversions', { orderId: 'after-the-payout', amountCents: 7700, referralCode: ada.referralCode });

  const answers: Expected['answers'] = {};
  for (const path of [...reads, `affiliates/${ada.id}/balance`, `affiliates/${ben.id}/balance`]) {
    const url = path === '' ? program.path : `${program.path}/${path}`;
    const answer = await request('GET', url);
    assert.equal(answer.status, 200, `${url}: ${answer.text}`);
    answers[url] = answer.body;
  }
  return { release, programId: program.programId, apiKey: program.key, orderId: 'order-0', answers };

  async function invite(name: string): Promise<{ id: string; referralCode: string }> {
    const person = { email: `${name}@example.com`, firstName: name, lastName: 'Example', autoApprove: true, sendInvite: false };
    const affiliate = await post('affiliates', person);
    await post(`affiliates/${affiliate.id}/payout-details`, { method: 'paypal', email: `${name}@example.com` });
    return affiliate;
  }
}
