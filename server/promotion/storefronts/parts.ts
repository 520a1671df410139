// Parts that the templates share. Text of affiliates can be in any script: `dir="auto"`, `bdi` and, for
// products, the style sheet give it its direction.
import { formatCents } from '../../platform/lib/currency.ts';
import { type Html, html, trustedHtml } from '../../platform/lib/html.ts';
import { drawRegion } from './contours.ts';
import type { Picture, Storefront, StorefrontProduct } from './storefront.ts';

type Shown = { width: number; height: number; sizes?: string; isEager?: boolean; className?: string; alt?: string };

/** An image with its dimensions, so that nothing moves when it loads. */
export function image({ url, variants }: Picture, { width, height, sizes, isEager = false, className, alt = '' }: Shown): Html {
  const sources = variants.map((variant) => `${variant.url} ${variant.width}w`).join(',');
  const responsive = sources === '' ? null : html` srcset="${sources}" sizes="${sizes ?? `${width}px`}"`;
  const loading = trustedHtml(isEager ? ' fetchpriority="high"' : ' loading="lazy" decoding="async"');
  const classes = className === undefined ? null : html` class="${className}"`;
  return html`<img src="${url}"${responsive} width="${width}" height="${height}" alt="${alt}"${classes}${loading} referrerpolicy="no-referrer">`;
}

/** The product's image, or its region of the page's contour map. */
export function productImage(product: StorefrontProduct, shown: Shown): Html {
  return product.picture ? image(product.picture, shown) : drawRegion(product.name);
}

/** Paragraphs of plain text. */
export function paragraphs(text: string): Html[] {
  return text
    .split(/\n+/)
    .filter((part) => part.trim() !== '')
    .map((part) => html`<p dir="auto">${part}</p>`);
}

/** The program's disclosure with the names in it. */
export function disclosureText({ affiliateName, program }: Storefront): Html[] {
  const names = new Map([
    ['{affiliate}', affiliateName],
    ['{program}', program.name],
  ]);
  return program.disclosure.split(/(\{affiliate\}|\{program\})/).map((part) => {
    const name = names.get(part);
    return name === undefined ? html`${part}` : html`<bdi>${name}</bdi>`;
  });
}

const unavailable: Record<string, string> = { out_of_stock: 'Out of stock', discontinued: 'No longer available' };

/** Why the product can't be bought at present; null if it can. */
export function unavailability({ availability }: StorefrontProduct): string | null {
  return unavailable[availability] ?? null;
}

/** The price, and the regular price if it is reduced. */
export function price(page: Storefront, { priceCents, compareAtPriceCents, availability }: StorefrontProduct): Html {
  const { currency } = page.program;
  const isReduced = compareAtPriceCents !== null && compareAtPriceCents > priceCents;
  const regular = isReduced ? html`<del><span class="vh">Regular price </span>${formatCents(compareAtPriceCents, currency)}</del> ` : null;
  const preorder = availability === 'preorder' ? html` <small>Preorder</small>` : null;
  return html`${regular}<span>${isReduced ? html`<span class="vh">Now </span>` : null}${formatCents(priceCents, currency)}</span>${preorder}`;
}

/** The name, linked to the store. The link covers the whole product. */
export function productLink({ name, url }: StorefrontProduct): Html {
  return html`<a href="${url}" rel="sponsored">${name}</a>`;
}

/** The affiliate's own links. */
export function ownLinks({ links }: Storefront): Html | null {
  if (links.length === 0) return null;
  const items = links.map(({ label, url }) => html`<li><a href="${url}" rel="nofollow noopener" dir="auto">${label}</a></li>`);
  return html`<ul class="links">${items}</ul>`;
}

/** The link to everything else in the store, where the page doesn't show it all. */
export function moreLink({ moreUrl, program }: Storefront): Html | null {
  if (moreUrl === null) return null;
  return html`<p class="more" dir="auto"><a href="${moreUrl}" rel="sponsored">See everything at <bdi>${program.name}</bdi></a></p>`;
}

/** Who sells the products, and the program's small print. */
export function smallPrint({ program }: Storefront): Html {
  const { name, logo, disclaimer } = program;
  const mark = logo ? image(logo, { width: 140, height: 28, className: 'logo' }) : null;
  return html`${mark}<p dir="auto">Sold and shipped by <bdi>${name}</bdi>. Prices can change; the store shows the current ones.</p>${disclaimer === null ? null : paragraphs(disclaimer)}`;
}

/** Up to two initials, whole characters in every script. */
export function initials(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '');
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : words;
  const first = (word: string | undefined) => [...new Intl.Segmenter().segment(word ?? '')][0]?.segment ?? '';
  return chosen.map(first).join('').toLocaleUpperCase('en');
}
