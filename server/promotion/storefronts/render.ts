// The HTML of a public page: a pure function of its contents, used by the page itself, previews and reviews. Every value
// is escaped by the `html` template. The page has no script; the block of JSON is data for search engines.
import { currencyDecimals, toDecimal } from '../../platform/lib/currency.ts';
import { type Html, html, trustedHtml } from '../../platform/lib/html.ts';
import { isolateRightToLeft } from '../../platform/lib/text.ts';
import { defineContours } from './contours.ts';
import { isRightToLeft } from './direction.ts';
import { fontsOf } from './fonts.ts';
import { cardSize } from './share/card.ts';
import type { Storefront } from './storefront.ts';
import { styleSheetOf } from './styles.ts';
import { renderClinical } from './templates/clinical.ts';
import { renderCreator } from './templates/creator.ts';
import { renderMinimalist } from './templates/minimalist.ts';

const templates = { clinical: renderClinical, creator: renderCreator, minimalist: renderMinimalist };

/** Longer titles are set smaller. */
const longTitle = 44;

/** A complete HTML document. */
export function renderStorefront(page: Storefront): string {
  const { text } = styleSheetOf(page.template, page.accent);
  const hasMap = page.template !== 'minimalist';
  const document = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${isolateRightToLeft(page.title)} · ${isolateRightToLeft(page.affiliateName)}</title>${robots(page)}${socialTags(page)}
<link rel="preload" href="${fontsOf[page.template].first}" as="font" type="font/woff2" crossorigin>
<style>${trustedHtml(text)}</style></head>
<body${isRightToLeft(page.title) ? trustedHtml(' dir="rtl"') : null} class="${page.title.length > longTitle ? 'long' : 'short'}">${hasMap ? defineContours(page.affiliateName) : null}
${templates[page.template](page)}
${page.isPreview ? null : structuredData(page)}</body></html>`;
  return document.html;
}

function robots({ isPreview }: Storefront): Html | null {
  return isPreview ? html`<meta name="robots" content="noindex">` : null;
}

function socialTags(page: Storefront): Html {
  const description = (page.headline ?? page.bio ?? `Recommended by ${page.affiliateName}.`)
    .replace(/\s+/g, ' ')
    .slice(0, 200)
    .toWellFormed();
  const { width, height } = cardSize;
  return html`<meta name="description" content="${description}">
<meta property="og:type" content="website"><meta property="og:title" content="${page.title}"><meta property="og:description" content="${description}">
<meta property="og:url" content="${page.url}"><meta property="og:site_name" content="${page.program.name}">
<meta property="og:image" content="${page.shareImageUrl}"><meta property="og:image:width" content="${width}"><meta property="og:image:height" content="${height}">
<meta name="twitter:card" content="summary_large_image"><link rel="canonical" href="${page.url}">`;
}

const availabilities: Record<string, string> = { out_of_stock: 'OutOfStock', preorder: 'PreOrder', discontinued: 'Discontinued' };

/** Search engines read the first products; the others are in the page. */
const describedProducts = 6;

function structuredData({ title, products, program, url }: Storefront): Html {
  const { currency } = program;
  const items = products.slice(0, describedProducts).map(({ name, picture, priceCents, availability }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    item: {
      '@type': 'Product',
      name,
      image: picture ? new URL(picture.url, url).href : undefined,
      offers: {
        '@type': 'Offer',
        price: toDecimal(priceCents, currency, currencyDecimals(currency)),
        priceCurrency: currency,
        availability: `https://schema.org/${availabilities[availability] ?? 'InStock'}`,
      },
    },
  }));
  const data = { '@context': 'https://schema.org', '@type': 'ItemList', name: title, itemListElement: items };
  return html`<script type="application/ld+json">${escapeJson(data)}</script>`;
}

/** JSON inside of HTML: no character in it can end the element or start another one. */
function escapeJson(data: object): Html {
  const escaped = JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return trustedHtml(escaped);
}
