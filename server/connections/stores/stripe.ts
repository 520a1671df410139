// Stripe as a store: settings, signatures, products, and coupons with their promotion codes.
// Events are parsed in stripe-events.ts.
import { z } from 'zod';
import { webAddress } from '../../platform/http/declaration/fields.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { formatCents } from '../../platform/lib/currency.ts';
import type { Http, HttpResponse } from '../../platform/lib/http.ts';
import { BadSignature, type Delivery, MalformedEvent } from '../rails/rail.ts';
import { checkAge } from '../rails/standard-webhooks.ts';
import { fromStripeUnits, toStripeUnits } from '../rails/stripe/amounts.ts';
import { parsePayload, secretText, storeId, verifyHmac } from './payload.ts';
import type { ProductList, ProductPage, StoreConnection, StoreCoupon, StoreType } from './store.ts';
import { StoreRejection } from './store.ts';
import { buildGet, buildProduct, callStore, parseResponse, trimSlash } from './store-api.ts';
import { parseStripeEvent, StripeEvent } from './stripe-events.ts';

export const stripe: StoreType = {
  type: 'stripe',
  config: z.strictObject({ apiUrl: webAddress.default('https://api.stripe.com') }),
  secrets: z.strictObject({ webhookSecret: secretText, apiKey: secretText }),
  capabilities: ['orders', 'refunds', 'disputes', 'subscriptions', 'products', 'coupons'],
  buildTestRequest: ({ config, secrets: { apiKey } }) =>
    apiKey === undefined ? null : buildGet(`${trimSlash(config.apiUrl)}/v1/products?limit=1`, { authorization: `Bearer ${apiKey}` }),
  verifyDelivery(delivery, { secrets }, clock) {
    verifySignature(delivery, secrets.webhookSecret, clock);
    const payload = delivery.body.toString('utf8');
    const event = StripeEvent.safeParse(parsePayload(payload));
    if (!event.success) throw new MalformedEvent();
    const { id, type, created } = event.data;
    return [{ externalId: id, topic: type, occurredAt: created === undefined ? null : new Date(created * 1000), payload }];
  },
  parseEvent: parseStripeEvent,
  listProducts,
  createCoupon,
};

/** `t=…,v1=…`: the timestamp is part of the signed content, so an old delivery can't be replayed as a new one. */
function verifySignature({ headers, body }: Delivery, secret: string | undefined, clock: Clock): void {
  const parts = (headers['stripe-signature'] ?? '').split(',').map((part) => part.trim().split('=', 2) as [string, string?]);
  const timestamp = parts.find(([name]) => name === 't')?.[1] ?? '';
  const signatures = parts.flatMap(([name, value]) => (name === 'v1' && value ? [value] : []));
  if (signatures.length === 0 || timestamp === '') throw new BadSignature('missing_signature');
  if (!/^\d{1,12}$/.test(timestamp)) throw new BadSignature('malformed');
  verifyHmac(signatures, { secret, content: Buffer.concat([Buffer.from(`${timestamp}.`), body]), encoding: 'hex' });
  checkAge(new Date(Number(timestamp) * 1000), clock);
}

const Product = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullish(),
  images: z.array(z.string()).nullish(),
  url: z.string().nullish(),
  default_price: z.object({ unit_amount: z.number().nullish(), currency: z.string() }).nullish(),
});
const ProductPageBody = z.object({ data: z.array(Product), has_more: z.boolean() });

function listProducts({ config, secrets, currency, websiteUrl }: StoreConnection): ProductList {
  if (secrets.apiKey === undefined) throw new StoreRejection("apiKey is not set, so products can't be read.");
  const firstUrl = `${trimSlash(config.apiUrl)}/v1/products?active=true&limit=100&expand%5B%5D=data.default_price`;
  const parsePage = (response: HttpResponse): ProductPage => {
    const { data, has_more: hasMore } = parseResponse(ProductPageBody, response);
    const products = data.map(({ id, name, description, images, url, default_price: price }) => {
      const amount = price?.currency.toUpperCase() === currency ? price.unit_amount : null;
      const priceCents = typeof amount === 'number' ? fromStripeUnits(amount, currency) : null;
      return buildProduct({ externalId: id, name, priceCents, checkoutUrl: url ?? websiteUrl, description, imageUrl: images?.[0] });
    });
    const lastId = data.at(-1)?.id;
    return { products, nextUrl: hasMore && lastId ? `${firstUrl}&starting_after=${encodeURIComponent(lastId)}` : null };
  };
  return { firstUrl, headers: { authorization: `Bearer ${secrets.apiKey}` }, parsePage };
}

const Created = z.object({ id: storeId });
const CodeList = z.object({ data: z.array(Created) });

function toStripeText(cents: number, currency: string): string {
  const amount = toStripeUnits(cents, currency);
  if (amount === null) throw new StoreRejection(`Stripe has no coupons of ${formatCents(cents, currency)}: use a whole amount.`);
  return String(amount);
}

/** A coupon, and a promotion code for it. Newer API versions nest the coupon elsewhere, so the version is fixed. */
async function createCoupon(coupon: StoreCoupon, connection: StoreConnection, http: Http): Promise<string> {
  const { config, secrets, currency } = connection;
  const headers = { authorization: `Bearer ${secrets.apiKey}`, 'stripe-version': '2024-06-20' };
  const baseUrl = `${trimSlash(config.apiUrl)}/v1`;
  const lookup = buildGet(`${baseUrl}/promotion_codes?limit=1&code=${encodeURIComponent(coupon.code)}`, headers);
  const [existing] = parseResponse(CodeList, await callStore(http, lookup)).data;
  if (existing) return existing.id;
  const create = async (path: string, step: string, fields: Record<string, string>): Promise<string> => {
    const form = { 'content-type': 'application/x-www-form-urlencoded', 'idempotency-key': `tributary-${step}-${coupon.id}` };
    const body = new URLSearchParams(fields).toString();
    return parseResponse(
      Created,
      await callStore(http, { method: 'POST', url: `${baseUrl}/${path}`, headers: { ...headers, ...form }, body }),
    ).id;
  };
  const couponId = await create('coupons', 'coupon', buildCouponFields(coupon, currency));
  return create('promotion_codes', 'code', buildCodeFields(coupon, { couponId, currency }));
}

function buildCouponFields({ code, discount }: StoreCoupon, currency: string): Record<string, string> {
  const fields: Record<string, string> = { duration: 'once', name: code.slice(0, 40) };
  if ('percent' in discount) fields.percent_off = String(discount.percent);
  else {
    fields.amount_off = toStripeText(discount.cents, currency);
    fields.currency = currency.toLowerCase();
  }
  return fields;
}

function buildCodeFields(
  { code, endsAt, maxRedemptions, minOrderCents }: StoreCoupon,
  { couponId, currency }: { couponId: string; currency: string },
): Record<string, string> {
  const fields: Record<string, string> = { coupon: couponId, code };
  if (endsAt) fields.expires_at = String(Math.floor(endsAt.getTime() / 1000));
  if (maxRedemptions !== null) fields.max_redemptions = String(maxRedemptions);
  if (minOrderCents !== null) {
    fields['restrictions[minimum_amount]'] = toStripeText(minOrderCents, currency);
    fields['restrictions[minimum_amount_currency]'] = currency.toLowerCase();
  }
  return fields;
}
