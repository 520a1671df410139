// Orders that stores send in other currencies than that of the program: they wait for their exchange rate, and refunds and
// disputes are in the currency of the order.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { connectStores, type TestStores } from '../../../test/support/stores/stores.ts';
import { shopifyOrder, shopifyRefund } from '../../connections/stores/examples/shopify.ts';
import { charge, session, stripeEvent } from '../../connections/stores/examples/stripe.ts';
import { checkInvariants } from '../../operations/verify/invariants.ts';

describe('an order of a store in another currency', () => {
  let service: TestService;
  let code = '';
  let stores: TestStores<'stripe' | 'shopify' | 'generic'>;
  before(async () => {
    service = await openTestService();
    await aRule(service);
    code = (await anAffiliate(service, { status: 'active' })).referralCode;
    stores = await connectStores(service, ['stripe', 'shopify', 'generic']);
  });
  after(() => service.close());

  const upload = async (rates: object[]) => {
    const answer = await service.request('POST', `${service.program.path}/exchange-rates`, { body: { rates } });
    assert.equal(answer.status, 200, answer.text);
    await service.drain();
  };
  const readStatus = async () => {
    const member = await service.asMember('viewer');
    const { status, body } = await member.request('GET', `/app/programs/${service.program.programId}/exchange-rate-status`);
    assert.equal(status, 200);
    return body;
  };
  const readOrder = async (orderId: string) => {
    const { body } = await service.request('GET', `${service.program.path}/conversions?orderId=${orderId}`);
    const [{ amountCents, refundedCents, exchange }] = body.conversions;
    return [amountCents, refundedCents, exchange.amountCents, exchange.rate];
  };

  test('fails its event while the program has no source of rates', async () => {
    const body = { orderId: 'off', amountCents: 3000, currency: 'EUR', referralCode: code };
    const event = await stores.deliver('generic', { id: 'off', topic: 'order.paid', body });
    assert.deepEqual([event.status, event.error], ['failed', 'Order off was rejected: currency must be USD, the currency of the program.']);
    const changed = await service.request('PATCH', service.program.path, { body: { exchangeRateSource: 'uploaded' } });
    assert.equal(changed.status, 200);
  });

  test('waits for its rate, with its refund, and both are applied when the rate is uploaded', async () => {
    const body = { orderId: 'waits', amountCents: 3000, currency: 'EUR', referralCode: code, items: [{ amountCents: 3000 }] };
    const order = { id: 'waits-1', topic: 'order.paid', body };
    const waiting = await stores.deliver('generic', order);
    assert.deepEqual([waiting.status, waiting.errorCode], ['waiting', 'exchange_rate_missing']);
    assert.match(waiting.error ?? '', /^Order waits waits: No exchange rate of EUR is stored for 2026-03-01 or the 7 days before\.$/);
    const refund = { id: 'waits-2', topic: 'order.refunded', body: { refundId: 'w', orderId: 'waits', amountCents: 1000 } };
    await stores.deliver('generic', refund);
    const store = stores.get('generic');
    const { body: coverage } = await service.request(
      'GET',
      `${service.program.path}/providers/${store.id}/coverage?occurredTo=2026-03-02T00:00:00Z`,
    );
    assert.deepEqual(
      coverage.missing.map(({ orderId, amountCents, currency }: Record<string, unknown>) => [orderId, amountCents, currency]).sort(),
      [
        ['off', 3000, 'EUR'],
        ['waits', 3000, 'EUR'],
      ],
    );
    const before = await readStatus();
    assert.deepEqual([before.waitingOrders, before.missing], [1, [{ currency: 'EUR', occurredOn: '2026-03-01', orders: 1 }]]);
    assert.deepEqual([before.source, before.isQuotedByEcb, before.lastQuotedOn, before.currencies], ['uploaded', true, null, []]);
    await upload([{ currency: 'EUR', quotedOn: '2026-02-27', rate: '1.0842' }]);
    const after = await readStatus();
    assert.deepEqual([after.waitingOrders, after.missing, after.lastQuotedOn, after.currencies], [0, [], '2026-02-27', ['EUR']]);
    assert.equal((await stores.readEvent('generic', order)).outcome?.status, 'credited');
    assert.equal((await stores.readEvent('generic', refund)).outcome?.status, 'refunded');
    assert.deepEqual(await readOrder('waits'), [3253, 1084, 3000, '1.0842']);
  });

  test('is refunded by units and by growing totals in its currency, and ends at exactly 0', async () => {
    await upload([{ currency: 'GBP', quotedOn: '2026-02-27', rate: '1.273951' }]);
    const note = { name: 'ref', value: code };
    const id = 6_000_301;
    await stores.deliver('shopify', {
      id: 's-1',
      topic: 'orders/paid',
      body: shopifyOrder({ id, currency: 'GBP', note_attributes: [note] }),
    });
    assert.deepEqual(await readOrder(String(id)), [50_066, 0, 39_300, '1.273951']);
    const units = shopifyRefund({
      id: id * 10,
      order_id: id,
      refund_line_items: [{ id: 1, line_item_id: 866550311766439, quantity: 1, subtotal: 98.25 }],
      transactions: [{ id: 1, kind: 'refund', status: 'success', amount: '98.25', currency: 'GBP' }],
    });
    await stores.deliver('shopify', { id: 's-2', topic: 'refunds/create', body: units });
    const [, refundedCents] = await readOrder(String(id));
    assert.ok(refundedCents > 12_400 && refundedCents < 12_600, `${refundedCents} of one unit`);
    const cancelled = shopifyOrder({ id, currency: 'GBP', note_attributes: [note], cancelled_at: '2026-03-01T08:00:00-05:00' });
    await stores.deliver('shopify', { id: 's-3', topic: 'orders/cancelled', body: cancelled });
    assert.deepEqual((await readOrder(String(id))).slice(0, 2), [50_066, 50_066]);
  });

  test('is refunded and disputed by gross amounts of its currency', async () => {
    const given = { id: 'cs_eur', currency: 'eur', payment_intent: 'pi_eur', metadata: { referralCode: code } };
    const message = (id: string, topic: string, object: Record<string, unknown>) => ({ id, topic, body: stripeEvent(id, topic, object) });
    await stores.deliver('stripe', message('evt_1', 'checkout.session.completed', session(given)));
    const [amountCents, , originalCents] = await readOrder('cs_eur');
    assert.equal(amountCents, Math.round(originalCents * 1.0842));
    for (const refunded of [1, 700, 2000]) {
      const object = charge({ id: 'ch_eur', payment_intent: 'pi_eur', currency: 'eur', amount: 2000, amount_refunded: refunded });
      await stores.deliver('stripe', message(`evt_r${refunded}`, 'charge.refunded', object));
    }
    assert.deepEqual((await readOrder('cs_eur')).slice(0, 2), [amountCents, amountCents]);
    assert.deepEqual(
      (await checkInvariants(service.ctx)).filter(({ broken }) => broken.length > 0),
      [],
    );
  });
});
