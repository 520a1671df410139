// What each shop's events mean, on the payloads that the shops publish.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Act } from '../act.ts';
import { shopifyOrder, shopifyRefund } from '../examples/shopify.ts';
import { charge, dispute, invoice, session, stripeEvent } from '../examples/stripe.ts';
import { wooOrder } from '../examples/woocommerce.ts';
import { generic } from './generic.ts';
import { shopify } from './shopify.ts';
import { stripe } from './stripe.ts';
import { woocommerce } from './woocommerce.ts';

const live = { config: {}, isLive: true };
const clickId = '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f';
type Order = Extract<Act, { kind: 'order' }>;

function orderIn(acts: readonly Act[]): Order {
  const order = acts.find((act): act is Order => act.kind === 'order');
  return order ?? assert.fail('no order');
}

describe('Stripe', () => {
  const read = (type: string, object: Record<string, unknown>, given = {}) =>
    stripe.read(type, stripeEvent('evt_1', type, object, given), live);
  const paid = (given = {}) => read('checkout.session.completed', session(given));

  test('a paid checkout is an order of its goods: without tax and shipping, after discounts', () => {
    const { subject, acts } = paid({ client_reference_id: clickId });
    const { report, hints, names, grossCents } = orderIn(acts);
    assert.equal(subject, 'cs_live_a11');
    assert.deepEqual([report.orderId, report.amountCents, report.currency, grossCents], ['cs_live_a11', 1500, 'USD', 2000]);
    assert.deepEqual([report.taxCents, report.shippingCents, report.discountCents], [150, 350, 500]);
    assert.deepEqual(report.customer, { externalId: 'cus_9s6XKzkNRiz8i3', email: 'jenny.rosen@example.com', country: 'US' });
    assert.equal(report.occurredAt, '2026-03-01T09:58:20.000Z');
    assert.deepEqual([hints, names], [{ clickId }, ['cs_live_a11', 'pi_1EUmyo2x6R10KRrhUuJXu9m0']]);
  });

  test('hints: metadata before the free field, and the ids of coupons and promotion codes', () => {
    const metadata = {
      trb_click_id: clickId,
      affiliateId: clickId,
      couponCode: ' ADA20 ',
      referral_code: 'ADA',
      orderId: 'FF-1',
      note: 'x',
    };
    const { hints, report } = orderIn(
      paid({ metadata, client_reference_id: 'cart-77', discounts: [{ coupon: 'co_1', promotion_code: 'promo_1' }] }).acts,
    );
    assert.deepEqual(hints, { clickId, affiliateId: clickId, couponCode: 'ADA20', referralCode: 'ADA', couponIds: ['promo_1', 'co_1'] });
    assert.equal(report.orderId, 'FF-1');
    assert.deepEqual(orderIn(paid({ metadata: { affiliateId: 'not-an-id', clickId: 'x'.repeat(101) } }).acts).hints, {});
  });

  test('unpaid, set up, of test mode, of no interest: ignored with the reason', () => {
    assert.match(String(paid({ payment_status: 'unpaid' }).ignored), /not paid/);
    assert.match(String(paid({ mode: 'setup' }).ignored), /charges nothing/);
    assert.match(String(read('checkout.session.completed', session(), { livemode: false }).ignored), /test event/);
    assert.match(String(read('customer.created', { id: 'cus_1' }).ignored), /nothing about orders/);
    assert.match(String(read('invoice.paid', invoice({ amount_paid: 0, total: 0 })).ignored), /nothing was paid/);
  });

  test('a checkout of a subscription keeps its hints; the invoice is the order, wherever the version puts its parts', () => {
    const begun = paid({ mode: 'subscription', subscription: 'sub_1', invoice: 'in_1', metadata: { ref: 'ADA' } });
    assert.deepEqual(
      begun.acts.map((act) => (act.kind === 'hints' ? [act.name, act.hints] : act.kind)),
      [
        ['sub_1', { referralCode: 'ADA' }],
        ['in_1', { referralCode: 'ADA' }],
      ],
    );
    const today = orderIn(read('invoice.paid', invoice()).acts);
    const old = invoice({
      parent: undefined,
      subscription: 'sub_1MtHbELkdIwHu7ix',
      total_taxes: undefined,
      total_excluding_tax: undefined,
      tax: 300,
    });
    const before = orderIn(read('invoice.paid', { ...old, payment_intent: 'pi_1', charge: { id: 'ch_1' } }).acts);
    for (const { report, hintsUnder, grossCents } of [today, before]) {
      assert.deepEqual([report.orderId, report.amountCents, grossCents], ['in_1MtHbELkdIwHu7ixl4OzzPMv', 3000, 3300]);
      assert.deepEqual(report.subscription, { externalId: 'sub_1MtHbELkdIwHu7ix' });
      assert.ok(hintsUnder.includes('sub_1MtHbELkdIwHu7ix'));
    }
    assert.deepEqual(before.names, ['in_1MtHbELkdIwHu7ixl4OzzPMv', 'pi_1', 'ch_1']);
  });

  test('a checkout with an invoice of its own is one order with it', () => {
    const names = orderIn(paid({ invoice: 'in_9', metadata: { orderId: 'other' } }).acts);
    assert.equal(names.report.orderId, orderIn(read('invoice.paid', invoice({ id: 'in_9', parent: null })).acts).report.orderId);
  });

  test('refunds say what was given back in all, disputes what became of them', () => {
    assert.deepEqual(read('charge.refunded', charge({ amount_refunded: 500 })).acts, [
      {
        ...{ kind: 'refunded_in_all', of: ['pi_1EUmyo2x6R10KRrhUuJXu9m0', 'ch_3MmlLrLkdIwHu7ix0snN0B15'] },
        ...{ source: 'stripe:ch_3MmlLrLkdIwHu7ix0snN0B15', refundedCents: 500, grossCents: 2000 },
      },
    ]);
    const status = (topic: string, given = {}) => {
      const [act] = read(topic, dispute(given)).acts;
      return act?.kind === 'dispute' ? act.status : null;
    };
    assert.equal(status('charge.dispute.created'), 'opened');
    for (const [given, expected] of [
      ['lost', 'lost'],
      ['won', 'won'],
      ['warning_closed', 'won'],
    ] as const)
      assert.equal(status('charge.dispute.closed', { status: given }), expected);
  });

  test('currencies without decimals count whole units, but for two', () => {
    const amounts = { total_details: null, amount_total: 5000 };
    assert.equal(orderIn(paid({ ...amounts, currency: 'jpy' }).acts).report.amountCents, 5000);
    assert.equal(orderIn(paid({ ...amounts, currency: 'isk' }).acts).report.amountCents, 50);
    assert.throws(() => paid({ ...amounts, currency: 'isk', amount_total: 5050 }), /no whole amount in ISK/);
    assert.throws(() => paid({ id: 7 }), /not understood: id/);
  });
});

