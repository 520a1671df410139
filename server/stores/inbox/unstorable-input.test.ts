// Values that can't be stored, in events: NUL, lone surrogates, repeated keys, excessive sizes. None is retried.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { anAffiliate, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { aStore, type TestStore } from '../../../test/support/stores/stores.ts';
import { signedHeaders } from '../../connections/rails/standard-webhooks.ts';
import { shopifyOrder } from '../../connections/stores/examples/shopify.ts';
import { session, stripeEvent } from '../../connections/stores/examples/stripe.ts';
import { wooOrder } from '../../connections/stores/examples/woocommerce.ts';

let service: TestService;
let referralCode: string;
const stores: Record<string, TestStore> = {};
before(async () => {
  service = await openTestService();
  await aRule(service);
  ({ referralCode } = await anAffiliate(service, { status: 'active' }));
  for (const type of ['stripe', 'shopify', 'woocommerce', 'generic'] as const) stores[type] = await aStore(service, type);
});
after(() => service.close());

const getStore = (type: string) => stores[type] ?? assert.fail(type);
const orderIdsLike = async (form: string) =>
  (await service.pool.query('select order_id from conversions where order_id like $1', [form])).rows.map((row) => row.order_id);
const lastEvent = async (type: string) => (await getStore(type).events())[0] ?? assert.fail('no event');

