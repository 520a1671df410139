// Orders as each store reports them: the events in their usual order, and the refunds that must result.
import { lemonSqueezyEvent, order, subscriptionInvoice } from '../../../server/connections/stores/examples/lemon-squeezy.ts';
import { adjustment, paddleEvent, transaction } from '../../../server/connections/stores/examples/paddle.ts';
import { shopifyOrder, shopifyRefund } from '../../../server/connections/stores/examples/shopify.ts';
import { charge, dispute, invoice, session, stripeEvent } from '../../../server/connections/stores/examples/stripe.ts';
import { wooOrder } from '../../../server/connections/stores/examples/woocommerce.ts';
import type { StoreMessage, StoreName } from './stores.ts';

export type Scenario = {
  type: StoreName;
  /** The expected total of the order's refunds, calculated manually. */
  refundedCents: number;
  events(serial: number, code: string): StoreMessage[];
};

const buildStripeMessage = (id: string, type: string, object: Record<string, unknown>): StoreMessage => ({
  id,
  topic: type,
  body: stripeEvent(id, type, object),
});

const buildPaddleMessage = (id: string, type: string, data: Record<string, unknown>): StoreMessage => ({
  id,
  topic: type,
  body: paddleEvent(id, type, data),
});

const buildLemonSqueezyMessage = (topic: string, data: Record<string, unknown>, code: string): StoreMessage => ({
  id: `${topic} ${JSON.stringify(data)}`,
  topic,
  body: lemonSqueezyEvent(topic, data, { ref: code, plan: 'unknown' }),
});