describe('Shopify', () => {
  const read = (topic: string, payload: Record<string, unknown>) => shopify.read(topic, payload, live);

  test('a paid order: its items, its amount after discounts, whom it names', () => {
    const landing_site = `/products/tea?utm_source=x&trb_click=${clickId}&ref=ADA`;
    const { report, hints, grossCents, lineIds } = orderIn(
      read('orders/paid', shopifyOrder({ landing_site, discount_codes: [{ code: 'ADA20' }] })).acts,
    );
    assert.deepEqual([report.orderId, report.amountCents, grossCents], ['820982911946154', 39_300, 42_300]);
    assert.deepEqual(
      report.items?.map(({ externalProductId, quantity, amountCents, discountCents }) => [
        externalProductId,
        quantity,
        amountCents,
        discountCents,
      ]),
      [
        ['788032119674292', 2, 19_900, 250],
        ['632910392', 1, 19_900, 250],
      ],
    );
    assert.deepEqual([report.taxCents, report.shippingCents, report.discountCents], [2000, 1000, 500]);
    assert.deepEqual(report.customer, { externalId: '115310627314723', email: 'jon@example.com', country: 'US' });
    assert.deepEqual([hints, lineIds.length], [{ clickId, referralCode: 'ADA', couponCode: 'ADA20' }, 2]);
  });

  test('where prices include tax it is taken off', () => {
    assert.equal(orderIn(read('orders/paid', shopifyOrder({ taxes_included: true })).acts).report.amountCents, 37_300);
  });

  test('notes of the cart count before the page of landing', () => {
    const note_attributes = [{ name: 'trb_click', value: clickId }];
    assert.deepEqual(orderIn(read('orders/paid', shopifyOrder({ note_attributes, landing_site: '/?trb_click=other' })).acts).hints, {
      clickId,
    });
  });

  test('a refund names units; one without items its amount less shipping; the order tells them again', () => {
    const [unit] = read('refunds/create', shopifyRefund()).acts;
    assert.deepEqual(unit, {
      ...{ kind: 'refund', of: ['820982911946154'], refundId: 'shopify:890088186047892', amountCents: 10_325, reason: 'refund' },
      units: [{ lineId: '866550311766439', quantity: 1 }],
    });
    const order_adjustments = [{ kind: 'shipping_refund', amount: '-3.00', tax_amount: '-0.25' }];
    const [amount] = read('refunds/create', shopifyRefund({ refund_line_items: [], order_adjustments })).acts;
    assert.equal(amount?.kind === 'refund' && amount.amountCents, 10_000);
    const again = read('orders/updated', shopifyOrder({ refunds: [shopifyRefund()] })).acts;
    assert.deepEqual(again, [unit]);
    assert.equal(read('orders/updated', shopifyOrder()).ignored, 'nothing was given back');
  });

  test('ids longer than a double are kept to the digit, and test orders are ignored', () => {
    assert.match(String(read('orders/paid', shopifyOrder({ test: true })).ignored), /test order/);
    const body = Buffer.from('{"id":820982911946154508}');
    assert.throws(() => shopify.check({ headers: {}, body }, { ...live, secrets: {} }, { now: () => new Date(0) }), /missing_signature/);
  });
});

