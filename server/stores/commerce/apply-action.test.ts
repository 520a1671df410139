// Applying actions that overlap, repeat or exceed what the API accepts.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { connectStores, type StoreMessage, type TestStores } from '../../../test/support/stores/stores.ts';
import { shopifyOrder, shopifyRefund } from '../../connections/stores/examples/shopify.ts';
import { charge, invoice, session, stripeEvent } from '../../connections/stores/examples/stripe.ts';

describe('actions of a store', () => {
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

  const readAmounts = async (orderId: string) => {
    const { rows } = await service.pool.query(`select amount_cents, refunded_cents from conversions where order_id = $1`, [orderId]);
    return rows.map((row) => [Number(row.amount_cents), Number(row.refunded_cents)]);
  };

  test('a refunded unit of an order with too many items refunds its amount, not the whole order', async () => {
    const id = 6_000_201;
    const items = Array.from({ length: 201 }, (_, index) => ({ id: index + 1, quantity: 1, price: '1.00', title: `Tea ${index}` }));
    const note = { name: 'ref', value: code };
    const prices = { subtotal_price: '201.00', total_price: '201.00', total_tax: '0.00', total_discounts: '0.00', discount_codes: [] };
    const order = shopifyOrder({ id, ...prices, line_items: items, note_attributes: [note], customer: null, email: null });
    await stores.deliver('shopify', { id: 'many-1', topic: 'orders/paid', body: order });
    const back = shopifyRefund({
      id: id * 10,
      order_id: id,
      refund_line_items: [{ id: 1, line_item_id: 1, quantity: 1, subtotal: 1 }],
      transactions: [{ id: 1, kind: 'refund', status: 'success', amount: '1.00', currency: 'USD' }],
    });
    await stores.deliver('shopify', { id: 'many-2', topic: 'refunds/create', body: back });
    assert.deepEqual(await readAmounts(String(id)), [[20_100, 100]]);
  });

  describe('a checkout and its invoice are one order', () => {
    const buildMessage = (id: string, topic: string, object: Record<string, unknown>): StoreMessage => ({
      id,
      topic,
      body: stripeEvent(id, topic, object),
    });
    const checkout = (n: number, given = {}) =>
      buildMessage(`evt_cs_${n}`, 'checkout.session.completed', session({ id: `cs_one_${n}`, payment_intent: `pi_one_${n}`, ...given }));
    const paid = (n: number, given = {}) => {
      const amounts = { amount_paid: 2000, total: 2000, total_excluding_tax: 1850, shipping_cost: { amount_subtotal: 350 } };
      const object = invoice({ id: `in_one_${n}`, ...amounts, parent: null, payment_intent: `pi_one_${n}`, ...given });
      return buildMessage(`evt_in_${n}`, 'invoice.paid', object);
    };
    const refunded = (n: number) =>
      buildMessage(`evt_ch_${n}`, 'charge.refunded', charge({ id: `ch_one_${n}`, payment_intent: `pi_one_${n}`, amount_refunded: 1000 }));
    const signals = () => ({ metadata: { referralCode: code } });

    test('when the checkout arrives first, without an invoice id', async () => {
      assert.equal((await stores.deliver('stripe', checkout(1, signals()))).outcome?.status, 'credited');
      assert.equal((await stores.deliver('stripe', paid(1, signals()))).outcome?.status, 'duplicate');
      await stores.deliver('stripe', refunded(1));
      assert.deepEqual([await readAmounts('cs_one_1'), await readAmounts('in_one_1')], [[[1500, 750]], []]);
    });

    test('when the invoice arrives first', async () => {
      assert.equal((await stores.deliver('stripe', paid(2, signals()))).outcome?.status, 'credited');
      assert.equal((await stores.deliver('stripe', checkout(2, signals()))).outcome?.status, 'duplicate');
      await stores.deliver('stripe', refunded(2));
      assert.deepEqual([await readAmounts('cs_one_2'), await readAmounts('in_one_2')], [[], [[1500, 750]]]);
    });

    test('when the invoice arrives first without signals, the checkout supplies them', async () => {
      const withoutCustomer = { customer: null, customer_email: null };
      assert.equal((await stores.deliver('stripe', paid(3, withoutCustomer))).outcome?.status, 'unattributed');
      assert.equal(
        (await stores.deliver('stripe', checkout(3, { ...signals(), customer: null, customer_details: null }))).outcome?.status,
        'credited',
      );
      await stores.deliver('stripe', refunded(3));
      assert.deepEqual([await readAmounts('cs_one_3'), await readAmounts('in_one_3')], [[], [[1500, 750]]]);
    });
  });

  test('a refund delivered again under another event id changes nothing and is not an error', async () => {
    const order = { orderId: 'again-1', amountCents: 3000, referralCode: code, items: [{ quantity: 3, amountCents: 3000 }] };
    await stores.deliver('generic', { id: 'again-a', topic: 'order.paid', body: order });
    const refund = { refundId: 'again-r', orderId: 'again-1', items: [{ position: 0, amountCents: 2000 }] };
    assert.equal((await stores.deliver('generic', { id: 'again-b', topic: 'order.refunded', body: refund })).outcome?.status, 'refunded');
    const again = await stores.deliver('generic', { id: 'again-c', topic: 'order.refunded', body: refund });
    assert.deepEqual([again.status, again.outcome?.status, again.error], ['processed', 'unchanged', null]);
    assert.equal((await stores.get('generic').get()).status, 'connected');
    assert.deepEqual(await readAmounts('again-1'), [[3000, 2000]]);
  });

  test('a dispute lost without an amount reverses the amount it was opened with', async () => {
    await stores.deliver('generic', {
      id: 'part-1',
      topic: 'order.paid',
      body: { orderId: 'part-1', amountCents: 10_000, referralCode: code },
    });
    const disputed = { orderId: 'part-1', disputeId: 'part-d' };
    await stores.deliver('generic', { id: 'part-2', topic: 'dispute.opened', body: { ...disputed, amountCents: 4000 } });
    await stores.deliver('generic', { id: 'part-3', topic: 'dispute.lost', body: disputed });
    assert.deepEqual(await readAmounts('part-1'), [[10_000, 4000]]);
  });

  test('an order that cost nothing is reversed when it is cancelled, refunded or disputed', async () => {
    const { path, programId } = service.program;
    await service.request('PATCH', path, { body: { commissionCapPercent: null } });
    const flo = await anAffiliate(service, { status: 'active' });
    const override = { commissionOverrideType: 'flat', commissionOverrideRate: 500 };
    await service.request('PATCH', `${path}/affiliates/${flo.id}`, { body: override });
    const endings = [
      ['order.cancelled', {}],
      ['order.refunded', { refundId: 'free-r' }],
      ['dispute.lost', { disputeId: 'free-d', amountCents: 900 }],
    ] as const;
    for (const [topic, given] of endings) {
      const orderId = `free-${topic}`;
      await stores.deliver('generic', {
        id: orderId,
        topic: 'order.paid',
        body: { orderId, amountCents: 0, referralCode: flo.referralCode },
      });
      const { outcome, error } = await stores.deliver('generic', { id: `${orderId}-end`, topic, body: { orderId, ...given } });
      assert.equal(error, null, JSON.stringify(outcome));
    }
    const { rows } = await service.pool.query(
      `select status, reversed_cents from commissions where program_id = $1 and affiliate_id = $2`,
      [programId, flo.id],
    );
    assert.deepEqual(rows, Array(3).fill({ status: 'reversed', reversed_cents: 500 }));
  });

  test('a dispute of another order fails immediately with a message', async () => {
    for (const orderId of ['disputed-1', 'disputed-2'])
      await stores.deliver('generic', { id: orderId, topic: 'order.paid', body: { orderId, amountCents: 1000, referralCode: code } });
    const disputed = (orderId: string) => ({ id: `d-${orderId}`, topic: 'dispute.opened', body: { orderId, disputeId: 'disputed-d' } });
    assert.equal((await stores.deliver('generic', disputed('disputed-1'))).outcome?.status, 'disputed');
    const other = await stores.deliver('generic', disputed('disputed-2'));
    assert.deepEqual(
      [other.status, other.error],
      ['failed', 'Dispute disputed-d was rejected: orderId must be the order that this dispute was reported for.'],
    );
  });
});
