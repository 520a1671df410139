// Converts an uploaded image into the variants that pages show, or into a file to download. It runs in a worker thread, one
// image at a time: the file is untrusted, and decoding it takes up to 160 MB. Only decoders of four formats are enabled, and
// what a file is depends on its first bytes, never on its name or type. Encoding the pixels again removes metadata and
// anything else in the file.

import type { Sharp } from 'sharp';

/** The widths that pages use; the last is the largest. */
export const variantWidths = [256, 512, 1600] as const;
export const maxPixels = 40_000_000;
/** Portraits are limited too, so that no variant is a strip of enormous height. */
const maxHeightPerWidth = 2;
const maxVariantBytes = 400_000;
/** Enough for print on paper of half a page, and for every social network. */
const maxDownloadWidth = 2400;
const previewWidth = 512;
/** Tried in this order until the variant is small enough. */
const qualities = [82, 70, 55, 40, 25];
const timeoutSeconds = 20;

const decoders = ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer', 'VipsForeignLoadHeifBuffer'];

export type Variant = { maxWidth: number; width: number; height: number; content: Uint8Array };
type Fault = { fault: 'unknown_format' | 'too_many_pixels' | 'unreadable' };
export type Converted = Fault | { fault: null; variants: Variant[] };
/** An image to download: its file, and a preview of it as WebP. */
export type ConvertedDownload = Fault | { fault: null; file: Encoded & { type: 'image/jpeg' | 'image/png' }; preview: Uint8Array };
type Encoded = { width: number; height: number; content: Uint8Array };

/** The variants of an image, the smallest first; images are never enlarged. */
export function convertImage(bytes: Uint8Array): Promise<Converted> {
  return decode(bytes, variantWidths[2], async (pixels) => {
    const variants: Variant[] = [];
    for (const maxWidth of variantWidths) variants.push(await encode(pixels, maxWidth));
    return { variants };
  });
}

/** An image in a format that every application opens: PNG if parts are transparent, otherwise JPEG. */
export function convertForDownload(bytes: Uint8Array): Promise<ConvertedDownload> {
  return decode(bytes, maxDownloadWidth, async (pixels) => {
    const { content: preview } = await encode(pixels, previewWidth);
    return { file: await encodeDownload(pixels), preview };
  });
}

/** Calls `encodeAll` with a function that returns the decoded pixels, at most this wide. */
async function decode<Result>(
  bytes: Uint8Array,
  maxWidth: number,
  encodeAll: (pixels: () => Sharp) => Promise<Result>,
): Promise<Fault | (Result & { fault: null })> {
  if (!hasKnownFormat(bytes)) return { fault: 'unknown_format' };
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: decoders });
  const options = { limitInputPixels: maxPixels, failOn: 'error', sequentialRead: true, pages: 1 } as const;
  try {
    const { width, height } = await sharp(bytes, options).metadata();
    if (width * height > maxPixels) return { fault: 'too_many_pixels' };
    const decoded = fit(sharp(bytes, options).timeout({ seconds: timeoutSeconds }).autoOrient(), maxWidth).toColourspace('srgb');
    const { data, info } = await decoded.raw().toBuffer({ resolveWithObject: true });
    const pixels = () => sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
    return { ...(await encodeAll(pixels)), fault: null };
  } catch (error) {
    return { fault: error instanceof Error && /pixel limit/i.test(error.message) ? 'too_many_pixels' : 'unreadable' };
  }
}

async function encodeDownload(pixels: () => Sharp): Promise<Encoded & { type: 'image/jpeg' | 'image/png' }> {
  const { isOpaque } = await pixels().stats();
  const formatted = isOpaque ? pixels().jpeg({ quality: 90 }) : pixels().png();
  const { data, info } = await formatted.toBuffer({ resolveWithObject: true });
  return { type: isOpaque ? 'image/jpeg' : 'image/png', width: info.width, height: info.height, content: new Uint8Array(data) };
}

function fit(image: Sharp, width: number): Sharp {
  return image.resize({ width, height: width * maxHeightPerWidth, fit: 'inside', withoutEnlargement: true });
}

async function encode(pixels: () => Sharp, maxWidth: number): Promise<Variant> {
  for (const quality of qualities) {
    const { data, info } = await fit(pixels(), maxWidth).webp({ quality, effort: 3 }).toBuffer({ resolveWithObject: true });
    if (data.length <= maxVariantBytes || quality === qualities.at(-1)) {
      return { maxWidth, width: info.width, height: info.height, content: new Uint8Array(data) };
    }
  }
  throw new Error('No quality was tried.');
}

/** Whether the file starts as JPEG, PNG, WebP or AVIF. */
export function hasKnownFormat(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, 64)).toString('latin1');
  return (
    head.startsWith('\xff\xd8\xff') ||
    head.startsWith('\x89PNG\r\n\x1a\n') ||
    (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') ||
    (head.slice(4, 8) === 'ftyp' && /avi[fs]/.test(head.slice(8)))
  );
}
