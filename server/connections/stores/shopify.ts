// Shopify: settings, signatures, events and products. Only the body of a delivery is signed, so nothing that moves
// money depends only on a header. The payload of an order lists its refunds, so each delivery states the total.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { webAddress } from '../../platform/http/declaration/fields.ts';
import type { HttpResponse } from '../../platform/lib/http.ts';
import type { Delivery } from '../rails/rail.ts';
import { decimalAmount, parseAmount, toMinorUnits } from './amounts.ts';
import { parseAs, parsePayload, secretText, storeId, verifyHmac } from './payload.ts';
import { findCouponCode, findSignals, findSignalsInUrl, mergeSignals } from './signals.ts';
import {
  type EventSettings,
  ignore,
  type OrderAction,
  type ParsedEvent,
  type ProductList,
  type ProductPage,
  type References,
  type StoreAction,
  type StoreConnection,
  type StoreEvent,
  type StoreItem,
  StoreRejection,
  type StoreSettings,
  type StoreType,
} from './store.ts';
import { asText, buildGet, buildProduct, parseResponse, trimSlash } from './store-api.ts';

const ShopDomain = z
  .string()
  .transform((text) => text.trim().toLowerCase())
  .refine((text) => /^[a-z0-9][a-z0-9-]*\.myshopify\.com$/.test(text), { error: 'must be a domain such as fern.myshopify.com' });

export const shopify: StoreType = {
  type: 'shopify',
  config: z.strictObject({
    shop: ShopDomain,
    apiUrl: webAddress.optional(),
    apiVersion: z
      .string()
      .regex(/^\d{4}-\d{2}$/, 'must be a version like 2025-10')
      .default('2025-10'),
  }),
  secrets: z.strictObject({ webhookSecret: secretText, accessToken: secretText }),
  capabilities: ['orders', 'refunds', 'products', 'coupons'],
  buildTestRequest: ({ config, secrets: { accessToken } }) =>
    accessToken === undefined ? null : buildGet(`${buildApiUrl(config)}/products.json?limit=1`, { 'x-shopify-access-token': accessToken }),
  verifyDelivery,
  parseEvent,
  listProducts,
  createCoupon: null,
};

/** The Admin API of the shop. */
function buildApiUrl({ shop, apiUrl, apiVersion }: StoreSettings['config']): string {
  return `${apiUrl === undefined ? `https://${asText(shop)}` : trimSlash(apiUrl)}/admin/api/${asText(apiVersion)}`;
}

function verifyDelivery({ headers, body }: Delivery, { secrets }: Pick<StoreSettings, 'secrets'>): StoreEvent[] {
  const signature = headers['x-shopify-hmac-sha256'];
  verifyHmac(signature === undefined ? [] : [signature], { secret: secrets.webhookSecret, content: body, encoding: 'base64' });
  const payload = body.toString('utf8');
  parsePayload(payload);
  const topic = (headers['x-shopify-topic'] ?? 'unknown').slice(0, 100);
  const id = headers['x-shopify-event-id'] ?? headers['x-shopify-webhook-id'] ?? createHash('sha256').update(body).digest('hex');
  const triggeredAt = new Date(headers['x-shopify-triggered-at'] ?? '');
  const occurredAt = Number.isNaN(triggeredAt.getTime()) ? null : triggeredAt;
  return [{ externalId: `${topic}:${id}`.slice(0, 255), topic, occurredAt, payload }];
}

const Refund = z.object({
  id: storeId,
  refund_line_items: z.array(z.object({ line_item_id: storeId, quantity: z.int() })).nullish(),
  transactions: z
    .array(z.object({ kind: z.string(), status: z.string().nullish(), amount: decimalAmount, currency: z.string().nullish() }))
    .nullish(),
  order_adjustments: z
    .array(z.object({ kind: z.string().nullish(), amount: decimalAmount, tax_amount: decimalAmount.nullish() }))
    .nullish(),
});
type Refund = z.output<typeof Refund>;
const RefundCreated = Refund.extend({ order_id: storeId });

