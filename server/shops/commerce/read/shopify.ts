// Shopify: how its deliveries are signed, and what its events mean. Only the body is signed, so nothing that moves
// money is believed from a header alone. An order's payload lists its refunds, so each of its deliveries tells all.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type Act, type Reader, type Reading, type Units, Unreadable } from '../act.ts';
import { minorUnits, money } from '../amounts.ts';
import { hintInCodes, hintsAmong, hintsInAddress, hintsOf } from './hints.ts';
import { parsePayload, readAs, requireHmac, shopId } from './signature.ts';

export const shopify: Reader = {
  check({ headers, body }, { secrets }) {
    const given = headers['x-shopify-hmac-sha256'];
    requireHmac(given === undefined ? [] : [given], { secret: secrets.webhookSecret, content: body, encoding: 'base64' });
    const payload = body.toString('utf8');
    parsePayload(payload);
    const topic = (headers['x-shopify-topic'] ?? 'unknown').slice(0, 100);
    const id = headers['x-shopify-event-id'] ?? headers['x-shopify-webhook-id'] ?? createHash('sha256').update(body).digest('hex');
    const at = new Date(headers['x-shopify-triggered-at'] ?? '');
    return [{ externalId: `${topic}:${id}`.slice(0, 255), topic, occurredAt: Number.isNaN(at.getTime()) ? null : at, payload }];
  },
  read(topic, payload, { isLive }) {
    if (topic === 'refunds/create') return readRefund(readAs(RefundCreated, payload));
    if (!['orders/paid', 'orders/updated', 'orders/edited', 'orders/cancelled'].includes(topic))
      return ignored('a topic that says nothing about orders');
    if (topic === 'orders/edited') return ignored('the order itself tells it, by orders/updated');
    const order = readAs(Order, payload);
    if (isLive && order.test) return ignored('a test order, but the provider is live');
    return readOrder(order, topic === 'orders/paid');
  },
};

const named = z.array(z.object({ name: z.string(), value: z.unknown() })).nullish();

const Refund = z.object({
  id: shopId,
  refund_line_items: z.array(z.object({ line_item_id: shopId, quantity: z.int() })).nullish(),
  transactions: z
    .array(z.object({ kind: z.string(), status: z.string().nullish(), amount: money, currency: z.string().nullish() }))
    .nullish(),
  order_adjustments: z.array(z.object({ kind: z.string().nullish(), amount: money, tax_amount: money.nullish() })).nullish(),
});
type Refund = z.output<typeof Refund>;
const RefundCreated = Refund.extend({ order_id: shopId });

const Order = z.object({
  id: shopId,
  test: z.boolean().nullish(),
  email: z.string().nullish(),
  currency: z.string(),
  financial_status: z.string().nullish(),
  cancelled_at: z.string().nullish(),
  created_at: z.string().nullish(),
  processed_at: z.string().nullish(),
  subtotal_price: money,
  total_price: money,
  total_tax: money.nullish(),
  total_discounts: money.nullish(),
  taxes_included: z.boolean().nullish(),
  total_shipping_price_set: z.object({ shop_money: z.object({ amount: money }) }).nullish(),
  customer: z.object({ id: shopId, email: z.string().nullish() }).nullish(),
  shipping_address: z.object({ country_code: z.string().nullish() }).nullish(),
  line_items: z.array(
    z.object({
      id: shopId,
      product_id: shopId.nullish(),
      sku: z.string().nullish(),
      title: z.string().nullish(),
      quantity: z.int(),
      price: money,
      discount_allocations: z.array(z.object({ amount: money })).nullish(),
      tax_lines: z.array(z.object({ price: money })).nullish(),
    }),
  ),
  discount_codes: z.array(z.object({ code: z.string() })).nullish(),
  note_attributes: named,
  landing_site: z.string().nullish(),
  refunds: z.array(Refund).nullish(),
});
type Order = z.output<typeof Order>;

const wasPaid = new Set(['paid', 'partially_refunded', 'refunded']);