export const scenarios: Record<string, Scenario> = {
  'a checkout that is refunded in parts, disputed and lost': {
    type: 'stripe',
    refundedCents: 1500,
    events(n, code) {
      const names = { id: `ch_${n}`, payment_intent: `pi_${n}`, customer: `cus_${n}` };
      const paid = session({
        id: `cs_${n}`,
        payment_intent: `pi_${n}`,
        customer: `cus_${n}`,
        customer_details: null,
        client_reference_id: code,
      });
      const disputed = { id: `du_${n}`, charge: `ch_${n}`, payment_intent: `pi_${n}`, amount: 1000 };
      return [
        buildStripeMessage(`evt_${n}_1`, 'checkout.session.completed', paid),
        buildStripeMessage(`evt_${n}_2`, 'charge.refunded', charge({ ...names, amount_refunded: 333 })),
        buildStripeMessage(`evt_${n}_3`, 'charge.refunded', charge({ ...names, amount_refunded: 1000 })),
        buildStripeMessage(`evt_${n}_4`, 'charge.dispute.created', dispute(disputed)),
        buildStripeMessage(`evt_${n}_5`, 'charge.dispute.closed', dispute({ ...disputed, status: 'lost' })),
      ];
    },
  },
  'a subscription: signals from the checkout, the amount from the invoice, the charge from a payment': {
    type: 'stripe',
    refundedCents: 1011,
    events(n, code) {
      const begun = session({
        id: `cs_${n}`,
        mode: 'subscription',
        subscription: `sub_${n}`,
        payment_intent: null,
        customer: `cus_${n}`,
        customer_details: null,
        metadata: { referralCode: code },
      });
      const parent = { subscription_details: { metadata: {}, subscription: `sub_${n}` } };
      const paid = invoice({ id: `in_${n}`, parent, customer: `cus_${n}`, customer_email: null });
      const by = { id: `inpay_${n}`, invoice: `in_${n}`, payment: { type: 'payment_intent', payment_intent: `pi_${n}` } };
      const back = { id: `ch_${n}`, payment_intent: `pi_${n}`, amount: 3300 };
      return [
        buildStripeMessage(`evt_${n}_1`, 'checkout.session.completed', begun),
        buildStripeMessage(`evt_${n}_2`, 'invoice.paid', paid),
        buildStripeMessage(`evt_${n}_3`, 'invoice_payment.paid', by),
        buildStripeMessage(`evt_${n}_4`, 'charge.refunded', charge({ ...back, amount_refunded: 1111 })),
        buildStripeMessage(`evt_${n}_5`, 'charge.refunded', charge({ ...back, amount_refunded: 1112 })),
      ];
    },
  },
  'a Shopify order with a refunded unit and a refunded amount, delivered by three topics': {
    type: 'shopify',
    refundedCents: 19418,
    events(n, code) {
      const id = 4_000_000 + n;
      const noted = { id, email: null, customer: null, note_attributes: [{ name: 'ref', value: code }] };
      const [unit, amount] = [
        shopifyRefund({ id: id * 10, order_id: id }),
        { ...shopifyRefund({ id: id * 10 + 1, order_id: id }), refund_line_items: [] },
      ];
      return [
        { id: `${n}-1`, topic: 'orders/paid', body: shopifyOrder(noted) },
        { id: `${n}-2`, topic: 'refunds/create', body: unit },
        { id: `${n}-3`, topic: 'refunds/create', body: amount },
        {
          id: `${n}-4`,
          topic: 'orders/updated',
          body: shopifyOrder({ ...noted, financial_status: 'partially_refunded', refunds: [unit, amount] }),
        },
        {
          id: `${n}-5`,
          topic: 'orders/updated',
          body: shopifyOrder({ ...noted, financial_status: 'partially_refunded', refunds: [unit] }),
        },
      ];
    },
  },
  'a Shopify order that is cancelled after a refund': {
    type: 'shopify',
    refundedCents: 39300,
    events(n, code) {
      const id = 5_000_000 + n;
      const noted = { id, email: null, customer: null, landing_site: `/tea?x=1&ref=${code}` };
      const unit = shopifyRefund({ id: id * 10, order_id: id });
      return [
        { id: `${n}-1`, topic: 'orders/paid', body: shopifyOrder(noted) },
        { id: `${n}-2`, topic: 'refunds/create', body: unit },
        {
          id: `${n}-3`,
          topic: 'orders/cancelled',
          body: shopifyOrder({ ...noted, refunds: [unit], cancelled_at: '2026-03-01T07:30:00-05:00' }),
        },
      ];
    },
  },
  'a WooCommerce order that is refunded in parts': {
    type: 'woocommerce',
    refundedCents: 608,
    events(n, code) {
      const own = { id: 9000 + n, customer_id: 0, billing: {}, meta_data: [{ key: 'trb_ref', value: code }] };
      const [one, two] = [
        { id: n * 10, reason: '', total: '-7.77' },
        { id: n * 10 + 1, reason: 'x', total: '-1.11' },
      ];
      return [
        { id: `${n}-1`, topic: 'order.created', body: wooOrder({ ...own, status: 'pending', date_paid_gmt: null }) },
        { id: `${n}-2`, topic: 'order.updated', body: wooOrder(own) },
        { id: `${n}-3`, topic: 'order.updated', body: wooOrder({ ...own, status: 'completed', refunds: [one] }) },
        { id: `${n}-4`, topic: 'order.updated', body: wooOrder({ ...own, status: 'completed', refunds: [two, one] }) },
      ];
    },
  },
  'a WooCommerce order that is cancelled': {
    type: 'woocommerce',
    refundedCents: 2600,
    events(n, code) {
      const own = { id: 7000 + n, customer_id: 0, billing: {}, coupon_lines: [], meta_data: [{ key: 'referral_code', value: code }] };
      return [
        { id: `${n}-1`, topic: 'order.created', body: wooOrder({ ...own, date_paid_gmt: null }) },
        { id: `${n}-2`, topic: 'order.updated', body: wooOrder({ ...own, status: 'cancelled', date_paid_gmt: null }) },
      ];
    },
  },
  'a Paddle transaction: one item and part of another refunded, one refund rejected, disputed and won': {
    type: 'paddle',
    refundedCents: 10_333,
    events(n, code) {
      const [id, sale] = [`txn_${n}`, { id: `txn_${n}`, customer_id: `ctm_${n}`, custom_data: { ref: code }, unknown_field: { a: [1] } }];
      const item = { id: 'adjitm_1', item_id: 'txnitm_01hv8wt98jahpbm1t1tzr06z6n', type: 'partial', totals: { tax: '30', total: '363' } };
      const part = { id: `adj_${n}_2`, transaction_id: id, items: [item], totals: { tax: '30', total: '363' } };
      const dispute = { id: `adj_${n}_4`, action: 'chargeback_warning', transaction_id: id };
      return [
        buildPaddleMessage(`evt_${n}_1`, 'transaction.completed', transaction(sale)),
        buildPaddleMessage(
          `evt_${n}_2`,
          'adjustment.created',
          adjustment({ id: `adj_${n}`, transaction_id: id, status: 'pending_approval' }),
        ),
        buildPaddleMessage(`evt_${n}_3`, 'adjustment.updated', adjustment({ id: `adj_${n}`, transaction_id: id })),
        buildPaddleMessage(`evt_${n}_4`, 'adjustment.updated', adjustment(part)),
        buildPaddleMessage(`evt_${n}_5`, 'adjustment.updated', adjustment({ id: `adj_${n}_3`, transaction_id: id, status: 'rejected' })),
        buildPaddleMessage(`evt_${n}_6`, 'adjustment.created', adjustment(dispute)),
        buildPaddleMessage(`evt_${n}_7`, 'adjustment.created', adjustment({ ...dispute, action: 'chargeback_warning_reverse' })),
      ];
    },
  },
  'a Lemon Squeezy order that is refunded in parts': {
    type: 'lemon_squeezy',
    refundedCents: 600,
    events(n, code) {
      const [id, own] = [10_000 + n, { customer_id: 10_000 + n, user_email: null }];
      const refundedBy = (cents: number) => order(id, { ...own, status: 'partial_refund', refunded_amount: cents });
      return [
        buildLemonSqueezyMessage('order_created', order(id, own), code),
        buildLemonSqueezyMessage('order_refunded', refundedBy(330), code),
        buildLemonSqueezyMessage('order_refunded', refundedBy(660), code),
      ];
    },
  },
  'a Lemon Squeezy renewal that is refunded': {
    type: 'lemon_squeezy',
    refundedCents: 900,
    events(n, code) {
      const [id, own] = [10_000 + n, { customer_id: 10_000 + n, user_email: null, subscription_id: n }];
      const refunded = { ...own, status: 'refunded', refunded: true, refunded_amount: 999 };
      return [
        buildLemonSqueezyMessage('subscription_payment_success', subscriptionInvoice(id, own), code),
        buildLemonSqueezyMessage('subscription_payment_refunded', subscriptionInvoice(id, refunded), code),
        buildLemonSqueezyMessage('subscription_payment_success', subscriptionInvoice(id - 1, { ...own, billing_reason: 'initial' }), code),
      ];
    },
  },
  'an order of a custom store: edited to a lower amount, refunded twice, disputed and won': {
    type: 'generic',
    refundedCents: 637,
    events(n, code) {
      const orderId = `own-${n}`;
      const items = [
        // Largest remainders would give the third line 1 of 36 cents, and none of 37.
        { quantity: 3, amountCents: 2662, sku: 'B' },
        { quantity: 1, amountCents: 201, sku: 'C' },
        { quantity: 1, amountCents: 41, sku: 'A' },
        { quantity: 1, amountCents: 3, sku: 'D' },
      ];
      return [
        { id: `${n}-1`, topic: 'order.paid', body: { orderId, amountCents: 2907, referralCode: code, items } },
        { id: `${n}-2`, topic: 'order.refunded', body: { refundId: `${n}-r1`, orderId, amountCents: 101 } },
        { id: `${n}-3`, topic: 'order.refunded', body: { refundId: `${n}-r2`, orderId, amountCents: 499 } },
        { id: `${n}-4`, topic: 'order.edited', body: { orderId, amountCents: 2871 } },
        { id: `${n}-7`, topic: 'order.edited', body: { orderId, amountCents: 2870 } },
        { id: `${n}-5`, topic: 'dispute.opened', body: { disputeId: `${n}-d`, orderId } },
        { id: `${n}-6`, topic: 'dispute.won', body: { disputeId: `${n}-d`, orderId } },
      ];
    },
  },
};
