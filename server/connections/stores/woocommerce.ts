// WooCommerce: settings, signatures, events, products and coupons. Each delivery contains the present state of the
// order, so the first one to arrive creates it, and each states its refunds in full.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { line, webAddress } from '../../platform/http/declaration/fields.ts';
import { toDecimal } from '../../platform/lib/currency.ts';
import type { Http, HttpResponse } from '../../platform/lib/http.ts';
import type { Delivery } from '../rails/rail.ts';
import { decimalAmount, parseAmount, toMinorUnits } from './amounts.ts';
import { parseAs, parsePayload, secretText, storeId, verifyHmac } from './payload.ts';
import { findCouponCode, findSignals, findSignalsInUrl, mergeSignals } from './signals.ts';
import {
  ignore,
  type OrderAction,
  type ParsedEvent,
  type ProductList,
  type ProductPage,
  type StoreAction,
  type StoreConnection,
  type StoreCoupon,
  type StoreEvent,
  type StoreItem,
  StoreRejection,
  type StoreSettings,
  type StoreType,
} from './store.ts';
import { buildGet, buildProduct, callStore, parseResponse, trimSlash } from './store-api.ts';

export const woocommerce: StoreType = {
  type: 'woocommerce',
  config: z.strictObject({
    url: webAddress,
    orderPrefix: line(20)
      .optional()
      .describe('Prepended to order ids. Required when several stores of the program number their orders alike.'),
  }),
  secrets: z.strictObject({ webhookSecret: secretText, consumerKey: secretText, consumerSecret: secretText }),
  capabilities: ['orders', 'refunds', 'products', 'coupons'],
  buildTestRequest({ config, secrets }) {
    const authorization = buildAuthorization(secrets);
    return authorization === null ? null : buildGet(`${buildApiUrl(config)}/products?per_page=1`, { authorization });
  },
  verifyDelivery,
  parseEvent(topic, payload, { config }) {
    if (!/^order\.(created|updated|restored)$/.test(topic)) return ignore('unsupported_topic');
    return parseOrder(parseAs(Order, payload), typeof config.orderPrefix === 'string' ? config.orderPrefix : '');
  },
  listProducts,
  createCoupon,
};

function buildApiUrl({ url }: StoreSettings['config']): string {
  return `${trimSlash(url)}/wp-json/wc/v3`;
}

/** The authorization header; null if the keys are not set. */
function buildAuthorization({ consumerKey, consumerSecret }: StoreSettings['secrets']): string | null {
  if (consumerKey === undefined || consumerSecret === undefined) return null;
  return `Basic ${Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64')}`;
}

function requireAuthorization(secrets: StoreSettings['secrets']): string {
  const authorization = buildAuthorization(secrets);
  if (authorization === null) throw new StoreRejection("consumerKey and consumerSecret are not set, so products can't be read.");
  return authorization;
}

function verifyDelivery({ headers, body }: Delivery, { secrets }: Pick<StoreSettings, 'secrets'>): StoreEvent[] {
  const payload = body.toString('utf8');
  const signature = headers['x-wc-webhook-signature'];
  // WooCommerce sends this unsigned when the webhook is created, to test that the address responds.
  if (signature === undefined && /^webhook_id=\d{1,20}$/.test(payload)) return [];
  verifyHmac(signature === undefined ? [] : [signature], { secret: secrets.webhookSecret, content: body, encoding: 'base64' });
  parsePayload(payload);
  const topic = (headers['x-wc-webhook-topic'] ?? 'unknown').slice(0, 100);
  // Delivery ids consist of the webhook and the second, so two orders can share one; the body distinguishes them.
  const externalId = `${topic}:${createHash('sha256').update(body).digest('hex')}`;
  return [{ externalId, topic, occurredAt: null, payload }];
}

const LineItem = z.object({
  id: storeId,
  product_id: storeId.nullish(),
  sku: z.string().nullish(),
  name: z.string().nullish(),
  quantity: z.number(),
  subtotal: decimalAmount,
  total: decimalAmount,
});

const Order = z.object({
  id: storeId,
  status: z.string(),
  currency: z.string(),
  total: decimalAmount,
  total_tax: decimalAmount.nullish(),
  shipping_total: decimalAmount.nullish(),
  discount_total: decimalAmount.nullish(),
  customer_id: storeId.nullish(),
  billing: z.object({ email: z.string().nullish(), country: z.string().nullish() }).nullish(),
  date_created_gmt: z.string().nullish(),
  date_paid_gmt: z.string().nullish(),
  line_items: z.array(LineItem),
  coupon_lines: z.array(z.object({ code: z.string() })).nullish(),
  meta_data: z.array(z.object({ key: z.string(), value: z.unknown() })).nullish(),
  refunds: z.array(z.object({ id: storeId, total: decimalAmount })).nullish(),
});
type Order = z.output<typeof Order>;

const paidStatuses = new Set(['processing', 'completed', 'refunded']);

/** The metadata field with the URL of the visitor's landing page. */
const landingPageField = '_wc_order_attribution_session_entry';

