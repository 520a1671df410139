// The style sheet of a page: one inline sheet per template and accent, which the Content-Security-Policy allows by its
// hash. It contains nothing that a user wrote.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { PageDetails } from '../landing-pages/content.ts';
import { accents } from './accents.ts';
import { fontsOf } from './fonts.ts';
import type { Picture, TemplateName } from './storefront.ts';

export type StyleSheet = { text: string /** For `style-src`. */; source: string };

/** Without the spaces and semicolons that only people need. */
const read = (name: string): string =>
  readFileSync(new URL(`templates/${name}.css`, import.meta.url), 'utf8')
    .split('\n')
    .map((line) =>
      line
        .trim()
        .replace(/^([\w-]+): /, '$1:')
        .replace(/ \{$/, '{'),
    )
    .join('')
    .replaceAll(';}', '}');

const base = read('base');
const sheets = { clinical: read('clinical'), creator: read('creator'), minimalist: read('minimalist') };
const cache = new Map<string, StyleSheet>();

/** The style sheet of a template in a color. */
export function styleSheetOf(template: TemplateName, accent: PageDetails['accent']): StyleSheet {
  const key = `${template} ${accent}`;
  const found = cache.get(key) ?? toStyleSheet(fontsOf[template].rules + toColors(accents[accent]) + base + sheets[template]);
  cache.set(key, found);
  return found;
}

/** A style sheet with its source expression. */
export function toStyleSheet(text: string): StyleSheet {
  return { text, source: `'sha256-${createHash('sha256').update(text).digest('base64')}'` };
}

/** Panels have the accent in the light scheme, and a dark shade of it in the dark scheme. */
function toColors({ light, dark }: { light: string; dark: string }): string {
  const panel = `radial-gradient(120% 90% at 22% 8%,color-mix(in oklab,${light},#fff 26%),${light} 62%,color-mix(in oklab,${light},#000 22%))`;
  const night = `radial-gradient(120% 90% at 22% 8%,color-mix(in oklab,${light},#fff 6%),color-mix(in oklab,${light},#000 52%))`;
  return (
    `:root{--accent:${light};--on:#fff;--panel:${panel};--lines:rgb(255 255 255/.34)}` +
    `@media (prefers-color-scheme:dark){:root{--accent:${dark};--on:var(--bg);--panel:${night};--lines:${dark}66}}`
  );
}

type Allowed = { embedding: 'forbidden' | 'own pages'; pictures: readonly (Picture | null)[] };

/** The policy of a page: its style sheet, the images that it shows and our fonts; no script, frame, form or other site. */
export function contentPolicy({ source }: StyleSheet, { embedding, pictures }: Allowed): string {
  const origins = [...new Set(pictures.flatMap((picture) => (picture?.url.startsWith('https:') ? [new URL(picture.url).origin] : [])))];
  return [
    "default-src 'none'",
    `style-src ${source}`,
    ["img-src 'self'", ...origins].join(' '),
    "font-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    ...(embedding === 'forbidden'
      ? ["frame-ancestors 'none'"]
      : ["frame-ancestors 'self'", 'sandbox allow-popups allow-popups-to-escape-sandbox']),
  ].join('; ');
}
