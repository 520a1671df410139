// Draws the pictures of the demo program and writes them to server/operations/demo/pictures. Run it after changing a
// drawing: `node scripts/dev.mjs scripts/demo-pictures/main.ts`. The files are committed, so that the service draws nothing.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { convertImage } from '../../server/promotion/media/convert.ts';
import { openBrowser } from '../../test/support/browser.ts';
import { heroes } from './heroes.ts';
import { logo } from './logo.ts';
import { portraits } from './portraits.ts';
import { products } from './products.ts';

const { resolve } = createRequire(import.meta.url);
const target = join(import.meta.dirname, '../../server/operations/demo/pictures');

const face = (family: string, file: string, weight: string) =>
  `@font-face{font-family:"${family}";font-weight:${weight};src:url(data:font/woff2;base64,${readFileSync(resolve(file)).toString('base64')})}`;

const fonts = [
  face('Brand Serif', '@fontsource/instrument-serif/files/instrument-serif-latin-400-normal.woff2', '400'),
  face('Brand Sans', '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2', '300 900'),
].join('');

const groups: { folder: string; pictures: Record<string, string>; width: number; height: number }[] = [
  { folder: 'products', pictures: products, width: 800, height: 800 },
  { folder: 'portraits', pictures: portraits, width: 500, height: 500 },
  { folder: 'heroes', pictures: heroes, width: 1600, height: 1000 },
  { folder: '.', pictures: logo, width: 512, height: 512 },
];

const only = process.argv[2];
/** Writes the variants that an upload of the picture would have; those that are not larger than the one before are left out. */
async function write(path: string, drawn: Uint8Array): Promise<void> {
  const converted = await convertImage(drawn);
  if (converted.fault !== null) throw new Error(`${path}: ${converted.fault}`);
  const widths = new Set<number>();
  for (const { maxWidth, width, content } of converted.variants) {
    if (!widths.has(width)) writeFileSync(`${path}-${maxWidth}.webp`, content);
    widths.add(width);
  }
}

const browser = await openBrowser();
const page = await browser.newPage();
for (const { folder, pictures, width, height } of groups) {
  mkdirSync(join(target, folder), { recursive: true });
  await page.setViewportSize({ width, height });
  for (const [name, svg] of Object.entries(pictures)) {
    if (only !== undefined && !name.includes(only)) continue;
    await page.setContent(`<style>${fonts}body{margin:0;background:none}svg{display:block}</style>${svg}`);
    await page.evaluate('document.fonts.ready');
    const drawn = await page.screenshot({ omitBackground: true });
    await write(join(target, folder, name), drawn);
  }
}
await browser.close();
