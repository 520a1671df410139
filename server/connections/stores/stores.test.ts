// How each store's events are parsed, on the payloads that the stores document.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { shopifyOrder, shopifyRefund } from './examples/shopify.ts';
import { charge, dispute, invoice, session, stripeEvent } from './examples/stripe.ts';
import { wooOrder } from './examples/woocommerce.ts';
import { generic } from './generic.ts';
import { shopify } from './shopify.ts';
import type { OrderAction, StoreAction } from './store.ts';
import { stripe } from './stripe.ts';
import { woocommerce } from './woocommerce.ts';

const live = { config: {}, isLive: true };
const clickId = '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f';

function findOrder(actions: readonly StoreAction[]): OrderAction {
  const order = actions.find((action): action is OrderAction => action.kind === 'order');
  return order ?? assert.fail('no order');
}

describe('Stripe', () => {
  const parse = (type: string, object: Record<string, unknown>, given = {}) =>
    stripe.parseEvent(type, stripeEvent('evt_1', type, object, given), live);
  const parseCheckout = (given = {}) => parse('checkout.session.completed', session(given));

  test('a paid checkout is an order without tax and shipping, after discounts', () => {
    const { subject, actions } = parseCheckout({ client_reference_id: clickId });
    const { order, signals, references, grossCents } = findOrder(actions);
    assert.equal(subject, 'cs_live_a11');
    assert.deepEqual([order.orderId, order.amountCents, order.currency, grossCents], ['cs_live_a11', 1500, 'USD', 2000]);
    assert.deepEqual([order.taxCents, order.shippingCents, order.discountCents], [150, 350, 500]);
    assert.deepEqual(order.customer, { externalId: 'cus_9s6XKzkNRiz8i3', email: 'jenny.rosen@example.com', country: 'US' });
    assert.equal(order.occurredAt, '2026-03-01T09:58:20.000Z');
    assert.deepEqual([signals, references], [{ clickId }, ['cs_live_a11', 'pi_1EUmyo2x6R10KRrhUuJXu9m0']]);
  });

  test('signals: metadata takes precedence over the free field, and coupons and promotion codes are included', () => {
    const metadata = {
      trb_click_id: clickId,
      affiliateId: clickId,
      couponCode: ' ADA20 ',
      referral_code: 'ADA',
      orderId: 'FF-1',
      note: 'x',
    };
    const discounts = [{ coupon: 'co_1', promotion_code: 'promo_1' }];
    const { signals, order } = findOrder(parseCheckout({ metadata, client_reference_id: 'cart-77', discounts }).actions);
    const expected = { clickId, affiliateId: clickId, couponCode: 'ADA20', referralCode: 'ADA', couponIds: ['promo_1', 'co_1'] };
    assert.deepEqual(signals, expected);
    assert.equal(order.orderId, 'FF-1');
    const invalid = { affiliateId: 'not-an-id', clickId: 'x'.repeat(101) };
    assert.deepEqual(findOrder(parseCheckout({ metadata: invalid }).actions).signals, {});
  });

  test('an unpaid checkout, a setup, a test event and other topics are ignored with the reason', () => {
    assert.equal(parseCheckout({ payment_status: 'unpaid' }).ignored, 'not_paid');
    assert.equal(parseCheckout({ mode: 'setup' }).ignored, 'nothing_charged');
    assert.equal(parse('checkout.session.completed', session(), { livemode: false }).ignored, 'test_event');
    assert.equal(parse('customer.created', { id: 'cus_1' }).ignored, 'unsupported_topic');
    assert.equal(parse('invoice.paid', invoice({ amount_paid: 0, total: 0 })).ignored, 'not_paid');
  });

  test('a subscription checkout stores its signals, and the invoice is the order in old and new API versions', () => {
    const started = parseCheckout({ mode: 'subscription', subscription: 'sub_1', invoice: 'in_1', metadata: { ref: 'ADA' } });
    assert.deepEqual(
      started.actions.map((action) => (action.kind === 'signals' ? [action.reference, action.signals] : action.kind)),
      [
        ['sub_1', { referralCode: 'ADA' }],
        ['in_1', { referralCode: 'ADA' }],
      ],
    );
    const newVersion = findOrder(parse('invoice.paid', invoice()).actions);
    const oldFields = invoice({
      parent: undefined,
      subscription: 'sub_1MtHbELkdIwHu7ix',
      total_taxes: undefined,
      total_excluding_tax: undefined,
      tax: 300,
    });
    const oldVersion = findOrder(parse('invoice.paid', { ...oldFields, payment_intent: 'pi_1', charge: { id: 'ch_1' } }).actions);
    for (const { order, signalReferences, grossCents } of [newVersion, oldVersion]) {
      assert.deepEqual([order.orderId, order.amountCents, grossCents], ['in_1MtHbELkdIwHu7ixl4OzzPMv', 3000, 3300]);
      assert.deepEqual(order.subscription, { externalId: 'sub_1MtHbELkdIwHu7ix' });
      assert.ok(signalReferences.includes('sub_1MtHbELkdIwHu7ix'));
    }
    assert.deepEqual(oldVersion.references, ['in_1MtHbELkdIwHu7ixl4OzzPMv', 'pi_1', 'ch_1']);
  });

  test('a checkout and its own invoice are one order', () => {
    const checkout = findOrder(parseCheckout({ invoice: 'in_9', metadata: { orderId: 'other' } }).actions);
    const paid = findOrder(parse('invoice.paid', invoice({ id: 'in_9', parent: null })).actions);
    assert.equal(checkout.order.orderId, paid.order.orderId);
  });

  test('a refunded charge states the total refunded, and a dispute its outcome', () => {
    assert.deepEqual(parse('charge.refunded', charge({ amount_refunded: 500 })).actions, [
      {
        kind: 'refund_total',
        references: ['pi_1EUmyo2x6R10KRrhUuJXu9m0', 'ch_3MmlLrLkdIwHu7ix0snN0B15'],
        source: 'stripe:ch_3MmlLrLkdIwHu7ix0snN0B15',
        refundedCents: 500,
        grossCents: 2000,
      },
    ]);
    const getStatus = (topic: string, given = {}) => {
      const [action] = parse(topic, dispute(given)).actions;
      return action?.kind === 'dispute' ? action.status : null;
    };
    assert.equal(getStatus('charge.dispute.created'), 'opened');
    for (const [status, expected] of [
      ['lost', 'lost'],
      ['won', 'won'],
      ['warning_closed', 'won'],
    ] as const)
      assert.equal(getStatus('charge.dispute.closed', { status }), expected);
  });

  test('currencies without decimals are whole units, except two that Stripe counts in hundredths', () => {
    const amounts = { total_details: null, amount_total: 5000 };
    assert.equal(findOrder(parseCheckout({ ...amounts, currency: 'jpy' }).actions).order.amountCents, 5000);
    assert.equal(findOrder(parseCheckout({ ...amounts, currency: 'isk' }).actions).order.amountCents, 50);
    assert.equal(findOrder(parseCheckout({ ...amounts, currency: 'mga' }).actions).order.amountCents, 500_000);
    assert.throws(() => parseCheckout({ ...amounts, currency: 'isk', amount_total: 5050 }), /not a whole amount in ISK/);
    assert.throws(() => parseCheckout({ id: 7 }), /Invalid event: id/);
  });
});

