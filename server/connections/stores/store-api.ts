// Calls to a store's API, and the products in its responses. Products contain text that anyone with access to the
// store typed, so it is cleaned and cut here, and validated like every import.
import type { z } from 'zod';
import type { Http, HttpRequest, HttpResponse } from '../../platform/lib/http.ts';
import { toOneLine } from '../../platform/lib/text.ts';
import { parsePayload } from './payload.ts';
import { type ProductList, type StoreProduct, StoreRejection } from './store.ts';

const maxPages = 50;

/** All products of a list, page by page. Throws StoreRejection and HttpFailure. */
export async function fetchProducts({ firstUrl, headers, parsePage }: ProductList, http: Http): Promise<StoreProduct[]> {
  const products: StoreProduct[] = [];
  let url: string | null = firstUrl;
  for (let page = 0; url !== null && page < maxPages; page += 1) {
    const parsed = parsePage(await callStore(http, { method: 'GET', url, headers }));
    products.push(...parsed.products);
    url = parsed.nextUrl;
  }
  return products;
}

/** A successful response. Throws StoreRejection for any other, and HttpFailure without a response. */
export async function callStore(http: Http, request: HttpRequest): Promise<HttpResponse> {
  const response = await http(request);
  if (response.status === 401 || response.status === 403) throw new StoreRejection(`The store rejected the API keys (${response.status}).`);
  if (response.status !== 200 && response.status !== 201) throw new StoreRejection(`The store responded with status ${response.status}.`);
  return response;
}

/** Parses a JSON response with its schema. Throws StoreRejection. */
export function parseResponse<Schema extends z.ZodType>(schema: Schema, { body }: HttpResponse): z.output<Schema> {
  let value: unknown;
  try {
    value = parsePayload(body);
  } catch {
    throw new StoreRejection("The store's response is not JSON.");
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new StoreRejection(`Unexpected response from the store: ${parsed.error.issues[0]?.path.join('.')}.`);
  return parsed.data;
}

export function buildGet(url: string, headers: Record<string, string>): HttpRequest {
  return { method: 'GET', url, headers, timeoutMs: 10_000 };
}

/** A URL without its trailing slash. */
export function trimSlash(url: unknown): string {
  return asText(url).replace(/\/+$/, '');
}

export function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

type Texts = Partial<Record<Exclude<keyof StoreProduct, 'externalId' | 'name' | 'priceCents'>, string | null | undefined>>;

/** A product with its texts on one line, without HTML, and cut to the longest that the catalogue accepts. */
export function buildProduct({
  externalId,
  name,
  priceCents,
  ...texts
}: Texts & { externalId: string; name: string; priceCents: number | null }): StoreProduct {
  return {
    externalId,
    name: cutText(name, 200),
    priceCents,
    checkoutUrl: texts.checkoutUrl ?? '',
    sku: cutText(texts.sku, 100),
    description: cutText((texts.description ?? '').replace(/<[^>]*>/g, ' '), 5000),
    category: cutText(texts.category, 100),
    brand: cutText(texts.brand, 100),
    imageUrl: texts.imageUrl ?? '',
  };
}

/** Cleaned again after the cut, which can split a surrogate pair. */
function cutText(text: string | null | undefined, maxLength: number): string {
  const line = toOneLine(text ?? '').replace(/\s+/g, ' ');
  return toOneLine(line.slice(0, maxLength));
}