/** Only `orders/paid` makes an order; whatever else comes before it waits. */
function readOrder(order: Order, isPaid: boolean): Reading {
  const of = [order.id];
  const after: Act[] = (order.refunds ?? []).flatMap((refund) => refundOf(of, refund, order.currency.toUpperCase()) ?? []);
  if (order.cancelled_at) {
    after.push({
      kind: 'cancelled',
      of,
      refundId: `shopify:${order.id}:cancelled`,
      reason: 'cancelled',
      isFinal: wasPaid.has(order.financial_status ?? ''),
    });
  }
  if (!isPaid) return after.length > 0 ? { subject: order.id, acts: after } : ignored('nothing was given back');
  if (!wasPaid.has(order.financial_status ?? 'paid')) return ignored('not paid yet');
  return { subject: order.id, acts: [orderOf(order), ...after] };
}

function orderOf(order: Order): Act {
  const currency = order.currency.toUpperCase();
  const cents = (value: string | number | null | undefined) => centsOf(value ?? 0, currency);
  const taxOfItems = order.line_items.flatMap(({ tax_lines }) => tax_lines ?? []).reduce((all, { price }) => all + cents(price), 0);
  const items = order.line_items.map((item) => {
    const amountCents = cents(item.price) * item.quantity;
    const discountCents = Math.min(
      amountCents,
      (item.discount_allocations ?? []).reduce((all, { amount }) => all + cents(amount), 0),
    );
    const name = item.title?.trim().slice(0, 200) || null;
    return {
      externalProductId: item.product_id ?? null,
      sku: item.sku?.trim() || null,
      name,
      quantity: item.quantity,
      amountCents,
      discountCents,
    };
  });
  const at = new Date(order.processed_at ?? order.created_at ?? '');
  const country = order.shipping_address?.country_code;
  const report = {
    ...{ orderId: order.id, currency, items, amountCents: cents(order.subtotal_price) - (order.taxes_included ? taxOfItems : 0) },
    customer: { externalId: order.customer?.id ?? null, email: order.email ?? order.customer?.email ?? null, ...(country && { country }) },
    ...{ taxCents: cents(order.total_tax), discountCents: cents(order.total_discounts) },
    shippingCents: cents(order.total_shipping_price_set?.shop_money.amount),
    ...(!Number.isNaN(at.getTime()) && { occurredAt: at.toISOString() }),
  };
  const hints = hintsOf(
    hintsAmong((order.note_attributes ?? []).map(({ name, value }) => [name, value] as const)),
    hintsInAddress(order.landing_site),
    hintInCodes((order.discount_codes ?? []).map(({ code }) => code)),
  );
  const lineIds = order.line_items.map(({ id }) => id);
  return { kind: 'order', report, hints, names: [order.id], hintsUnder: [order.id], grossCents: cents(order.total_price), lineIds };
}

function readRefund(refund: z.output<typeof RefundCreated>): Reading {
  const act = refundOf([refund.order_id], refund, null);
  return act ? { subject: refund.order_id, acts: [act] } : ignored('nothing of the goods was given back');
}

/** By the units of its items; where it names none, by what was paid back less what was for shipping. */
function refundOf(of: string[], refund: Refund, currency: string | null): Act | null {
  const units = (refund.refund_line_items ?? []).map(({ line_item_id, quantity }): Units => ({ lineId: line_item_id, quantity }));
  const counted = currency ?? refund.transactions?.[0]?.currency?.toUpperCase() ?? 'USD';
  const sum = (amounts: readonly (string | number)[]) => amounts.reduce<number>((all, value) => all + Math.abs(centsOf(value, counted)), 0);
  const paidBack = (refund.transactions ?? []).filter(
    ({ kind, status }) => kind === 'refund' && status !== 'failure' && status !== 'error',
  );
  const shipping = (refund.order_adjustments ?? []).filter(({ kind }) => kind === 'shipping_refund');
  const amountCents =
    sum(paidBack.map(({ amount }) => amount)) - sum(shipping.flatMap(({ amount, tax_amount }) => [amount, tax_amount ?? 0]));
  if (units.length === 0 && amountCents <= 0) return null;
  return { kind: 'refund', of, refundId: `shopify:${refund.id}`, amountCents: Math.max(0, amountCents), units, reason: 'refund' };
}

function centsOf(value: string | number, currency: string): number {
  const cents = minorUnits(value, currency);
  if (cents === null) throw new Unreadable(`"${String(value).slice(0, 20)}" is no amount in ${currency}.`);
  return cents;
}

function ignored(why: string): Reading {
  return { subject: null, acts: [], ignored: why };
}
