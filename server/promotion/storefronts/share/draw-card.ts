// Draws the image of a page: its title and the affiliate's name on the page's color, over the lines of a contour map, with
// the affiliate's portrait. It runs in a worker thread. For a title that starts with a script written from the right,
// everything is on the other side.

import type sharp from 'sharp';
import type { OverlayOptions } from 'sharp';
import { isRightToLeft } from '../direction.ts';
import { cardSize, type ShareCard } from './card.ts';
import { drawText, type Layer } from './draw-text.ts';

const { width, height } = cardSize;
const margin = 72;
const portraitSize = 128;
const gap = 28;
const barHeight = 12;
const titleRoom = { width: width - 2 * margin, height: 300, sizes: [112, 96, 82, 68, 56] };
const nameRoom = { width: width - 2 * margin - portraitSize - gap, height: 62, sizes: [46, 38] };
const programRoom = { width: width - 2 * margin, height: 50, sizes: [34] };

export type Drawing = { card: ShareCard; fonts: string[]; portrait: Uint8Array | null };

/** The image as PNG. */
export async function drawCard({ card, fonts, portrait }: Drawing): Promise<Uint8Array> {
  const { default: image } = await import('sharp');
  const tools = { sharp: image, fonts };
  const title = await drawText(tools, card.title, titleRoom);
  const name = await drawText(tools, card.affiliateName, nameRoom);
  // In place of a title that this machine has no font for.
  const program = await drawText(tools, card.programName, title ? programRoom : titleRoom);
  const isMirrored = isRightToLeft(card.title);
  const place = (layer: Layer, middle: number, indent = 0): OverlayOptions => ({
    ...layer,
    left: isMirrored ? width - margin - indent - layer.raw.width : margin + indent,
    top: Math.round(middle - layer.raw.height / 2),
  });
  const round = portrait === null ? null : await cropRound(image, portrait);
  const bar = card.brand === null ? null : { create: { width, height: barHeight, channels: 3 as const, background: card.brand } };
  const layers: (OverlayOptions | null)[] = [
    program && place(program, title ? 92 : 292),
    title && place(title, 292),
    round && place(round, 518),
    name && place(name, 518, round ? portraitSize + gap : 0),
    bar && { input: bar, left: 0, top: height - barHeight },
  ];
  const pixels = drawMap(card.background, card.affiliateName);
  const drawn = image(pixels, { raw: { width, height, channels: 3 } }).composite(layers.filter((layer) => layer !== null));
  return new Uint8Array(await drawn.png({ compressionLevel: 9, palette: true, quality: 90, colors: 256 }).toBuffer());
}

async function cropRound(image: typeof sharp, bytes: Uint8Array): Promise<Layer> {
  const { data } = await image(bytes)
    .resize(portraitSize, portraitSize, { fit: 'cover', position: 'attention' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const center = (portraitSize - 1) / 2;
  for (let y = 0; y < portraitSize; y += 1)
    for (let x = 0; x < portraitSize; x += 1) {
      const cover = Math.min(1, Math.max(0, portraitSize / 2 - Math.hypot(x - center, y - center)));
      data[(y * portraitSize + x) * 4 + 3] = Math.round(255 * cover);
    }
  return { input: data, raw: { width: portraitSize, height: portraitSize, channels: 4 } };
}

const steps = 11;
const lineWidth = 1.1;
const lineStrength = 0.2;

/** Lines of equal height over a landscape that depends on the name, on a color that is darker below. */
function drawMap(background: string, name: string): Buffer {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(background.slice(at, at + 2), 16));
  const seed = [...name].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 100_003, 7) / 977;
  const heightAt = (x: number, y: number) =>
    steps *
    (Math.sin(x * 2.1 + seed) * Math.cos(y * 1.7 - seed * 2) +
      0.45 * Math.sin(x * 3.7 + y * 2.9 + seed * 3) +
      0.2 * Math.cos(x * 7.3 - y * 5.1 + seed));
  const scale = 1 / 460;
  const heights = new Float32Array(width * height);
  for (let at = 0; at < heights.length; at += 1) heights[at] = heightAt((at % width) * scale, Math.floor(at / width) * scale);
  const pixels = Buffer.alloc(width * height * 3);
  for (let at = 0; at < heights.length; at += 1) {
    const value = heights[at] ?? 0;
    const slope = Math.hypot((heights[at + 1] ?? value) - value, (heights[at + width] ?? value) - value);
    const distance = Math.abs(value - Math.round(value)) / Math.max(slope, 1e-4);
    const line = lineStrength * Math.min(1, Math.max(0, lineWidth - distance));
    const shade = 1.04 - (0.26 * at) / (width * height);
    pixels[at * 3] = Math.min(255, red * shade * (1 - line) + 255 * line);
    pixels[at * 3 + 1] = Math.min(255, green * shade * (1 - line) + 255 * line);
    pixels[at * 3 + 2] = Math.min(255, blue * shade * (1 - line) + 255 * line);
  }
  return pixels;
}
