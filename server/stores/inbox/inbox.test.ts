// Events of external systems: only signed ones are accepted, each is stored encrypted and processed once.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { anAffiliate, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { aStore, getExternalId, type StoreMessage, storeNames, type TestStore } from '../../../test/support/stores/stores.ts';
import { signedHeaders } from '../../connections/rails/standard-webhooks.ts';
import { lemonSqueezyEvent, order as lemonSqueezyOrder } from '../../connections/stores/examples/lemon-squeezy.ts';
import { paddleEvent, transaction } from '../../connections/stores/examples/paddle.ts';
import { shopifyOrder } from '../../connections/stores/examples/shopify.ts';
import { charge, session, stripeEvent } from '../../connections/stores/examples/stripe.ts';
import { wooOrder } from '../../connections/stores/examples/woocommerce.ts';
import { retryEvents } from './process-events.ts';
import { getRejectionCounter } from './rejected-deliveries.ts';

describe('the inbox', () => {
  let service: TestService;
  let affiliate: { id: string; referralCode: string };
  const stores: Partial<Record<string, TestStore>> = {};
  before(async () => {
    service = await openTestService();
    await aRule(service);
    affiliate = await anAffiliate(service, { status: 'active' });
    for (const type of storeNames) stores[type] = await aStore(service, type);
  });
  after(() => service.close());

  const getStore = (type: string) => stores[type] ?? assert.fail(type);
  const paid = (type: string, id: string): StoreMessage => {
    const code = { metadata: { referralCode: affiliate.referralCode } };
    if (type === 'stripe') {
      const object = session({ id: `cs_${id}`, payment_intent: `pi_${id}`, ...code });
      return { id: `evt_${id}`, topic: 'checkout.session.completed', body: stripeEvent(`evt_${id}`, 'checkout.session.completed', object) };
    }
    const note = { name: 'ref', value: affiliate.referralCode };
    if (type === 'shopify') return { id, topic: 'orders/paid', body: shopifyOrder({ id: `8209${id}`, note_attributes: [note] }) };
    const meta = [{ key: 'trb_ref', value: affiliate.referralCode }];
    if (type === 'woocommerce') return { id, topic: 'order.created', body: wooOrder({ id: `72${id}`, meta_data: meta }) };
    if (type === 'paddle') {
      const data = transaction({ id: `txn_${id}`, custom_data: { ref: affiliate.referralCode } });
      return { id: `evt_p${id}`, topic: 'transaction.completed', body: paddleEvent(`evt_p${id}`, 'transaction.completed', data) };
    }
    if (type === 'lemon_squeezy') {
      const body = lemonSqueezyEvent('order_created', lemonSqueezyOrder(Number(id)), { ref: affiliate.referralCode });
      return { id, topic: 'order_created', body };
    }
    return { id, topic: 'order.paid', body: { orderId: `G-${id}`, amountCents: 4980, referralCode: affiliate.referralCode } };
  };
  const retryFor = async (hours: number) => {
    for (let past = 0; past < hours; past += 4) {
      service.clock.advance({ seconds: 4 * 3600 });
      await retryEvents.run(service.ctx, {}, { isLast: false });
    }
  };
  const countRows = async (table: string) => Number((await service.pool.query(`select count(*) from ${table}`)).rows[0].count);

  for (const type of storeNames) {
    test(`${type}: a valid event is stored once, accepted each time, and credited once`, async () => {
      const before = await countRows('conversions');
      const event = paid(type, '1');
      const responses = await Promise.all([1, 2, 3].map(() => getStore(type).send(event)));
      for (const { status, body } of responses) assert.deepEqual([status, body], [200, { received: 1 }]);
      await service.drain();
      await getStore(type).send(event);
      await service.drain();
      const events = await getStore(type).events();
      assert.deepEqual(
        events.map(({ status, outcome }) => [status, outcome?.status]),
        [['processed', 'credited']],
        JSON.stringify(events),
      );
      assert.equal(await countRows('conversions'), before + 1);
      assert.ok((await getStore(type).get()).lastEventAt);
    });

    test(`${type}: a changed byte, another secret or no signature is 401, and only counted`, async () => {
      const before = await countRows('provider_events');
      const event = paid(type, '2');
      const bytes = Buffer.from(JSON.stringify(type === 'generic' ? { type: event.topic, ...event.body } : event.body));
      const changed = Buffer.from(bytes);
      changed[changed.length - 3] = (changed[changed.length - 3] ?? 0) ^ 1;
      const foreign = await aStore(service, type, service.foreign);
      const noSignatures = {
        'stripe-signature': '',
        'x-shopify-hmac-sha256': '',
        'x-wc-webhook-signature': '',
        'webhook-signature': '',
        'paddle-signature': '',
        'x-signature': '',
      };
      const responses = [
        await getStore(type).send(event, { body: changed }),
        await getStore(type).send(event, { secret: foreign.secret }),
        await getStore(type).send(event, { headers: noSignatures }),
        await getStore(type).send(event, {
          headers: Object.fromEntries(
            Object.keys(noSignatures).map((name) => [name, name === 'paddle-signature' ? 'ts=1;h1=00' : 'v1=00,t=1']),
          ),
        }),
      ];
      for (const { status, body, headers } of responses) {
        assert.deepEqual([status, body.code], [401, 'bad_signature']);
        assert.equal(body.requestId, headers['x-request-id']);
      }
      assert.equal(await countRows('provider_events'), before);
      await getRejectionCounter(service.ctx).flush();
      const { rows } = await service.pool.query('select sum(deliveries) as sum from rejected_deliveries where provider_id = $1', [
        getStore(type).id,
      ]);
      assert.equal(Number(rows[0].sum), 4);
      assert.match(String((await getStore(type).get()).lastError), /rejected/);
      assert.equal((await getStore(type).get()).status, 'connected');
    });
  }

  for (const type of ['stripe', 'paddle', 'generic']) {
    test(`${type}: a delivery signed more than five minutes ago or ahead is 401`, async () => {
      for (const seconds of [-301, 301]) {
        const at = new Date(service.clock.now().getTime() + seconds * 1000);
        assert.equal((await getStore(type).send(paid(type, '3'), { at })).status, 401, `${seconds}`);
      }
      const at = new Date(service.clock.now().getTime() - 299_000);
      assert.equal((await getStore(type).send(paid(type, '4'), { at })).status, 200);
    });
  }

  test('an unknown, malformed or archived provider id is 404 with one body, for every method', async () => {
    const gone = await aStore(service, 'generic');
    await service.request('PATCH', `${service.program.path}/providers/${gone.id}`, { body: { status: 'archived' } });
    const responses = await Promise.all([
      service.request('POST', `/v1/providers/${service.ctx.ids.uuid()}/events`, { body: '{}', key: null }),
      service.request('POST', '/v1/providers/x/events', { body: '{}', key: null }),
      gone.send(paid('generic', '9')),
    ]);
    for (const { status } of responses) assert.equal(status, 404);
    assert.equal(new Set(responses.map(({ text }) => text.replace(/"requestId":"[^"]*"/, ''))).size, 1);
    assert.equal((await service.request('GET', `/v1/providers/${gone.id}/events`, { key: null })).status, 404);
  });

  test("WooCommerce's unsigned first request is accepted and not stored; other unsigned forms are rejected", async () => {
    const before = await countRows('provider_events');
    const post = (body: string) =>
      service.request('POST', `/v1/providers/${getStore('woocommerce').id}/events`, {
        body: Buffer.from(body),
        key: null,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
    assert.deepEqual([(await post('webhook_id=17')).status, (await post('webhook_id=17')).body], [200, { received: 0 }]);
    assert.equal((await post('webhook_id=17&x=1')).status, 401);
    assert.equal(await countRows('provider_events'), before);
  });

  test('two WooCommerce orders with the same delivery id are two events', async () => {
    await service.drain();
    const before = await countRows('conversions');
    for (const id of ['61', '62']) await getStore('woocommerce').send({ ...paid('woocommerce', id), id: 'of-one-second' });
    await service.drain();
    assert.equal(await countRows('conversions'), before + 2);
  });

  test('a body over 1 MB is 413; one that is not an event is 400, but only with a valid signature', async () => {
    const large = { ...paid('generic', '5'), body: { orderId: 'x', note: 'x'.repeat(1024 * 1024) } };
    assert.equal((await getStore('generic').send(large)).status, 413);
    const text = Buffer.from('not json');
    const headers = { 'x-shopify-hmac-sha256': createHmac('sha256', getStore('shopify').secret).update(text).digest('base64') };
    const answer = await getStore('shopify').send(paid('shopify', '5'), { body: text, headers });
    assert.deepEqual([answer.status, answer.body.code], [400, 'malformed_event']);
    assert.deepEqual(answer.body.details, [{ path: [], message: 'must be valid JSON' }]);
    const unsigned = await getStore('shopify').send(paid('shopify', '5'), { body: text, headers: {} });
    assert.deepEqual([unsigned.status, unsigned.body.code], [401, 'bad_signature']);
  });

  test('a refund that arrives before its order waits, and is processed when the order arrives', async () => {
    const refund = charge({ id: 'ch_w', payment_intent: 'pi_w', amount_refunded: 1000 });
    await getStore('stripe').send({ id: 'evt_r', topic: '', body: stripeEvent('evt_r', 'charge.refunded', refund) });
    await service.drain();
    const refundEvent = async () => (await getStore('stripe').events()).find(({ externalId }) => externalId === 'evt_r');
    assert.equal((await refundEvent())?.status, 'waiting');
    await getStore('stripe').send(paid('stripe', 'w'));
    await service.drain();
    const done = await refundEvent();
    assert.deepEqual([done?.status, done?.outcome?.status], ['processed', 'refunded']);
    const { rows } = await service.pool.query(`select amount_cents, refunded_cents from conversions where order_id = 'cs_w'`);
    assert.deepEqual(
      rows.map((row) => [Number(row.amount_cents), Number(row.refunded_cents)]),
      [[1500, 750]],
    );
  });

  test('an event whose order never arrives is attempted with growing delays, and fails after three days', async () => {
    const refund = charge({ id: 'ch_never', payment_intent: 'pi_never', amount_refunded: 1000 });
    await getStore('stripe').send({ id: 'evt_never_r', topic: '', body: stripeEvent('evt_never_r', 'charge.refunded', refund) });
    await service.drain();
    const find = async () => (await getStore('stripe').events()).find(({ externalId }) => externalId === 'evt_never_r');
    await retryFor(80);
    const given = await find();
    assert.deepEqual([given?.status, given?.error], ['failed', 'The order of this event never arrived.']);
    const { status, lastError } = await getStore('stripe').get();
    assert.deepEqual([status, lastError], ['needs_attention', 'charge.refunded: The order of this event never arrived.']);
    await getStore('stripe').send(paid('stripe', 'never'));
    await service.drain();
    const late = await find();
    assert.deepEqual([late?.status, late?.outcome?.status, late?.error], ['processed', 'refunded', null]);
  });

  test('a refund before its order also waits while the provider is disabled for days', async () => {
    const disabled = await aStore(service, 'stripe');
    const setStatus = (status: string) =>
      service.request('PATCH', `${service.program.path}/providers/${disabled.id}`, { body: { status } });
    assert.equal((await setStatus('disabled')).status, 200);
    const refund = charge({ id: 'ch_off', payment_intent: 'pi_off', amount_refunded: 1000 });
    await disabled.send({ id: 'evt_off_r', topic: '', body: stripeEvent('evt_off_r', 'charge.refunded', refund) });
    service.clock.advance({ seconds: 1 });
    await disabled.send(paid('stripe', 'off'));
    await service.drain();
    service.clock.advance({ days: 4 });
    await setStatus('connected');
    await retryEvents.run(service.ctx, {}, { isLast: false });
    const events = (await disabled.events()).map(({ externalId, status, outcome }) => [externalId, status, outcome?.status]);
    assert.deepEqual(events.toSorted(), [
      ['evt_off', 'processed', 'credited'],
      ['evt_off_r', 'processed', 'refunded'],
    ]);
    assert.equal((await disabled.get()).status, 'connected');
  });

  test('events of a payout provider are verified by their signature, stored once, and applied', async () => {
    const body = { type: 'external_webhook', name: 'Payouts', config: { url: 'http://127.0.0.1:9/pay' } };
    const created = await service.request('POST', `${service.program.path}/providers`, { body });
    const { id, generatedSecrets } = created.body;
    const sent = JSON.stringify({ type: 'payout.paid', reference: 'unknown-payment' });
    const deliver = (secret: string, event: string) => {
      const headers = { 'content-type': 'application/json', ...signedHeaders(secret, event, service.clock.now(), sent) };
      return service.request('POST', `/v1/providers/${id}/events`, { body: sent, key: null, headers });
    };
    assert.equal((await deliver(getStore('generic').secret, 'rail-1')).status, 401);
    for (let time = 0; time < 2; time += 1)
      assert.deepEqual((await deliver(generatedSecrets.signingSecret, 'rail-1')).body, { received: 1 });
    await service.drain();
    const list = await service.request('GET', `${service.program.path}/provider-events?providerId=${id}`);
    const events = list.body.providerEvents;
    assert.deepEqual(
      events.map(({ topic, status, outcome }: Record<string, unknown>) => [topic, status, outcome]),
      [['payout.paid', 'processed', { status: 'applied' }]],
    );
  });

  test('the cancellation of an order that was never paid waits too, and is then ignored', async () => {
    const cancelled = wooOrder({ id: 99_999, status: 'cancelled', date_paid_gmt: null });
    const sent = { id: 'never-paid', topic: 'order.updated', body: cancelled };
    await getStore('woocommerce').send(sent);
    await service.drain();
    const find = async () =>
      (await getStore('woocommerce').events()).find(({ externalId }) => externalId === getExternalId('woocommerce', sent));
    assert.equal((await find())?.status, 'waiting');
    await retryFor(80);
    assert.equal((await find())?.status, 'ignored');
    assert.equal((await getStore('woocommerce').get()).status, 'connected');
  });

  test('an order in another currency fails with a clear message, and the provider needs attention', async () => {
    const event = paid('generic', 'eur');
    await getStore('generic').send({ ...event, body: { ...event.body, currency: 'EUR' } });
    await service.drain();
    const found = (await getStore('generic').events()).find(({ externalId }) => externalId === 'eur');
    assert.deepEqual(
      [found?.status, found?.error],
      ['failed', 'Order G-eur was rejected: currency must be USD, the currency of the program.'],
    );
    assert.equal((await getStore('generic').get()).status, 'needs_attention');
  });

  test('no table and no log line contains a payload, customer or secret in plain text', async () => {
    const { rows } = await service.pool.query(
      `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    );
    const secret = ['jenny.rosen', 'john.doe@example', ...Object.values(stores).flatMap((one) => one?.secret ?? [])];
    const texts = secret.flatMap((text) => [text, Buffer.from(text).toString('hex')]);
    for (const { name } of rows) {
      const found = await service.pool.query(
        `select 1 from ${name} as one where exists (select 1 from unnest($1::text[]) as secret where one::text like '%' || secret || '%')`,
        [texts],
      );
      assert.equal(found.rows.length, 0, `${name} contains it`);
    }
    for (const text of secret) assert.ok(!service.log.some((line) => line.includes(text)));
  });
});
