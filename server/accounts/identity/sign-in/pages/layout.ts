// The frame of every sign-in page: logo, contour lines, one card.
import { type Html, html, trustedHtml } from '../../../../platform/lib/html.ts';
import { scriptPath, styleSheet } from './assets.ts';
import type { PageBrand } from './page-brand.ts';
import type { Texts } from './texts.ts';

type Page = {
  texts: Texts;
  title: string;
  content: Html;
  /** Loads the script for passkeys; without it the page has none. */
  hasScript?: boolean;
  /** The browser continues there at once. */
  refreshUrl?: string;
};

const [width, height, lines] = [1440, 640, 9];

/** Contour lines as on a chart: one calm shape, repeated with growing distance. */
function drawContours(): string {
  const paths = Array.from({ length: lines }, (_, index) => {
    const points = Array.from({ length: 9 }, (_, step) => {
      const x = (width / 8) * step;
      const y = 30 + index * (34 + index * 3.4) + (52 - index * 3) * Math.sin(step * 0.92 + index * 0.21) + 16 * Math.cos(step * 1.9);
      return `${Math.round(x)} ${Math.round(y)}`;
    });
    const [first = '', second = '', ...rest] = points;
    const opacity = (0.2 - index * 0.015).toFixed(2);
    return `<path d="M${first}Q${Math.round(width / 16)} ${second.split(' ')[1]} ${second}T${rest.join('T')}" opacity="${opacity}"/>`;
  });
  return `<svg class="contours" viewBox="0 0 ${width} ${height}" preserveAspectRatio="xMidYMin slice" aria-hidden="true">${paths.join('')}</svg>`;
}

const contours = trustedHtml(drawContours());

const logo = trustedHtml(
  '<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="9"/><g><path d="M10 6c0 8 8 8.5 8 20" stroke-width="4.4"/>' +
    '<path d="M24 8c0 5-3.6 6.4-5.6 9.6" stroke-width="2.6" opacity=".78"/></g></svg>',
);

/** A complete HTML document. */
export function renderPage({ texts, title, content, hasScript = false, refreshUrl }: Page): string {
  const page = html`<!doctype html>
<html lang="${texts.lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex"><meta name="color-scheme" content="light dark"><title>${title} · ${texts.brand?.name ?? 'Tributary'}</title>
${refreshUrl === undefined ? null : html`<meta http-equiv="refresh" content="0;url=${refreshUrl}">`}<style>${trustedHtml(styleSheet)}</style>${hasScript ? html`<script src="${scriptPath}" defer></script>` : null}</head>
<body>${contours}<header>${texts.brand ? renderBrand(texts.brand) : html`${logo}Tributary`}</header>
<main><div class="card"><h1>${title}</h1>${content}</div></main>
<footer>${texts.footer}</footer></body></html>`;
  return page.html;
}

function renderBrand({ name, logoPath }: PageBrand): Html {
  return logoPath === null ? html`<bdi>${name}</bdi>` : html`<img src="${logoPath}?w=512" alt="${name}">`;
}

/** A message at a field, which `aria-describedby` refers to. */
export function fieldError(text: string | null, id = 'error'): Html | null {
  return text === null ? null : html`<p class="error" id="${id}" role="alert">${text}</p>`;
}

/** The attributes of a field that has an error. */
export function invalid(text: string | null, id = 'error'): Html | null {
  return text === null ? null : html` aria-invalid="true" aria-describedby="${id}"`;
}

/** A field that the form sends without showing it; nothing for null. */
export function hidden(name: string, value: string | null): Html | null {
  return value === null ? null : html`<input type="hidden" name="${name}" value="${value}">`;
}
