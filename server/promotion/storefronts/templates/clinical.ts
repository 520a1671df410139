// `clinical`: calm and factual, like a handout from a practice. Rows with a hairline between them.
import { type Html, html, trustedHtml } from '../../../platform/lib/html.ts';
import { isolateRightToLeft } from '../../../platform/lib/text.ts';
import { drawRegion } from '../contours.ts';
import {
  disclosureText,
  image,
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

const noteIcon = trustedHtml(
  '<svg viewBox="0 0 20 20" aria-hidden="true"><circle cx="10" cy="10" r="7.5"/><path d="M10 9.2v4M10 6.6v.1"/></svg>',
);

export function renderClinical(page: Storefront): Html {
  const { affiliateName, program } = page;
  return html`<header><p class="bar" dir="auto">Recommended by <bdi>${affiliateName}</bdi> · Sold by <bdi>${program.name}</bdi></p>
<div class="wrap top">${portrait(page)}<div><h1 dir="auto">${page.title}</h1>
${page.headline === null ? null : html`<p class="lead" dir="auto">${page.headline}</p>`}
${page.bio === null ? null : html`<div class="bio">${paragraphs(page.bio)}</div>`}
${facts(page)}</div></div></header>
<main class="wrap">${band(page)}
<p class="note">${noteIcon}<span dir="auto">${disclosureText(page)}</span></p>
<ul class="items">${page.products.map((product, index) => row(page, product, index))}</ul>
${moreLink(page)}</main>
<footer class="wrap">${ownLinks(page)}<p dir="auto">${disclosureText(page)}</p>${smallPrint(page)}</footer>`;
}

/** The portrait comes first in the source, since it is above the title on a phone; the grid puts it on the right. */
function portrait({ avatar, hero, heroFocus, affiliateName }: Storefront): Html {
  const picture = avatar ?? hero;
  if (!picture) return drawRegion(affiliateName, 'portrait');
  const focus = avatar ? '' : ` focus-${heroFocus}`;
  return image(picture, { width: 260, height: 320, isEager: true, className: `portrait${focus}`, alt: affiliateName });
}

function band({ avatar, hero, heroFocus }: Storefront): Html | null {
  if (!avatar || !hero) return null;
  return image(hero, {
    width: 1000,
    height: 400,
    sizes: '(max-width:1000px) 100vw, 960px',
    isEager: true,
    className: `band focus-${heroFocus}`,
  });
}

function facts({ offer, coupon, products }: Storefront): Html | null {
  const fact = (label: string, value: Html) => html`<div><dt><bdi>${label}</bdi></dt><dd dir="auto">${value}</dd></div>`;
  const all = [
    products.length > 1 ? fact('Selection', html`${products.length} products`) : null,
    offer === null ? null : fact('Offer', html`${offer}`),
    coupon === null ? null : fact(coupon.discount === null ? 'Code' : `${coupon.discount} with code`, html`<code>${coupon.code}</code>`),
  ].filter((item) => item !== null);
  return all.length === 0 ? null : html`<dl class="facts">${all}</dl>`;
}

function row(page: Storefront, product: StorefrontProduct, index: number): Html {
  const missing = unavailability(product);
  const text = product.text === null ? null : html`<p class="why">${product.text}</p>`;
  return html`<li class="buys${missing === null ? '' : ' off'}">${productImage(product, { width: 120, height: 120, isEager: index === 0 })}
<div><h2>${productLink(product)}</h2>${text}</div>
<div class="buy"><p class="price">${price(page, product)}</p><span class="btn">${missing ?? html`View at ${isolateRightToLeft(page.program.name)}`}</span></div></li>`;
}