describe('WooCommerce', () => {
  const read = (payload: Record<string, unknown>, config = {}) => woocommerce.read('order.updated', payload, { config, isLive: true });

  test('an order in processing: its lines without tax and shipping', () => {
    const entry = { key: '_wc_order_attribution_session_entry', value: `https://woo.example/?trb_click=${clickId}` };
    const { report, hints, grossCents } = orderIn(read(wooOrder({ meta_data: [entry], coupon_lines: [{ code: 'ada20' }] })).acts);
    assert.deepEqual([report.orderId, report.amountCents, grossCents, report.occurredAt], ['727', 2600, 3795, '2026-03-01T11:58:00Z']);
    assert.deepEqual(
      report.items?.map(({ amountCents, discountCents, quantity, sku }) => [amountCents, discountCents, quantity, sku]),
      [
        [800, 200, 2, null],
        [2100, 100, 1, 'Bar3'],
      ],
    );
    assert.deepEqual(hints, { clickId, couponCode: 'ada20' });
    assert.equal(orderIn(read(wooOrder(), { orderPrefix: 'EU-' }).acts).report.orderId, 'EU-727');
  });

  test('each status is what it is', () => {
    const kinds = (given: Record<string, unknown>) => read(wooOrder(given)).acts.map(({ kind }) => kind);
    assert.deepEqual(kinds({ status: 'completed', refunds: [{ id: 1, total: '-5.00' }] }), ['order', 'lowered', 'refund']);
    assert.deepEqual(kinds({ status: 'refunded' }), ['order', 'lowered', 'cancelled']);
    assert.deepEqual(kinds({ status: 'cancelled' }), ['cancelled']);
    for (const status of ['pending', 'on-hold', 'failed', 'checkout-draft'])
      assert.match(String(read(wooOrder({ status })).ignored), new RegExp(status));
    const [never] = read(wooOrder({ status: 'cancelled', date_paid_gmt: null })).acts;
    assert.equal(never?.kind === 'cancelled' && never.isFinal, false);
  });
});

describe("a shop of one's own", () => {
  const read = (type: string, body: Record<string, unknown>) => generic.read(type, { type, ...body }, live);

  test('each type is its act, a missing field is named, an unknown type ignored', () => {
    const orderId = 'A-1';
    const rows: [string, Record<string, unknown>, string][] = [
      ['order.paid', { orderId, amountCents: 100 }, 'order'],
      ['order.edited', { orderId, amountCents: 50 }, 'lowered'],
      ['order.cancelled', { orderId }, 'cancelled'],
      ['order.refunded', { orderId, refundId: 'r' }, 'refund_as_reported'],
      ['dispute.opened', { orderId, disputeId: 'd' }, 'dispute'],
      ['dispute.won', { orderId, disputeId: 'd' }, 'dispute'],
      ['dispute.lost', { orderId, disputeId: 'd', amountCents: 5 }, 'dispute'],
    ];
    for (const [type, body, kind] of rows) {
      assert.deepEqual(
        read(type, body).acts.map((act) => act.kind),
        [kind],
      );
      assert.throws(() => read(type, {}), /orderId/);
    }
    assert.equal(read('order.shipped', { orderId }).ignored, 'an unknown type');
    assert.throws(() => read('order.paid', { orderId, amountCents: '5' }), /amountCents/);
  });
});
