// A product feed for Google Merchant Center: RSS 2.0 with the `g` namespace. Pure.
import { formatPaced } from '../../platform/http/load/long-response.ts';
import { toDecimal } from '../../platform/lib/currency.ts';
import { type Html, html, trustedHtml } from '../../platform/lib/html.ts';
import type { FeedProduct } from './feed-product.ts';

type Channel = { title: string; link: string; currency: string };

/** The document in chunks. The `html` tag escapes every value; its escapes are valid in XML too. */
export async function* googleFeed(
  { title, link, currency }: Channel,
  pages: AsyncIterable<readonly FeedProduct[]>,
): AsyncGenerator<string> {
  const head = html`<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">
<channel>
<title>${toXmlText(title)}</title>
<link>${toXmlText(link)}</link>
<description>${toXmlText(`Products of ${title}`)}</description>
`;
  yield `<?xml version="1.0" encoding="UTF-8"?>\n${head.html}`;
  const money = (amountCents: number) => `${toDecimal(amountCents, currency)} ${currency}`;
  yield* formatPaced(pages, (products) => products.map((product) => toItem(product, money).html).join(''));
  yield '</channel>\n</rss>\n';
}

function toItem(product: FeedProduct, money: (cents: number) => string): Html {
  const { compareAtPriceCents: regularCents, priceCents } = product;
  const isReduced = regularCents !== null && regularCents > priceCents;
  return html`<item>
<g:id>${toXmlText(product.externalId && product.externalId.length <= 50 ? product.externalId : product.id)}</g:id>
<g:title>${toXmlText(truncate(product.name, 150))}</g:title>
<g:description>${toXmlText(product.description || product.name)}</g:description>
<g:link>${toXmlText(product.checkoutUrl)}</g:link>
${toElement('image_link', product.imageUrl)}<g:price>${money(isReduced ? regularCents : priceCents)}</g:price>
${toElement('sale_price', isReduced ? money(priceCents) : null)}<g:availability>${toAvailability(product.availability)}</g:availability>
${toElement('brand', product.brand)}${toElement('mpn', product.sku)}${toElement('product_type', product.category)}</item>
`;
}

/** An element that is omitted when its value is empty. */
function toElement(name: 'image_link' | 'sale_price' | 'brand' | 'mpn' | 'product_type', value: string | null): Html | null {
  const tag = trustedHtml(`g:${name}`);
  return value ? html`<${tag}>${toXmlText(value)}</${tag}>\n` : null;
}

/** Google has no value for discontinued products. */
function toAvailability(availability: FeedProduct['availability']): string {
  return availability === 'discontinued' ? 'out_of_stock' : availability;
}

/** At most `max` characters, without splitting a surrogate pair. */
function truncate(text: string, max: number): string {
  return text.slice(0, max).replace(/[\ud800-\udbff]$/, '');
}

/** The text without characters that XML 1.0 can't represent. */
function toXmlText(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '');
}