const LineItem = z.object({
  id: storeId,
  product_id: storeId.nullish(),
  sku: z.string().nullish(),
  title: z.string().nullish(),
  quantity: z.int(),
  price: decimalAmount,
  discount_allocations: z.array(z.object({ amount: decimalAmount })).nullish(),
  tax_lines: z.array(z.object({ price: decimalAmount })).nullish(),
});

const Order = z.object({
  id: storeId,
  test: z.boolean().nullish(),
  email: z.string().nullish(),
  currency: z.string(),
  financial_status: z.string().nullish(),
  cancelled_at: z.string().nullish(),
  created_at: z.string().nullish(),
  processed_at: z.string().nullish(),
  subtotal_price: decimalAmount,
  total_price: decimalAmount,
  total_tax: decimalAmount.nullish(),
  total_discounts: decimalAmount.nullish(),
  taxes_included: z.boolean().nullish(),
  total_shipping_price_set: z.object({ shop_money: z.object({ amount: decimalAmount }) }).nullish(),
  customer: z.object({ id: storeId, email: z.string().nullish() }).nullish(),
  shipping_address: z.object({ country_code: z.string().nullish() }).nullish(),
  line_items: z.array(LineItem),
  discount_codes: z.array(z.object({ code: z.string() })).nullish(),
  note_attributes: z.array(z.object({ name: z.string(), value: z.unknown() })).nullish(),
  landing_site: z.string().nullish(),
  refunds: z.array(Refund).nullish(),
});
type Order = z.output<typeof Order>;

const paidStatuses = new Set(['paid', 'partially_refunded', 'refunded']);

function parseEvent(topic: string, payload: unknown, { isLive }: EventSettings): ParsedEvent {
  if (topic === 'refunds/create') return parseRefundCreated(parseAs(RefundCreated, payload));
  // The edited order itself is delivered as orders/updated.
  if (topic === 'orders/edited') return ignore('superseded_topic');
  if (!['orders/paid', 'orders/updated', 'orders/cancelled'].includes(topic)) return ignore('unsupported_topic');
  const order = parseAs(Order, payload);
  if (isLive && order.test) return ignore('test_event');
  return parseOrder(order, topic);
}

/** Only `orders/paid` creates an order; other topics that arrive before it wait. */
function parseOrder(order: Order, topic: string): ParsedEvent {
  const references = [order.id];
  const actions = (order.refunds ?? []).flatMap((refund) => buildRefund(references, refund, order.currency.toUpperCase()) ?? []);
  if (order.cancelled_at) {
    const isFinal = paidStatuses.has(order.financial_status ?? '');
    actions.push({ kind: 'cancellation', references, refundId: `shopify:${order.id}:cancelled`, reason: 'cancelled', isFinal });
  }
  if (topic !== 'orders/paid') return actions.length > 0 ? { subject: order.id, actions } : ignore('nothing_refunded');
  if (!paidStatuses.has(order.financial_status ?? 'paid')) return ignore('not_paid');
  return { subject: order.id, actions: [buildOrderAction(order), ...actions] };
}

function buildOrderAction(order: Order): OrderAction {
  const currency = order.currency.toUpperCase();
  const parse = (value: string | number | null | undefined) => parseAmount(value ?? 0, currency);
  const itemTaxCents = order.line_items.flatMap((item) => item.tax_lines ?? []).reduce((all, { price }) => all + parse(price), 0);
  const orderedAt = new Date(order.processed_at ?? order.created_at ?? '');
  return {
    kind: 'order',
    order: {
      orderId: order.id,
      amountCents: parse(order.subtotal_price) - (order.taxes_included ? itemTaxCents : 0),
      currency,
      items: order.line_items.map((item) => buildItem(item, parse)),
      customer: {
        externalId: order.customer?.id ?? null,
        email: order.email ?? order.customer?.email ?? null,
        country: order.shipping_address?.country_code || undefined,
      },
      taxCents: parse(order.total_tax),
      shippingCents: parse(order.total_shipping_price_set?.shop_money.amount),
      discountCents: parse(order.total_discounts),
      occurredAt: Number.isNaN(orderedAt.getTime()) ? undefined : orderedAt.toISOString(),
    },
    signals: mergeSignals(
      findSignals((order.note_attributes ?? []).map(({ name, value }) => [name, value])),
      findSignalsInUrl(order.landing_site),
      findCouponCode((order.discount_codes ?? []).map(({ code }) => code)),
    ),
    references: [order.id],
    signalReferences: [order.id],
    grossCents: parse(order.total_price),
    lineIds: order.line_items.map(({ id }) => id),
  };
}

