// `creator`: loud and personal, like the cover of a magazine. A wide picture, a large title, cards.
import { type Html, html } from '../../../platform/lib/html.ts';
import { drawRegion } from '../contours.ts';
import {
  disclosureText,
  image,
  initials,
  moreLink,
  ownLinks,
  paragraphs,
  price,
  productImage,
  productLink,
  smallPrint,
  unavailability,
} from '../parts.ts';
import type { Storefront, StorefrontProduct } from '../storefront.ts';

export function renderCreator(page: Storefront): Html {
  return html`<header><div class="hero">${cover(page)}${portrait(page)}${sticker(page)}</div>
<div class="wrap intro"><h1 dir="auto">${page.title}</h1>
${page.headline === null ? null : html`<p class="lead" dir="auto">${page.headline}</p>`}
${page.bio === null ? null : html`<div class="bio">${paragraphs(page.bio)}</div>`}
<p class="by"><bdi>${page.affiliateName}</bdi> × <bdi>${page.program.name}</bdi></p>
</div></header>
<main class="wrap"><p class="note" dir="auto">${disclosureText(page)}</p>
<ul class="items">${page.products.map((product, index) => card(page, product, index))}</ul>
${moreLink(page)}</main>
<footer class="wrap">${page.links.length === 0 ? null : html`<h2>More about me</h2>`}${ownLinks(page)}
<p dir="auto">${disclosureText(page)}</p>${smallPrint(page)}</footer>`;
}

function cover({ hero, heroFocus, affiliateName }: Storefront): Html {
  if (!hero) return drawRegion(affiliateName, 'cover');
  return image(hero, { width: 1440, height: 460, sizes: '100vw', isEager: true, className: `cover focus-${heroFocus}` });
}

function portrait({ avatar, affiliateName }: Storefront): Html {
  if (!avatar) return html`<p class="me" aria-hidden="true"><bdi>${initials(affiliateName)}</bdi></p>`;
  return image(avatar, { width: 148, height: 148, isEager: true, className: 'me', alt: affiliateName });
}

function sticker({ offer, coupon }: Storefront): Html | null {
  if (offer === null && coupon === null) return null;
  const label = offer ?? coupon?.discount ?? 'Code';
  return html`<p class="sticker"><bdi>${label}</bdi>${coupon === null ? null : html`: <code>${coupon.code}</code>`}</p>`;
}

function card(page: Storefront, product: StorefrontProduct, index: number): Html {
  const missing = unavailability(product);
  const shape = shapeOf(index, page.products.length);
  const isLarge = index === 0 || shape === 'wide';
  const text = product.text === null ? null : html`<p class="why">${product.text}</p>`;
  const picture = productImage(product, isLarge ? { width: 640, height: 480, isEager: index === 0 } : { width: 320, height: 200 });
  return html`<li class="buys${shape === '' ? '' : ` ${shape}`}${missing === null ? '' : ' off'}">${picture}
<div class="text"><h2>${productLink(product)}</h2>${text}<p class="btn"><span>${missing ?? 'Get it'}</span><span>${price(page, product)}</span></p></div></li>`;
}

/** The first card is large with two beside it, then there are three in a row; the last row is always full. */
function shapeOf(index: number, count: number): '' | 'half' | 'wide' {
  if (count <= 2) return count === 1 ? 'wide' : 'half';
  const left = (count - 3) % 3;
  if (index < count - left) return '';
  return left === 1 ? 'wide' : 'half';
}