describe('Shopify', () => {
  const parse = (topic: string, payload: Record<string, unknown>) => shopify.parseEvent(topic, payload, live);

  test('a paid order has its items, its amount after discounts, its customer and signals', () => {
    const landing_site = `/products/tea?utm_source=x&trb_click=${clickId}&ref=ADA`;
    const payload = shopifyOrder({ landing_site, discount_codes: [{ code: 'ADA20' }] });
    const { order, signals, grossCents, lineIds } = findOrder(parse('orders/paid', payload).actions);
    assert.deepEqual([order.orderId, order.amountCents, grossCents], ['820982911946154', 39_300, 42_300]);
    assert.deepEqual(
      order.items?.map((item) => [item.externalProductId, item.quantity, item.amountCents, item.discountCents]),
      [
        ['788032119674292', 2, 19_900, 250],
        ['632910392', 1, 19_900, 250],
      ],
    );
    assert.deepEqual([order.taxCents, order.shippingCents, order.discountCents], [2000, 1000, 500]);
    assert.deepEqual(order.customer, { externalId: '115310627314723', email: 'jon@example.com', country: 'US' });
    assert.deepEqual([signals, lineIds.length], [{ clickId, referralCode: 'ADA', couponCode: 'ADA20' }, 2]);
  });

  test('tax that is included in prices is deducted', () => {
    assert.equal(findOrder(parse('orders/paid', shopifyOrder({ taxes_included: true })).actions).order.amountCents, 37_300);
  });

  test('cart notes take precedence over the landing page', () => {
    const note_attributes = [{ name: 'trb_click', value: clickId }];
    const payload = shopifyOrder({ note_attributes, landing_site: '/?trb_click=other' });
    assert.deepEqual(findOrder(parse('orders/paid', payload).actions).signals, { clickId });
  });

  test('a refund lists units, or without items an amount less shipping; the order lists the same refunds', () => {
    const [byUnits] = parse('refunds/create', shopifyRefund()).actions;
    assert.deepEqual(byUnits, {
      kind: 'refund',
      references: ['820982911946154'],
      refundId: 'shopify:890088186047892',
      amountCents: 10_325,
      units: [{ lineId: '866550311766439', quantity: 1 }],
      reason: 'refund',
    });
    const order_adjustments = [{ kind: 'shipping_refund', amount: '-3.00', tax_amount: '-0.25' }];
    const [byAmount] = parse('refunds/create', shopifyRefund({ refund_line_items: [], order_adjustments })).actions;
    assert.equal(byAmount?.kind === 'refund' && byAmount.amountCents, 10_000);
    assert.deepEqual(parse('orders/updated', shopifyOrder({ refunds: [shopifyRefund()] })).actions, [byUnits]);
    assert.equal(parse('orders/updated', shopifyOrder()).ignored, 'nothing_refunded');
  });

  test('ids longer than a double keep every digit, and test orders are ignored', () => {
    assert.equal(parse('orders/paid', shopifyOrder({ test: true })).ignored, 'test_event');
    const body = Buffer.from('{"id":820982911946154508}');
    const clock = { now: () => new Date(0) };
    assert.throws(() => shopify.verifyDelivery({ headers: {}, body }, { secrets: {} }, clock), /missing_signature/);
  });
});