function parseOrder(order: Order, prefix: string): ParsedEvent {
  const orderId = `${prefix}${order.id}`;
  const references = [orderId];
  const isPaid = paidStatuses.has(order.status);
  if (!isPaid && order.status !== 'cancelled') return ignore('not_paid');
  const currency = order.currency.toUpperCase();
  const cancellation: StoreAction = {
    kind: 'cancellation',
    references,
    refundId: `woocommerce:${orderId}:${order.status}`,
    reason: order.status === 'refunded' ? 'refund' : 'cancelled',
    isFinal: isPaid || Boolean(order.date_paid_gmt),
  };
  const refunds = (order.refunds ?? []).map(({ id, total }): StoreAction => {
    const amountCents = Math.abs(parseAmount(total, currency));
    return { kind: 'refund', references, refundId: `woocommerce:${orderId}:${id}`, amountCents, units: [], reason: 'refund' };
  });
  if (order.status === 'cancelled') return { subject: orderId, actions: [...refunds, cancellation] };
  const created = buildOrderAction(order, orderId);
  const edit: StoreAction = { kind: 'edit', references, source: `woocommerce:${orderId}:edit`, amountCents: created.order.amountCents };
  const actions = [created, edit, ...refunds];
  return { subject: orderId, actions: order.status === 'refunded' ? [...actions, cancellation] : actions };
}

function buildOrderAction(order: Order, orderId: string): OrderAction {
  const currency = order.currency.toUpperCase();
  const parse = (value: string | number | null | undefined) => parseAmount(value ?? 0, currency);
  const items = order.line_items.map((item) => buildItem(item, parse));
  const metadata = (order.meta_data ?? []).map(({ key, value }) => [key, value] as const);
  return {
    kind: 'order',
    order: {
      orderId,
      amountCents: items.reduce((all, item) => all + item.amountCents - item.discountCents, 0),
      currency,
      items,
      customer: {
        // Guests have the customer id 0.
        externalId: order.customer_id && order.customer_id !== '0' ? order.customer_id : null,
        email: order.billing?.email || null,
        country: order.billing?.country || undefined,
      },
      taxCents: parse(order.total_tax),
      shippingCents: parse(order.shipping_total),
      discountCents: parse(order.discount_total),
      occurredAt: order.date_created_gmt ? `${order.date_created_gmt.replace(/Z$/, '')}Z` : undefined,
    },
    signals: mergeSignals(
      findSignals(metadata),
      findSignalsInUrl(metadata.find(([key]) => key === landingPageField)?.[1]),
      findCouponCode((order.coupon_lines ?? []).map(({ code }) => code)),
    ),
    references: [orderId],
    signalReferences: [orderId],
    grossCents: parse(order.total),
    lineIds: order.line_items.map(({ id }) => id),
  };
}

function buildItem(item: z.output<typeof LineItem>, parse: (value: string | number) => number): StoreItem {
  const amountCents = Math.max(parse(item.subtotal), parse(item.total));
  return {
    externalProductId: item.product_id ?? null,
    sku: item.sku?.trim() || null,
    name: item.name?.trim().slice(0, 200) || null,
    quantity: Math.max(1, Math.floor(item.quantity)),
    amountCents,
    discountCents: amountCents - parse(item.total),
  };
}

const Product = z.object({
  id: storeId,
  name: z.string(),
  permalink: z.string(),
  price: decimalAmount.nullish(),
  sku: z.string().nullish(),
  short_description: z.string().nullish(),
  images: z.array(z.object({ src: z.string() })).nullish(),
  categories: z.array(z.object({ name: z.string() })).nullish(),
});

function listProducts({ config, secrets, currency }: StoreConnection): ProductList {
  const authorization = requireAuthorization(secrets);
  const baseUrl = `${buildApiUrl(config)}/products?status=publish&per_page=100`;
  let page = 1;
  const parsePage = (response: HttpResponse): ProductPage => {
    const products = parseResponse(z.array(Product), response).map((product) =>
      buildProduct({
        externalId: product.id,
        name: product.name,
        priceCents: toMinorUnits(product.price, currency),
        checkoutUrl: product.permalink,
        sku: product.sku,
        description: product.short_description,
        category: product.categories?.[0]?.name,
        imageUrl: product.images?.[0]?.src,
      }),
    );
    page += 1;
    const hasMore = Number(response.headers['x-wp-totalpages'] ?? 1) >= page;
    return { products, nextUrl: hasMore ? `${baseUrl}&page=${page}` : null };
  };
  return { firstUrl: `${baseUrl}&page=1`, headers: { authorization }, parsePage };
}

const Created = z.object({ id: storeId });

async function createCoupon(coupon: StoreCoupon, { config, secrets, currency }: StoreConnection, http: Http): Promise<string> {
  const url = `${buildApiUrl(config)}/coupons`;
  const headers = { authorization: requireAuthorization(secrets), 'content-type': 'application/json' };
  const lookup = await callStore(http, buildGet(`${url}?code=${encodeURIComponent(coupon.code)}`, headers));
  const [existing] = parseResponse(z.array(Created), lookup);
  if (existing) return existing.id;
  const body = JSON.stringify(buildCoupon(coupon, currency));
  return parseResponse(Created, await callStore(http, { method: 'POST', url, headers, body })).id;
}

function buildCoupon({ code, discount, minOrderCents, endsAt, maxRedemptions }: StoreCoupon, currency: string): object {
  const isPercentage = 'percent' in discount;
  return {
    code,
    discount_type: isPercentage ? 'percent' : 'fixed_cart',
    amount: isPercentage ? String(discount.percent) : toDecimal(discount.cents, currency),
    minimum_amount: minOrderCents === null ? undefined : toDecimal(minOrderCents, currency),
    date_expires_gmt: endsAt?.toISOString().slice(0, 19),
    usage_limit: maxRedemptions ?? undefined,
  };
}
