// The fonts of public pages, served from this service: no page makes a request to another site for them.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { FastifyInstance } from 'fastify';

const { resolve } = createRequire(import.meta.url);
const latin = 'U+0-FF,U+131,U+152-153,U+2BB-2BC,U+2C6,U+2DA,U+2DC,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD';
const extended = 'U+100-130,U+132-151,U+154-2BA,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2C60-2C7F,U+A720-A7FF';

type Face = { family: string; style: 'normal' | 'italic'; weight: string; range: string; file: string };

const figtree = (range: string, file: string): Face => ({ family: 'Figtree', style: 'normal', weight: '300 900', range, file });
const serif = (style: Face['style'], range: string, file: string): Face => ({
  family: 'Instrument Serif',
  style,
  weight: '400',
  range,
  file,
});

const sans = [
  figtree(latin, '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2'),
  figtree(extended, '@fontsource-variable/figtree/files/figtree-latin-ext-wght-normal.woff2'),
];
const serifs = [
  serif('normal', latin, '@fontsource/instrument-serif/files/instrument-serif-latin-400-normal.woff2'),
  serif('italic', latin, '@fontsource/instrument-serif/files/instrument-serif-latin-400-italic.woff2'),
  serif('normal', extended, '@fontsource/instrument-serif/files/instrument-serif-latin-ext-400-normal.woff2'),
];

/** For prices and codes. */
const monos: Face[] = [
  {
    family: 'Geist Mono',
    style: 'normal',
    weight: '100 900',
    range: latin,
    file: '@fontsource-variable/geist-mono/files/geist-mono-latin-wght-normal.woff2',
  },
];
const italics = serifs.filter(({ style }) => style === 'italic');

const files = new Map(
  [...sans, ...serifs, ...monos].map(({ file }) => {
    const bytes = readFileSync(resolve(file));
    const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 10);
    return [file, { bytes, path: `/fonts/${hash}.woff2` }];
  }),
);

const pathOf = (file: string): string => files.get(file)?.path ?? '';

/** The rules for the fonts of a template, and the font that its first lines need. */
export const fontsOf = {
  clinical: { rules: toRules([...sans, ...monos]), first: pathOf(sans[0]?.file ?? '') },
  creator: { rules: toRules([...sans, ...italics]), first: pathOf(sans[0]?.file ?? '') },
  minimalist: { rules: toRules([...serifs, ...sans]), first: pathOf(serifs[0]?.file ?? '') },
};

function toRules(faces: readonly Face[]): string {
  const toRule = ({ family, style, weight, range, file }: Face) =>
    `@font-face{font-family:"${family}";font-style:${style};font-weight:${weight};font-display:swap;src:url(${pathOf(file)})format("woff2");unicode-range:${range}}`;
  return faces.map(toRule).join('');
}

/** Registers the fonts. Pages in a sandboxed frame, which have no origin, load them too. */
export function serveFonts(app: FastifyInstance): void {
  const headers = {
    'content-type': 'font/woff2',
    'cache-control': 'public, max-age=31536000, immutable',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
  };
  for (const { bytes, path } of files.values()) app.get(path, async (_request, reply) => reply.headers(headers).send(bytes));
}