describe('WooCommerce', () => {
  const parse = (payload: Record<string, unknown>, config = {}) =>
    woocommerce.parseEvent('order.updated', payload, { config, isLive: true });

  test('an order in processing has its lines without tax and shipping', () => {
    const entry = { key: '_wc_order_attribution_session_entry', value: `https://woo.example/?trb_click=${clickId}` };
    const payload = wooOrder({ meta_data: [entry], coupon_lines: [{ code: 'ada20' }] });
    const { order, signals, grossCents } = findOrder(parse(payload).actions);
    assert.deepEqual([order.orderId, order.amountCents, grossCents, order.occurredAt], ['727', 2600, 3795, '2026-03-01T11:58:00Z']);
    assert.deepEqual(
      order.items?.map(({ amountCents, discountCents, quantity, sku }) => [amountCents, discountCents, quantity, sku]),
      [
        [800, 200, 2, null],
        [2100, 100, 1, 'Bar3'],
      ],
    );
    assert.deepEqual(signals, { clickId, couponCode: 'ada20' });
    assert.equal(findOrder(parse(wooOrder(), { orderPrefix: 'EU-' }).actions).order.orderId, 'EU-727');
  });

  test('each status has its actions', () => {
    const listKinds = (given: Record<string, unknown>) => parse(wooOrder(given)).actions.map(({ kind }) => kind);
    assert.deepEqual(listKinds({ status: 'completed', refunds: [{ id: 1, total: '-5.00' }] }), ['order', 'edit', 'refund']);
    assert.deepEqual(listKinds({ status: 'refunded' }), ['order', 'edit', 'cancellation']);
    assert.deepEqual(listKinds({ status: 'cancelled' }), ['cancellation']);
    for (const status of ['pending', 'on-hold', 'failed', 'checkout-draft']) assert.equal(parse(wooOrder({ status })).ignored, 'not_paid');
    const [unpaid] = parse(wooOrder({ status: 'cancelled', date_paid_gmt: null })).actions;
    assert.equal(unpaid?.kind === 'cancellation' && unpaid.isFinal, false);
  });
});

describe('a custom store', () => {
  const parse = (type: string, body: Record<string, unknown>) => generic.parseEvent(type, { type, ...body }, live);

  test('each type has its action, a missing field is named, and an unknown type is ignored', () => {
    const orderId = 'A-1';
    const rows: [type: string, body: Record<string, unknown>, kind: string][] = [
      ['order.paid', { orderId, amountCents: 100 }, 'order'],
      ['order.edited', { orderId, amountCents: 50 }, 'edit'],
      ['order.cancelled', { orderId }, 'cancellation'],
      ['order.refunded', { orderId, refundId: 'r' }, 'reported_refund'],
      ['dispute.opened', { orderId, disputeId: 'd' }, 'dispute'],
      ['dispute.won', { orderId, disputeId: 'd' }, 'dispute'],
      ['dispute.lost', { orderId, disputeId: 'd', amountCents: 5 }, 'dispute'],
    ];
    for (const [type, body, expected] of rows) {
      const [action] = parse(type, body).actions;
      assert.equal(action?.kind, expected);
      assert.throws(() => parse(type, {}), /orderId/);
    }
    assert.equal(parse('order.shipped', { orderId }).ignored, 'unsupported_topic');
    assert.throws(() => parse('order.paid', { orderId, amountCents: '5' }), /amountCents/);
  });
});