/** A body of a custom store, signed byte by byte. */
function signed(type: string, bytes: Buffer, id: string) {
  const at = String(Math.floor(service.clock.now().getTime() / 1000));
  const key = Buffer.from(getStore(type).secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${at}.`).update(bytes).digest('base64');
  return { body: bytes, headers: { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': `v1,${signature}` } };
}

describe('a signed store event with text that PostgreSQL rejects is repaired and credited immediately', () => {
  for (const [what, odd] of [
    ['a lone surrogate', 'Te\ud83d'],
    ['NUL', 'Te\0a'],
    ['an invisible character', 'T\u200be\u202ea'],
  ] as const)
    test(`${what}: stripe, shopify, woocommerce, generic`, async () => {
      const tag = what.replaceAll(' ', '');
      const note = { name: 'ref', value: referralCode };
      const object = session({ id: `cs_${tag}`, payment_intent: `pi_${tag}`, metadata: { referralCode, note: odd, [odd]: odd } });
      await getStore('stripe').send({
        id: `evt_${tag}`,
        topic: 'checkout.session.completed',
        body: stripeEvent(`evt_${tag}`, 'checkout.session.completed', object),
      });
      const line = { id: 1, product_id: 2, sku: odd, title: odd, quantity: 1, price: '900.00' };
      const id = String(odd.codePointAt(2)) + odd.length;
      await getStore('shopify').send({
        id: `s-${tag}`,
        topic: 'orders/paid',
        body: shopifyOrder({ id: `82${id}`, note_attributes: [note, { name: odd, value: odd }], line_items: [line] }),
      });
      const meta = [
        { key: 'trb_ref', value: referralCode },
        { key: odd, value: odd },
      ];
      await getStore('woocommerce').send({ id: `w-${tag}`, topic: 'order.created', body: wooOrder({ id: `72${id}`, meta_data: meta }) });
      const body = { orderId: `G-${tag}`, amountCents: 4980, referralCode, metadata: { gift: odd, [odd]: [odd] } };
      const items = [{ name: odd, sku: odd, amountCents: 4980 }];
      await getStore('generic').send({ id: `g-${tag}`, topic: 'order.paid', body: { ...body, items } });
      await service.drain();
      for (const type of Object.keys(stores)) {
        const { status, error } = await lastEvent(type);
        assert.deepEqual([type, status, error], [type, 'processed', null]);
      }
      assert.deepEqual(await orderIdsLike(`G-${tag}`), [`G-${tag}`]);
    });
});

describe('a signed event that can never be stored is rejected or fails immediately, without retries', () => {
  test('a repeated key, whose meaning is unclear', async () => {
    const text = JSON.stringify({ type: 'order.paid', orderId: 'G-twice', amountCents: 100 });
    const bytes = Buffer.from(text.replace('"amountCents":100', '"amountCents":100,"amountCents":9000'));
    const { headers, body } = signed('generic', bytes, 'twice');
    const answer = await getStore('generic').send({ id: 'twice', topic: '', body: {} }, { headers, body });
    assert.deepEqual([answer.status, answer.body.code], [400, 'malformed_event']);
  });

  test('nesting that would exhaust the stack', async () => {
    const bytes = Buffer.from(
      `{"type":"order.paid","orderId":"G-deep","amountCents":1,"metadata":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
    );
    const { headers, body } = signed('generic', bytes, 'deep');
    const answer = await getStore('generic').send({ id: 'deep', topic: '', body: {} }, { headers, body });
    assert.deepEqual([answer.status, answer.body.code], [400, 'malformed_event']);
  });

  const huge = 'x'.repeat(9000);
  for (const [what, topic, body] of [
    ['an order id of 9,000 characters', 'order.paid', { orderId: huge, amountCents: 100 }],
    ['a refund id of 9,000 characters', 'order.refunded', { orderId: 'G-NUL', refundId: huge, amountCents: 100 }],
    ['a refund with an unknown reason', 'order.refunded', { orderId: 'G-NUL', refundId: 'r1', reason: 'because' }],
    ['a refund of invalid items', 'order.refunded', { orderId: 'G-NUL', refundId: 'r2', items: [{ productId: 7 }] }],
    ['an amount beyond the largest', 'order.edited', { orderId: 'G-NUL', amountCents: 9_007_199_254_740_991 }],
    ['a disputed amount beyond the largest', 'dispute.opened', { orderId: 'G-NUL', disputeId: 'd', amountCents: 9_007_199_254_740_991 }],
  ] as const)
    test(what, async () => {
      await getStore('generic').send({ id: `bad-${what}`, topic, body });
      await service.drain();
      assert.equal((await lastEvent('generic')).status, 'failed');
    });

  test('ids of 9,000 characters in an event of Stripe', async () => {
    const object = session({ id: `cs_${huge}`, payment_intent: `pi_${huge}`, metadata: { referralCode } });
    await getStore('stripe').send({
      id: 'evt_long',
      topic: 'checkout.session.completed',
      body: stripeEvent('evt_long', 'checkout.session.completed', object),
    });
    await service.drain();
    assert.equal((await lastEvent('stripe')).status, 'failed');
  });

  test('an invalid time', async () => {
    const body = { ...stripeEvent('evt_time', 'customer.created', { id: 'cus_1' }), created: 1e15 };
    assert.equal((await getStore('stripe').send({ id: 'evt_time', topic: 'customer.created', body })).status, 200);
  });
});

test('an event of a payout provider with NUL and a lone surrogate is stored repaired', async () => {
  const created = await service.request('POST', `${service.program.path}/providers`, {
    body: { type: 'external_webhook', name: 'Rail', config: { url: 'http://127.0.0.1:9/pay' } },
  });
  const { id, generatedSecrets } = created.body;
  const body = JSON.stringify({ type: 'payout.paid\0\ud800', reference: 'ext\ud800_1', payoutId: '\0' });
  const headers = {
    'content-type': 'application/json',
    ...signedHeaders(generatedSecrets.signingSecret, 'odd-1', service.clock.now(), body),
  };
  const { status, text } = await service.request('POST', `/v1/providers/${id}/events`, { body, key: null, headers });
  assert.equal(status, 200, text);
  await service.drain();
  const list = await service.request('GET', `${service.program.path}/provider-events?providerId=${id}`);
  const events = list.body.providerEvents;
  assert.deepEqual([events[0].topic, events[0].status], ['payout.paid\ufffd', 'processed']);
});
