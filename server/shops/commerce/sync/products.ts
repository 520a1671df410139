// What a shop's own list of products says, read page after page. Answers hold whatever somebody typed into the
// shop, so texts are cut and cleaned here, and checked as every import is.
import { z } from 'zod';
import { shopifyUrl, trimSlash, wooAuthorization, wooUrl } from '../../../connections/providers/shops.ts';
import type { Http, HttpRequest, HttpResponse } from '../../../platform/lib/http.ts';
import { toOneLine } from '../../../platform/lib/text.ts';
import { minorUnits, stripeUnits } from '../amounts.ts';
import { parsePayload, shopId } from '../read/signature.ts';

/** A product as the import takes it. */
export type Listed = {
  externalId: string;
  name: string;
  priceCents: number | null;
  checkoutUrl: string;
  sku: string;
  description: string;
  category: string;
  brand: string;
  imageUrl: string;
};

export type Connection = { config: Record<string, unknown>; secrets: Record<string, string>; currency: string; websiteUrl: string | null };

/** The shop said no, in a way that its owner has to look at. */
export class Refused extends Error {}

/** More products than this are another matter. */
const maxPages = 50;

type Page = { products: Listed[]; next: string | null };
type Way = { first: string; headers: Record<string, string>; read(answer: HttpResponse): Page };

/** All products of the shop; null where there is nothing to ask. Throws Refused, and HttpFailure. */
export async function listProducts(type: string, connection: Connection, http: Http): Promise<Listed[] | null> {
  const way = ways[type]?.(connection) ?? null;
  if (!way) return null;
  const found: Listed[] = [];
  let next: string | null = way.first;
  for (let page = 0; next !== null && page < maxPages; page += 1) {
    const { products, next: following } = way.read(await get(http, { method: 'GET', url: next, headers: way.headers }));
    found.push(...products);
    next = following;
  }
  return found;
}

async function get(http: Http, request: HttpRequest): Promise<HttpResponse> {
  const answer = await http(request);
  if (answer.status === 401 || answer.status === 403) throw new Refused(`The shop refused the keys (${answer.status}).`);
  if (answer.status !== 200) throw new Refused(`The shop answered ${answer.status}.`);
  return answer;
}

const ways: Record<string, (connection: Connection) => Way | null> = { stripe: ofStripe, shopify: ofShopify, woocommerce: ofWoo };

function ofStripe({ config, secrets, currency, websiteUrl }: Connection): Way {
  if (secrets.apiKey === undefined) throw new Refused('apiKey is not set: products can not be read.');
  const first = `${trimSlash(config.apiUrl)}/v1/products?active=true&limit=100&expand%5B%5D=data.default_price`;
  const price = z.object({ unit_amount: z.number().nullish(), currency: z.string() }).nullish();
  const product = z.object({
    id: z.string(),
    name: z.string(),
    description: text,
    images: z.array(z.string()).nullish(),
    url: text,
    default_price: price,
  });
  return {
    first,
    headers: { authorization: `Bearer ${secrets.apiKey}` },
    read(answer) {
      const { data, has_more } = readBody(z.object({ data: z.array(product), has_more: z.boolean() }), answer);
      const products = data.map(({ id, name, description, images, url, default_price: cost }) => {
        const isOurs = cost?.currency.toUpperCase() === currency && typeof cost.unit_amount === 'number';
        const priceCents = isOurs ? stripeUnits(cost?.unit_amount ?? 0, currency) : null;
        return listed({ externalId: id, name, priceCents, checkoutUrl: url ?? websiteUrl, description, imageUrl: images?.[0] });
      });
      const last = data.at(-1)?.id;
      return { products, next: has_more && last ? `${first}&starting_after=${encodeURIComponent(last)}` : null };
    },
  };
}

