// A feed as Google Merchant Center reads it: RSS 2.0 with the `g` namespace. Pure.

import { paced } from '../../platform/http/load/long-response.ts';
import { toDecimal } from '../../platform/lib/currency.ts';
import { type Html, html, trusted } from '../../platform/lib/html.ts';
import type { FeedProduct } from './feed-product.ts';

type Channel = { title: string; link: string; currency: string };

/** The whole document, in pieces. Every value is escaped by the tag, whose escapes XML knows too. */
export async function* googleFeed(
  { title, link, currency }: Channel,
  pages: AsyncIterable<readonly FeedProduct[]>,
): AsyncGenerator<string> {
  const head = html`<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">
<channel>
<title>${xmlText(title)}</title>
<link>${xmlText(link)}</link>
<description>${xmlText(`Products of ${title}`)}</description>
`;
  yield `<?xml version="1.0" encoding="UTF-8"?>\n${head.html}`;
  const money = (amountCents: number) => `${toDecimal(amountCents, currency)} ${currency}`;
  yield* paced(pages, (products) => products.map((product) => item(product, money).html).join(''));
  yield '</channel>\n</rss>\n';
}

function item(product: FeedProduct, money: (cents: number) => string): Html {
  const { compareAtPriceCents: usual, priceCents } = product;
  const isReduced = usual !== null && usual > priceCents;
  return html`<item>
<g:id>${xmlText(product.externalId && product.externalId.length <= 50 ? product.externalId : product.id)}</g:id>
<g:title>${xmlText(clip(product.name, 150))}</g:title>
<g:description>${xmlText(product.description || product.name)}</g:description>
<g:link>${xmlText(product.checkoutUrl)}</g:link>
${optional('image_link', product.imageUrl)}<g:price>${money(isReduced ? usual : priceCents)}</g:price>
${optional('sale_price', isReduced ? money(priceCents) : null)}<g:availability>${availability(product.availability)}</g:availability>
${optional('brand', product.brand)}${optional('mpn', product.sku)}${optional('product_type', product.category)}</item>
`;
}

/** An element that is left out where there is nothing to say. */
function optional(name: 'image_link' | 'sale_price' | 'brand' | 'mpn' | 'product_type', value: string | null): Html | null {
  const tag = trusted(`g:${name}`);
  return value ? html`<${tag}>${xmlText(value)}</${tag}>\n` : null;
}

/** Google knows no product that will never come back. */
function availability(known: FeedProduct['availability']): string {
  return known === 'discontinued' ? 'out_of_stock' : known;
}

/** At most `max` characters, with no pair of surrogates cut in half. */
function clip(text: string, max: number): string {
  return text.slice(0, max).replace(/[\ud800-\udbff]$/, '');
}

/** Without the characters that XML 1.0 has no way to write. */
function xmlText(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '');
}
