// The page for addresses without a live page. It is the same for a page that is in review, that was never approved, whose
// affiliate was suspended, or that does not exist.
import { readBrand } from '../../accounts/programs/brand/brand.ts';
import type { Context } from '../../context.ts';
import { html, trustedHtml } from '../../platform/lib/html.ts';
import { getPublicUrl } from '../../platform/lib/network/public-url.ts';
import { defineContours, drawRegion } from './contours.ts';
import { fontsOf } from './fonts.ts';
import { type StorefrontProgram, toPicture } from './load.ts';
import { image } from './parts.ts';
import type { Picture } from './storefront.ts';
import { contentPolicy, toStyleSheet } from './styles.ts';

const rules = `${fontsOf.clinical.rules}*{box-sizing:border-box}
:root{color-scheme:light dark;--bg:#F6F8F5;--ink:#11211E;--ink2:#44554F}
@media (prefers-color-scheme:dark){:root{--bg:#0B1513;--ink:#E7F0ED;--ink2:#B2C4BE}}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--bg);color:var(--ink);font:400 17px/27px Figtree,system-ui,sans-serif;overflow-wrap:anywhere}
main{position:relative;padding:40px 28px;max-width:460px;text-align:center}
.logo{height:36px;width:auto;max-width:200px;object-fit:contain;display:block;margin:0 auto 28px}
.name{font-weight:600;margin:0 0 28px}
.name::before{content:"";display:block;width:40px;height:4px;border-radius:2px;background:var(--brand);margin:0 auto 20px}
h1{font-weight:600;font-size:clamp(26px,5vw,34px);line-height:1.15;letter-spacing:-.02em;margin:0 0 12px;text-wrap:balance}
p{margin:0;color:var(--ink2);text-wrap:balance}
a{display:inline-block;margin-top:28px;color:var(--ink);font-weight:600;text-underline-offset:5px;text-decoration-color:var(--brand);text-decoration-thickness:2px}
.d{position:absolute}
.map{position:fixed;inset:0;width:100%;height:100%;color:var(--brand);opacity:.13}
#c{fill:none;stroke:currentColor;stroke-width:1.25;vector-effect:non-scaling-stroke}
`;
const defaultColor = '#0B5F59';

type Known = { name: string; color: string | null; logo: Picture | null; websiteUrl: string | null };

/** The page and its policy. */
export function renderNotLive(program: Known | null): { html: string; policy: string } {
  // The color was validated when it was written: six hexadecimal digits.
  const color = /^#[0-9A-F]{6}$/i.test(program?.color ?? '') ? program?.color : defaultColor;
  const sheet = toStyleSheet(`${rules.replaceAll('\n', '')}:root{--brand:${color}}`);
  const mark = program?.logo
    ? image(program.logo, { width: 200, height: 36, className: 'logo', alt: program.name, isEager: true })
    : program && html`<p class="name"><bdi>${program.name}</bdi></p>`;
  const isWebsite = /^https?:\/\//i.test(program?.websiteUrl ?? '');
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex"><title>Page not available</title><style>${trustedHtml(sheet.text)}</style></head>
<body>${defineContours(program?.name ?? '')}${drawRegion(program?.name ?? '')}<main>${mark}<h1>This page isn’t available</h1>
<p>Check the address, or try again later.</p>${program && isWebsite ? html`<a href="${program.websiteUrl}">Go to <bdi>${program.name}</bdi></a>` : null}</main></body></html>`;
  return { html: page.html, policy: contentPolicy(sheet, { embedding: 'forbidden', pictures: [program?.logo ?? null] }) };
}

/** What is shown of a program whose page is not live. */
export async function readKnown(ctx: Context, program: StorefrontProgram | null): Promise<Known | null> {
  if (!program) return null;
  const { color, logoUrl } = await readBrand(ctx, program.id);
  return { name: program.name, websiteUrl: program.websiteUrl, color, logo: toPicture(logoUrl, getPublicUrl(ctx.config)) };
}
