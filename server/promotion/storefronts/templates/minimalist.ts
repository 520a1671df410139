// `minimalist`: a letter with a short list. Nothing but text, and small pictures if every product has one.
import { type Html, html } from '../../../platform/lib/html.ts';
import { disclosureText, image, moreLink, ownLinks, paragraphs, price, productLink, smallPrint, unavailability } from '../parts.ts';
import type { Storefront, StorefrontProduct } from '../storefront.ts';

/** A headline up to this length is the second line of the title. */
const shortHeadline = 32;

export function renderMinimalist(page: Storefront): Html {
  const { headline, title, avatar, affiliateName, hero, heroFocus } = page;
  const isSecondLine = headline !== null && headline.length <= shortHeadline && title.length <= 60;
  const hasPictures = page.products.every(({ picture }) => picture !== null);
  return html`<div class="wrap"><header><p class="who">${avatar ? image(avatar, { width: 48, height: 48, isEager: true }) : null}<bdi>${affiliateName}</bdi></p>
<h1 dir="auto">${title}${isSecondLine ? html` <em dir="auto">${headline}</em>` : null}</h1>
${headline === null || isSecondLine ? null : html`<p class="lead" dir="auto">${headline}</p>`}
${page.bio === null ? null : html`<div class="bio">${paragraphs(page.bio)}</div>`}
${hero ? image(hero, { width: 580, height: 387, sizes: '(max-width:628px) 100vw, 580px', isEager: true, className: `photo focus-${heroFocus}` }) : null}
${offer(page)}${ownLinks(page)}</header>
<main><p class="note" dir="auto">${disclosureText(page)}</p>
<ol class="items">${page.products.map((product) => item(page, product, hasPictures))}</ol>
${moreLink(page)}</main>
<footer>${smallPrint(page)}</footer></div>`;
}

function offer({ offer: text, coupon }: Storefront): Html | null {
  if (text === null && coupon === null) return null;
  const words = text === null ? null : html`<span dir="auto">${text}</span>. `;
  const code =
    coupon === null ? null : html`${coupon.discount === null ? 'My' : html`${coupon.discount} with my`} code: <code>${coupon.code}</code>`;
  return html`<p class="offer"><bdi>${words}${code}</bdi></p>`;
}

function item(page: Storefront, product: StorefrontProduct, hasPictures: boolean): Html {
  const missing = unavailability(product);
  const picture = hasPictures && product.picture ? image(product.picture, { width: 56, height: 56 }) : null;
  const text = product.text === null ? null : html`<p class="why">${product.text}</p>`;
  return html`<li class="buys${missing === null ? '' : ' off'}"><div class="text"><div class="line"><h2>${productLink(product)}</h2><p class="price">${missing ?? price(page, product)}</p></div>${text}</div>${picture}</li>`;
}
