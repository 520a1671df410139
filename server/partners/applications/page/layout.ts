// The frame of the join pages: the program's logo or name, its color, and a policy that allows nothing else. The pages have
// no script. The style sheet contains nothing that a user wrote but the color, which is six hexadecimal digits.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Html, html, trustedHtml } from '../../../platform/lib/html.ts';
import { isolateRightToLeft } from '../../../platform/lib/text.ts';
import { defaultColor, type JoinBrand } from './load.ts';
import type { JoinTexts } from './texts.ts';

const base = readFileSync(new URL('style.css', import.meta.url), 'utf8')
  .split('\n')
  .map((line) => line.trim())
  .join('');

type Sheet = { text: string; policy: string };
const sheets = new Map<string, Sheet>();
const maxSheets = 500;

function sheetOf(color: string): Sheet {
  const found = sheets.get(color);
  if (found) return found;
  const text = `:root{--brand:${color};--on:${textOn(color)};--check:${isReadableOn(color, '#FFFFFF', 3) ? color : '#11211E'}}${base}`;
  const hash = createHash('sha256').update(text).digest('base64');
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    "img-src 'self' https:",
    "font-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  if (sheets.size >= maxSheets) sheets.clear();
  sheets.set(color, { text, policy });
  return { text, policy };
}

/** Black or white, whichever is easier to read on a color: one of them always has a contrast of 4.5. */
export function textOn(color: string): string {
  return isReadableOn(color, '#FFFFFF', 4.5) ? '#fff' : '#000';
}

function isReadableOn(color: string, other: string, contrast: number): boolean {
  const [lighter = 0, darker = 0] = [luminance(color), luminance(other)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05) >= contrast;
}

/** Relative luminance, WCAG 2.2. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const value = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export type Frame = {
  words: JoinTexts;
  /** Null for addresses that belong to no program. */
  program: { name: string; websiteUrl: string | null } | null;
  brand: JoinBrand | null;
};

type Document = Frame & { title: string; description?: string; isIndexed?: boolean; content: Html };

export type RenderedPage = { html: string; policy: string };

/** A complete HTML document, and its policy. */
export function renderDocument({ words, program, brand, title, description, isIndexed = false, content }: Document): RenderedPage {
  const sheet = sheetOf(brand?.color ?? defaultColor);
  const robots = isIndexed ? null : html`<meta name="robots" content="noindex">`;
  const about = description === undefined ? null : html`<meta name="description" content="${description}">`;
  const page = html`<!doctype html>
<html lang="${words.lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">${robots}${about}<title>${program ? html`${title} · ${isolateRightToLeft(program.name)}` : title}</title>
<link rel="preload" href="/sign-in/fonts/figtree.woff2" as="font" type="font/woff2" crossorigin>
<style>${trustedHtml(sheet.text)}</style></head>
<body>${content}
<footer>${words.footer}</footer></body></html>`;
  return { html: page.html, policy: sheet.policy };
}

/** The logo of the program, or its name. */
export function renderBrand({ program, brand }: Frame): Html | null {
  if (!program) return null;
  const mark = brand?.logoUrl ? html`<img src="${brand.logoUrl}" alt="${program.name}" height="40">` : html`<bdi>${program.name}</bdi>`;
  return html`<header class="brand">${mark}</header>`;
}

/** A page with one card: a title, and what follows. */
export function renderCard(frame: Frame, { title, content }: { title: string; content: Html }): RenderedPage {
  const card = html`<div class="single">${renderBrand(frame)}<main class="card"><h1>${title}</h1>${content}</main></div>`;
  return renderDocument({ ...frame, title, content: card });
}
