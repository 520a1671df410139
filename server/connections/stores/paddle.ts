// Paddle Billing: settings, signatures and products. Its events are in paddle/events.ts.
import { z } from 'zod';
import { webAddress } from '../../platform/http/declaration/fields.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { HttpResponse } from '../../platform/lib/http.ts';
import { BadSignature, type Delivery, MalformedEvent } from '../rails/rail.ts';
import { checkAge } from '../rails/standard-webhooks.ts';
import { PaddleEvent, parsePaddleEvent } from './paddle/events.ts';
import { parsePayload, secretText, verifyHmac } from './payload.ts';
import { type ProductList, type ProductPage, type StoreConnection, StoreRejection, type StoreType } from './store.ts';
import { buildGet, buildProduct, parseResponse, trimSlash } from './store-api.ts';

export const paddle: StoreType = {
  type: 'paddle',
  config: z.strictObject({ apiUrl: webAddress.default('https://api.paddle.com') }),
  secrets: z.strictObject({ webhookSecret: secretText, apiKey: secretText }),
  capabilities: ['orders', 'refunds', 'disputes', 'subscriptions', 'products'],
  buildTestRequest: ({ config, secrets: { apiKey } }) =>
    apiKey === undefined ? null : buildGet(`${trimSlash(config.apiUrl)}/products?per_page=1`, { authorization: `Bearer ${apiKey}` }),
  verifyDelivery(delivery, { secrets }, clock) {
    verifySignature(delivery, secrets.webhookSecret, clock);
    const payload = delivery.body.toString('utf8');
    const event = PaddleEvent.safeParse(parsePayload(payload));
    if (!event.success) throw new MalformedEvent();
    const { event_id: externalId, event_type: topic, occurred_at: time } = event.data;
    const occurredAt = new Date(time ?? '');
    return [{ externalId, topic, occurredAt: Number.isNaN(occurredAt.getTime()) ? null : occurredAt, payload }];
  },
  parseEvent: parsePaddleEvent,
  listProducts,
  createCoupon: null,
};

/** `ts=…;h1=…`, with several `h1` while a secret is rotated. The timestamp is part of the signed content. */
function verifySignature({ headers, body }: Delivery, secret: string | undefined, clock: Clock): void {
  const parts = (headers['paddle-signature'] ?? '').split(';').map((part) => part.trim().split('=', 2) as [string, string?]);
  const timestamp = parts.find(([name]) => name === 'ts')?.[1] ?? '';
  const signatures = parts.flatMap(([name, value]) => (name === 'h1' && value ? [value] : []));
  if (signatures.length === 0 || timestamp === '') throw new BadSignature('missing_signature');
  verifyHmac(signatures, { secret, content: Buffer.concat([Buffer.from(`${timestamp}:`), body]), encoding: 'hex' });
  checkAge(new Date(Number(timestamp) * 1000), clock);
}

const Price = z.object({
  status: z.string().nullish(),
  unit_price: z.object({ amount: z.string(), currency_code: z.string() }),
});
const Product = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullish(),
  image_url: z.string().nullish(),
  prices: z.array(Price).nullish(),
});
const ProductPageBody = z.object({
  data: z.array(Product),
  meta: z.object({ pagination: z.object({ has_more: z.boolean() }) }),
});

function listProducts({ config, secrets, currency, websiteUrl }: StoreConnection): ProductList {
  if (secrets.apiKey === undefined) throw new StoreRejection("apiKey is not set, so products can't be read.");
  const firstUrl = `${trimSlash(config.apiUrl)}/products?status=active&include=prices&order_by=id%5BASC%5D&per_page=200`;
  const parsePage = (response: HttpResponse): ProductPage => {
    const { data, meta } = parseResponse(ProductPageBody, response);
    const products = data.map(({ id, name, description, image_url: imageUrl, prices }) => {
      const priceCents = findPrice(prices ?? [], currency);
      return buildProduct({ externalId: id, name, priceCents, checkoutUrl: websiteUrl, description, imageUrl });
    });
    // The next page is addressed here: a response can't send the API key to another host.
    const lastId = data.at(-1)?.id;
    return { products, nextUrl: meta.pagination.has_more && lastId ? `${firstUrl}&after=${encodeURIComponent(lastId)}` : null };
  };
  return { firstUrl, headers: { authorization: `Bearer ${secrets.apiKey}` }, parsePage };
}

/** The first active price in the currency of the program, in its smallest unit like all of Paddle's amounts. */
function findPrice(prices: readonly z.output<typeof Price>[], currency: string): number | null {
  const price = prices.find(({ status, unit_price: { currency_code: code } }) => status !== 'archived' && code.toUpperCase() === currency);
  const cents = Number(price?.unit_price.amount ?? Number.NaN);
  return Number.isSafeInteger(cents) ? cents : null;
}
