// WooCommerce: how its deliveries are signed, and what its events mean. Each delivery holds the order as it is by
// now, so whichever comes first makes the order, and each says what was given back in all.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type Act, type Reader, type Reading, Unreadable } from '../act.ts';
import { minorUnits, money } from '../amounts.ts';
import { hintInCodes, hintsAmong, hintsInAddress, hintsOf } from './hints.ts';
import { parsePayload, readAs, requireHmac, shopId } from './signature.ts';

export const woocommerce: Reader = {
  check({ headers, body }, { secrets }) {
    const payload = body.toString('utf8');
    const given = headers['x-wc-webhook-signature'];
    // Sent unsigned when the webhook is made, to see whether somebody answers.
    if (given === undefined && /^webhook_id=\d{1,20}$/.test(payload)) return [];
    requireHmac(given === undefined ? [] : [given], { secret: secrets.webhookSecret, content: body, encoding: 'base64' });
    parsePayload(payload);
    const topic = (headers['x-wc-webhook-topic'] ?? 'unknown').slice(0, 100);
    // Its delivery ids are made of the webhook and the second, so two orders can share one; the body tells them apart.
    const externalId = `${topic}:${createHash('sha256').update(body).digest('hex')}`;
    return [{ externalId, topic, occurredAt: null, payload }];
  },
  read(topic, payload, { config }) {
    if (!/^order\.(created|updated|restored)$/.test(topic)) return ignored('a topic that says nothing about orders');
    return readOrder(readAs(Order, payload), typeof config.orderPrefix === 'string' ? config.orderPrefix : '');
  },
};

const Order = z.object({
  id: shopId,
  status: z.string(),
  currency: z.string(),
  total: money,
  total_tax: money.nullish(),
  shipping_total: money.nullish(),
  discount_total: money.nullish(),
  customer_id: shopId.nullish(),
  billing: z.object({ email: z.string().nullish(), country: z.string().nullish() }).nullish(),
  date_created_gmt: z.string().nullish(),
  date_paid_gmt: z.string().nullish(),
  line_items: z.array(
    z.object({
      id: shopId,
      product_id: shopId.nullish(),
      sku: z.string().nullish(),
      name: z.string().nullish(),
      quantity: z.number(),
      subtotal: money,
      total: money,
    }),
  ),
  coupon_lines: z.array(z.object({ code: z.string() })).nullish(),
  meta_data: z.array(z.object({ key: z.string(), value: z.unknown() })).nullish(),
  refunds: z.array(z.object({ id: shopId, total: money })).nullish(),
});
type Order = z.output<typeof Order>;

/** Where WooCommerce keeps by which page the visitor came. */
const landingPage = '_wc_order_attribution_session_entry';

function readOrder(order: Order, prefix: string): Reading {
  const orderId = `${prefix}${order.id}`;
  const of = [orderId];
  const isPaid = ['processing', 'completed', 'refunded'].includes(order.status);
  const cancelled: Act = {
    ...{
      kind: 'cancelled',
      of,
      refundId: `woocommerce:${orderId}:${order.status}`,
      reason: order.status === 'refunded' ? 'refund' : 'cancelled',
    },
    isFinal: isPaid || Boolean(order.date_paid_gmt),
  };
  if (!isPaid && order.status !== 'cancelled') return ignored(`the order is ${order.status.slice(0, 40)}`);
  const cents = (value: string | number) => centsOf(value, order.currency.toUpperCase());
  const refunds = (order.refunds ?? []).map(({ id, total }): Act => {
    const refundId = `woocommerce:${orderId}:${id}`;
    return { kind: 'refund', of, refundId, amountCents: Math.abs(cents(total)), units: [], reason: 'refund' };
  });
  if (order.status === 'cancelled') return { subject: orderId, acts: [...refunds, cancelled] };
  const made = orderOf(order, orderId);
  const lowered: Act = { kind: 'lowered', of, source: `woocommerce:${orderId}:edit`, amountCents: made.report.amountCents };
  return { subject: orderId, acts: [made, lowered, ...refunds, ...(order.status === 'refunded' ? [cancelled] : [])] };
}

function orderOf(order: Order, orderId: string): Extract<Act, { kind: 'order' }> {
  const currency = order.currency.toUpperCase();
  const cents = (value: string | number | null | undefined) => centsOf(value ?? 0, currency);
  const items = order.line_items.map((item) => {
    const amountCents = Math.max(cents(item.subtotal), cents(item.total));
    const name = item.name?.trim().slice(0, 200) || null;
    return {
      ...{ externalProductId: item.product_id ?? null, sku: item.sku?.trim() || null, name },
      ...{ quantity: Math.max(1, Math.floor(item.quantity)), amountCents, discountCents: amountCents - cents(item.total) },
    };
  });
  const country = order.billing?.country;
  const customerId = order.customer_id && order.customer_id !== '0' ? order.customer_id : null;
  const report = {
    ...{ orderId, currency, items, amountCents: items.reduce((all, item) => all + item.amountCents - item.discountCents, 0) },
    customer: { externalId: customerId, email: order.billing?.email || null, ...(country && { country }) },
    ...{ taxCents: cents(order.total_tax), shippingCents: cents(order.shipping_total), discountCents: cents(order.discount_total) },
    ...(order.date_created_gmt && { occurredAt: `${order.date_created_gmt.replace(/Z$/, '')}Z` }),
  };
  const meta = (order.meta_data ?? []).map(({ key, value }) => [key, value] as const);
  const hints = hintsOf(
    hintsAmong(meta),
    hintsInAddress(meta.find(([key]) => key === landingPage)?.[1]),
    hintInCodes((order.coupon_lines ?? []).map(({ code }) => code)),
  );
  const lineIds = order.line_items.map(({ id }) => id);
  return { kind: 'order', report, hints, names: [orderId], hintsUnder: [orderId], grossCents: cents(order.total), lineIds };
}

function centsOf(value: string | number, currency: string): number {
  const cents = minorUnits(value, currency);
  if (cents === null) throw new Unreadable(`"${String(value).slice(0, 20)}" is no amount in ${currency}.`);
  return cents;
}

function ignored(why: string): Reading {
  return { subject: null, acts: [], ignored: why };
}
