// Lemon Squeezy: settings, signatures and products. Its events are in lemon-squeezy/events.ts.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { line, webAddress } from '../../platform/http/declaration/fields.ts';
import type { HttpResponse } from '../../platform/lib/http.ts';
import { type Delivery, MalformedEvent } from '../rails/rail.ts';
import { buildConverter } from './lemon-squeezy/amounts.ts';
import { LemonSqueezyEvent, parseLemonSqueezyEvent } from './lemon-squeezy/events.ts';
import { parsePayload, secretText, storeId, verifyHmac } from './payload.ts';
import {
  type ProductList,
  type ProductPage,
  type StoreConnection,
  type StoreEvent,
  StoreRejection,
  type StoreSettings,
  type StoreType,
} from './store.ts';
import { buildGet, buildProduct, parseResponse, trimSlash } from './store-api.ts';

export const lemonSqueezy: StoreType = {
  type: 'lemon_squeezy',
  config: z.strictObject({
    apiUrl: webAddress.default('https://api.lemonsqueezy.com'),
    orderPrefix: line(20)
      .optional()
      .describe('Prepended to order ids. Required when several stores of the program number their orders alike.'),
  }),
  secrets: z.strictObject({ webhookSecret: secretText, apiKey: secretText }),
  generatedSecret: 'webhookSecret',
  capabilities: ['orders', 'refunds', 'subscriptions', 'products'],
  buildTestRequest: ({ config, secrets: { apiKey } }) =>
    apiKey === undefined ? null : buildGet(`${trimSlash(config.apiUrl)}/v1/products?page%5Bsize%5D=1`, buildHeaders(apiKey)),
  verifyDelivery,
  parseEvent: parseLemonSqueezyEvent,
  listProducts,
  createCoupon: null,
};

const jsonApi = 'application/vnd.api+json';

function buildHeaders(apiKey: string): Record<string, string> {
  return { accept: jsonApi, authorization: `Bearer ${apiKey}` };
}

/** Events have no id, so the body identifies them. The name of the event is read from the body, which is signed. */
function verifyDelivery({ headers, body }: Delivery, { secrets }: Pick<StoreSettings, 'secrets'>): StoreEvent[] {
  const signature = headers['x-signature'];
  verifyHmac(signature === undefined || signature === '' ? [] : [signature], {
    secret: secrets.webhookSecret,
    content: body,
    encoding: 'hex',
  });
  const payload = body.toString('utf8');
  const event = LemonSqueezyEvent.safeParse(parsePayload(payload));
  if (!event.success) throw new MalformedEvent();
  const topic = event.data.meta.event_name;
  return [{ externalId: `${topic}:${createHash('sha256').update(body).digest('hex')}`, topic, occurredAt: null, payload }];
}

const Product = z.object({
  id: storeId,
  attributes: z.object({
    store_id: storeId,
    name: z.string(),
    description: z.string().nullish(),
    status: z.string().nullish(),
    large_thumb_url: z.string().nullish(),
    buy_now_url: z.string().nullish(),
    price: z.number().nullish(),
    price_formatted: z.string().nullish(),
  }),
});
const Store = z.object({ type: z.literal('stores'), id: storeId, attributes: z.object({ currency: z.string() }) });
const ProductPageBody = z.object({
  data: z.array(Product),
  included: z.array(z.unknown()).nullish(),
  meta: z.object({ page: z.object({ currentPage: z.int(), lastPage: z.int() }) }),
});

function listProducts({ config, secrets, currency, websiteUrl }: StoreConnection): ProductList {
  if (secrets.apiKey === undefined) throw new StoreRejection("apiKey is not set, so products can't be read.");
  const firstUrl = `${trimSlash(config.apiUrl)}/v1/products?include=store&page%5Bsize%5D=100`;
  const parsePage = (response: HttpResponse): ProductPage => {
    const { data, included, meta } = parseResponse(ProductPageBody, response);
    const stores = (included ?? []).flatMap((value) => Store.safeParse(value).data ?? []);
    // Prices are in the currency of the store.
    const priced = new Set(stores.filter(({ attributes }) => attributes.currency.toUpperCase() === currency).map(({ id }) => id));
    const products = data
      .filter(({ attributes }) => attributes.status !== 'draft')
      .map(({ id, attributes }) => {
        const price = priced.has(attributes.store_id) ? (attributes.price ?? null) : null;
        return buildProduct({
          externalId: id,
          name: attributes.name,
          priceCents: price === null ? null : buildConverter(price, attributes.price_formatted, currency)(price),
          checkoutUrl: attributes.buy_now_url ?? websiteUrl,
          description: attributes.description,
          imageUrl: attributes.large_thumb_url,
        });
      });
    const { currentPage, lastPage } = meta.page;
    return { products, nextUrl: currentPage < lastPage ? `${firstUrl}&page%5Bnumber%5D=${currentPage + 1}` : null };
  };
  return { firstUrl, headers: buildHeaders(secrets.apiKey), parsePage };
}
