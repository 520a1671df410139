// The guarantee of the inbox: deliveries in any order, and repeated any number of times, lead to the same ledger.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { anAffiliate, aProduct, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { aStore, getExternalId, type StoreMessage, type StoreName, type TestStore } from '../../../test/support/stores.ts';
import { often } from '../../../test/support/time/length.ts';
import { shopifyOrder, shopifyRefund } from '../../connections/stores/examples/shopify.ts';
import { charge, dispute, invoice, session, stripeEvent } from '../../connections/stores/examples/stripe.ts';
import { wooOrder } from '../../connections/stores/examples/woocommerce.ts';
import { checkInvariants } from '../../operations/verify/invariants.ts';

type Scenario = {
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

const scenarios: Record<string, Scenario> = {
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

describe('late, repeated and reordered deliveries', () => {
  let service: TestService;
  let serial = 100;
  const stores = new Map<StoreName, TestStore>();
  before(async () => {
    service = await openTestService();
    await aRule(service, { rate: 12.5 });
    const product = await aProduct(service, { externalId: '788032119674292', sku: 'A' });
    await aRule(service, { productId: product, rate: 33.3 });
    for (const type of ['stripe', 'shopify', 'woocommerce', 'generic'] as const) stores.set(type, await aStore(service, type));
  });
  after(() => service.close());

  /** Delivers the messages of a scenario in this order, and returns the resulting ledger. */
  async function run(
    { type, events }: Scenario,
    order: (messages: StoreMessage[]) => { message: StoreMessage; drains: boolean }[],
  ): Promise<object> {
    serial += 1;
    const store = stores.get(type) ?? assert.fail();
    const ada = await anAffiliate(service, { status: 'active' });
    const messages = events(serial, ada.referralCode);
    for (const { message, drains } of order(messages)) {
      assert.equal((await store.send(message)).status, 200);
      if (drains) await service.drain();
    }
    await service.drain();
    const ids = messages.map((message) => getExternalId(type, message));
    const open = (await store.events()).filter(
      ({ externalId, status }) => ids.includes(externalId) && !['processed', 'ignored'].includes(status),
    );
    assert.deepEqual(open, []);
    return readLedger(ada.id);
  }

  async function readLedger(affiliateId: string): Promise<object> {
    const query = async (text: string) => (await service.pool.query(text, [affiliateId])).rows;
    return {
      balance: await query(
        `select pending_cents, available_cents, in_transit_cents, paid_cents from ledger_balances where affiliate_id = $1`,
      ),
      orders: await query(`select amount_cents, refunded_cents from conversions where affiliate_id = $1 order by created_at, order_id`),
      lines: await query(`select line.position, sum(line.amount_cents) as cents from refunds as refund
        join conversions as conversion on conversion.id = refund.conversion_id join refund_lines as line on line.refund_id = refund.id
        where conversion.affiliate_id = $1 and refund.undone_at is null group by line.position order by line.position`),
      disputes:
        await query(`select dispute.status from disputes as dispute join conversions as conversion on conversion.id = dispute.conversion_id
        where conversion.affiliate_id = $1`),
      commissions: await query(`select amount_cents, reversed_cents, status from commissions where affiliate_id = $1 order by positions`),
    };
  }

  for (const [name, scenario] of Object.entries(scenarios)) {
    test(name, async () => {
      const expected = await run(scenario, (messages) => messages.map((message) => ({ message, drains: true })));
      const { orders } = expected as { orders: { refunded_cents: string }[] };
      assert.deepEqual(
        orders.map((order) => Number(order.refunded_cents)),
        [scenario.refundedCents],
      );
      const places = scenario.events(0, 'CODE').map((_, index) => index);
      const anyOrder = fc
        .array(fc.constantFrom(...places), { maxLength: 4 })
        .chain((repeats) => fc.shuffledSubarray([...places, ...repeats], { minLength: places.length + repeats.length }));
      await fc.assert(
        fc.asyncProperty(anyOrder, fc.infiniteStream(fc.boolean()), async (order, drains) => {
          const ledger = await run(scenario, (messages) =>
            order.map((place) => ({ message: messages[place] ?? assert.fail(), drains: drains.next().value ?? false })),
          );
          assert.deepEqual(ledger, expected, `delivered in the order ${order}`);
        }),
        { numRuns: often(6) },
      );
    });
  }

  test('every invariant holds', async () => {
    const broken = (await checkInvariants(service.ctx)).filter((finding) => finding.broken.length > 0);
    assert.deepEqual(broken, []);
  });
});