function ofShopify({ config, secrets, currency }: Connection): Way {
  if (secrets.accessToken === undefined) throw new Refused('accessToken is not set: products can not be read.');
  const base = `${shopifyUrl(config)}/products.json?limit=250`;
  const variant = z.object({ price: amount, sku: text });
  const product = z.object({
    ...{ id: shopId, title: z.string(), body_html: text, handle: z.string(), product_type: text, vendor: text },
    images: z.array(z.object({ src: z.string() })).nullish(),
    variants: z.array(variant).nullish(),
  });
  return {
    first: `${base}&status=active`,
    headers: { 'x-shopify-access-token': secrets.accessToken },
    read(answer) {
      const products = readBody(z.object({ products: z.array(product) }), answer).products.map((one) =>
        listed({
          ...{ externalId: one.id, name: one.title, description: one.body_html, category: one.product_type, brand: one.vendor },
          ...{ sku: one.variants?.[0]?.sku, imageUrl: one.images?.[0]?.src, priceCents: minorUnits(one.variants?.[0]?.price, currency) },
          checkoutUrl: `https://${String(config.shop)}/products/${encodeURIComponent(one.handle)}`,
        }),
      );
      // The token goes only where it was sent before: of the next address no more than the mark is taken.
      const mark = /<[^>]*[?&]page_info=([\w=-]+)[^>]*>;\s*rel="?next/.exec(answer.headers.link ?? '')?.[1];
      return { products, next: mark === undefined ? null : `${base}&page_info=${mark}` };
    },
  };
}

function ofWoo({ config, secrets, currency }: Connection): Way {
  const authorization = wooAuthorization(secrets);
  if (authorization === null) throw new Refused('consumerKey and consumerSecret are not set: products can not be read.');
  const base = `${wooUrl(config)}/products?status=publish&per_page=100`;
  const product = z.object({
    ...{ id: shopId, name: z.string(), permalink: z.string(), price: amount, sku: text, short_description: text },
    images: z.array(z.object({ src: z.string() })).nullish(),
    categories: z.array(z.object({ name: z.string() })).nullish(),
  });
  let page = 1;
  return {
    first: `${base}&page=1`,
    headers: { authorization },
    read(answer) {
      const products = readBody(z.array(product), answer).map((one) =>
        listed({
          ...{ externalId: one.id, name: one.name, description: one.short_description, category: one.categories?.[0]?.name, sku: one.sku },
          ...{ imageUrl: one.images?.[0]?.src, priceCents: minorUnits(one.price, currency), checkoutUrl: one.permalink },
        }),
      );
      page += 1;
      return { products, next: Number(answer.headers['x-wp-totalpages'] ?? 1) >= page ? `${base}&page=${page}` : null };
    },
  };
}

const text = z.string().nullish();
const amount = z.union([z.string(), z.number()]).nullish();

/** A body of JSON as its schema reads it. Throws Refused. */
export function readBody<Schema extends z.ZodType>(schema: Schema, { body }: HttpResponse): z.output<Schema> {
  let value: unknown;
  try {
    value = parsePayload(body);
  } catch {
    throw new Refused('The shop did not answer with JSON.');
  }
  const read = schema.safeParse(value);
  if (!read.success) throw new Refused(`The shop answered with something else than was asked: ${read.error.issues[0]?.path.join('.')}.`);
  return read.data;
}

type Raw = Partial<Record<Exclude<keyof Listed, 'externalId' | 'name' | 'priceCents'>, string | null | undefined>>;

function listed({ externalId, name, priceCents, ...raw }: Raw & { externalId: string; name: string; priceCents: number | null }): Listed {
  // Cleaned again after the cut, which can split a pair of surrogates.
  const cut = (value: string | null | undefined, max: number) =>
    toOneLine(
      toOneLine(value ?? '')
        .replace(/\s+/g, ' ')
        .slice(0, max),
    );
  return {
    ...{ externalId, name: cut(name, 200), priceCents, checkoutUrl: raw.checkoutUrl ?? '', imageUrl: raw.imageUrl ?? '' },
    ...{ sku: cut(raw.sku, 100), category: cut(raw.category, 100), brand: cut(raw.brand, 100) },
    description: cut((raw.description ?? '').replace(/<[^>]*>/g, ' '), 5000),
  };
}