function buildItem(item: z.output<typeof LineItem>, parse: (value: string | number) => number): StoreItem {
  const amountCents = parse(item.price) * item.quantity;
  const discountCents = (item.discount_allocations ?? []).reduce((all, { amount }) => all + parse(amount), 0);
  return {
    externalProductId: item.product_id ?? null,
    sku: item.sku?.trim() || null,
    name: item.title?.trim().slice(0, 200) || null,
    quantity: item.quantity,
    amountCents,
    discountCents: Math.min(amountCents, discountCents),
  };
}

function parseRefundCreated(refund: z.output<typeof RefundCreated>): ParsedEvent {
  const action = buildRefund([refund.order_id], refund, null);
  return action ? { subject: refund.order_id, actions: [action] } : ignore('nothing_refunded');
}

/** By the units of its items; without items, by the amount paid back less its shipping. */
function buildRefund(references: References, refund: Refund, currency: string | null): StoreAction | null {
  const units = (refund.refund_line_items ?? []).map((item) => ({ lineId: item.line_item_id, quantity: item.quantity }));
  const used = currency ?? refund.transactions?.[0]?.currency?.toUpperCase() ?? 'USD';
  const sum = (amounts: readonly (string | number)[]) =>
    amounts.reduce<number>((all, value) => all + Math.abs(parseAmount(value, used)), 0);
  const paidBack = (refund.transactions ?? []).filter(
    ({ kind, status }) => kind === 'refund' && status !== 'failure' && status !== 'error',
  );
  const shipping = (refund.order_adjustments ?? []).filter(({ kind }) => kind === 'shipping_refund');
  const amountCents =
    sum(paidBack.map(({ amount }) => amount)) - sum(shipping.flatMap(({ amount, tax_amount: taxAmount }) => [amount, taxAmount ?? 0]));
  if (units.length === 0 && amountCents <= 0) return null;
  return { kind: 'refund', references, refundId: `shopify:${refund.id}`, amountCents: Math.max(0, amountCents), units, reason: 'refund' };
}

const Product = z.object({
  id: storeId,
  title: z.string(),
  body_html: z.string().nullish(),
  handle: z.string(),
  product_type: z.string().nullish(),
  vendor: z.string().nullish(),
  images: z.array(z.object({ src: z.string() })).nullish(),
  variants: z.array(z.object({ price: decimalAmount.nullish(), sku: z.string().nullish() })).nullish(),
});

function listProducts({ config, secrets, currency }: StoreConnection): ProductList {
  if (secrets.accessToken === undefined) throw new StoreRejection("accessToken is not set, so products can't be read.");
  const baseUrl = `${buildApiUrl(config)}/products.json?limit=250`;
  const parsePage = (response: HttpResponse): ProductPage => {
    const products = parseResponse(z.object({ products: z.array(Product) }), response).products.map((product) =>
      buildProduct({
        externalId: product.id,
        name: product.title,
        priceCents: toMinorUnits(product.variants?.[0]?.price, currency),
        checkoutUrl: `https://${asText(config.shop)}/products/${encodeURIComponent(product.handle)}`,
        sku: product.variants?.[0]?.sku,
        description: product.body_html,
        category: product.product_type,
        brand: product.vendor,
        imageUrl: product.images?.[0]?.src,
      }),
    );
    // Only the page token is taken from the link, so that the access token is never sent to another host.
    const pageInfo = /<[^>]*[?&]page_info=([\w=-]+)[^>]*>;\s*rel="?next/.exec(response.headers.link ?? '')?.[1];
    return { products, nextUrl: pageInfo === undefined ? null : `${baseUrl}&page_info=${pageInfo}` };
  };
  return { firstUrl: `${baseUrl}&status=active`, headers: { 'x-shopify-access-token': secrets.accessToken }, parsePage };
}
