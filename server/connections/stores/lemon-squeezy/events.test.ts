// How Lemon Squeezy's events are parsed, on the payloads that it documents.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { lemonSqueezyEvent, order, subscriptionInvoice } from '../examples/lemon-squeezy.ts';
import { lemonSqueezy } from '../lemon-squeezy.ts';
import type { OrderAction, StoreAction } from '../store.ts';

const parse = (name: string, data: Record<string, unknown>, customData: unknown = undefined, config = {}) =>
  lemonSqueezy.parseEvent(name, lemonSqueezyEvent(name, data, customData), { config, isLive: true });

function findOrder(actions: readonly StoreAction[]): OrderAction {
  return actions.find((action): action is OrderAction => action.kind === 'order') ?? assert.fail('no order');
}

describe('Lemon Squeezy', () => {
  test('a paid order has its amount without tax, after discounts, its item, customer and signals', () => {
    const { subject, actions } = parse('order_created', order(2601), { trb_ref: 'ADA', cart: 5 });
    const { order: sale, signals, grossCents } = findOrder(actions);
    assert.deepEqual([subject, sale.orderId, sale.amountCents, grossCents], ['2601', '2601', 1500, 1650]);
    assert.deepEqual([sale.taxCents, sale.discountCents, sale.currency], [150, 498, 'USD']);
    assert.deepEqual(sale.items, [
      {
        externalProductId: '7',
        sku: null,
        name: 'Test Limited License for 2 years',
        quantity: 2,
        amountCents: 1998,
        discountCents: 498,
      },
    ]);
    assert.deepEqual(sale.customer, { externalId: '42', email: 'johndoe@example.com' });
    assert.deepEqual([signals, actions.length], [{ referralCode: 'ADA' }, 1]);
    assert.deepEqual(findOrder(parse('order_created', order(2601), []).actions).signals, {});
    assert.equal(findOrder(parse('order_created', order(1), undefined, { orderPrefix: 'LS-' }).actions).order.orderId, 'LS-1');
  });

  test('a refund states the gross amount refunded so far, in part or in full', () => {
    const refundOf = (given: object) => {
      const refund = parse('order_refunded', order(2601, { ...given })).actions.find(({ kind }) => kind === 'refund_total');
      return refund?.kind === 'refund_total' ? [refund.source, refund.refundedCents, refund.grossCents] : null;
    };
    assert.deepEqual(refundOf({ status: 'partial_refund', refunded_amount: 330 }), ['lemonsqueezy:2601', 330, 1650]);
    assert.deepEqual(refundOf({ status: 'refunded', refunded: true, refunded_amount: 1650 }), ['lemonsqueezy:2601', 1650, 1650]);
    assert.deepEqual(refundOf({ status: 'refunded', refunded: true, refunded_amount: undefined }), ['lemonsqueezy:2601', 1650, 1650]);
  });

  test('each later invoice of a subscription is an order; the first one belongs to the order of the checkout', () => {
    const { order: sale, signals } = findOrder(parse('subscription_payment_success', subscriptionInvoice(31), { ref: 'ADA' }).actions);
    assert.deepEqual([sale.orderId, sale.amountCents, sale.taxCents, sale.items], ['invoice-31', 900, 99, []]);
    assert.deepEqual([sale.subscription, signals], [{ externalId: '9' }, { referralCode: 'ADA' }]);
    const refunded = subscriptionInvoice(31, { status: 'refunded', refunded: true, refunded_amount: 999 });
    const kinds = parse('subscription_payment_refunded', refunded).actions.map(({ kind }) => kind);
    assert.deepEqual(kinds, ['order', 'refund_total']);
    const initial = subscriptionInvoice(30, { billing_reason: 'initial' });
    assert.equal(parse('subscription_payment_success', initial).ignored, 'superseded_topic');
  });

  test('the formatted total decides the unit of amounts in currencies with no or three decimals', () => {
    const amountOf = (currency: string, total: number, formatted: string | undefined, tax = 0) => {
      const given = { currency, total, tax, total_formatted: formatted, discount_total: 0 };
      return findOrder(parse('order_created', order(1, given)).actions).order.amountCents;
    };
    assert.equal(amountOf('JPY', 1200, '¥1,200'), 1200);
    assert.equal(amountOf('JPY', 120_000, '¥1,200', 20_000), 1000);
    assert.equal(amountOf('KWD', 1250, 'KWD 1.250'), 1250);
    assert.equal(amountOf('KWD', 125, 'KWD 1.25', 25), 1000);
    assert.equal(amountOf('JPY', 1200, undefined), 1200);
    assert.equal(amountOf('EUR', 120_000, '€1,200.00'), 120_000);
  });

  test('other events are ignored with the reason, and unreadable ones name the field', () => {
    assert.equal(parse('license_key_created', { type: 'license-keys', id: '1', attributes: {} }).ignored, 'unsupported_topic');
    for (const status of ['pending', 'failed']) assert.equal(parse('order_created', order(1, { status })).ignored, 'not_paid');
    assert.equal(parse('order_created', order(1, { total: 0, tax: 0 })).ignored, 'nothing_charged');
    const test = { ...lemonSqueezyEvent('order_created', order(1)), meta: { event_name: 'order_created', test_mode: true } };
    assert.equal(lemonSqueezy.parseEvent('order_created', test, { config: {}, isLive: true }).ignored, 'test_event');
    assert.equal(lemonSqueezy.parseEvent('order_created', test, { config: {}, isLive: false }).ignored, undefined);
    assert.throws(() => parse('order_created', order(1, { total: '16.50' })), /Invalid event: total/);
  });
});
