// The pictures of the demo: logo, products, portraits and tops of pages, drawn by scripts/demo-pictures and committed in
// the sizes that pages use. They are stored like uploads of the program's owner.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Tx } from '../../../context.ts';
import { toSlug } from '../../../platform/lib/slug.ts';
import { type Variant, variantWidths } from '../../../promotion/media/convert.ts';
import { storeImage } from '../../../promotion/media/upload.ts';
import { products } from '../data/demo-data.ts';

const folder = import.meta.dirname;
const portraitCount = 12;
/** Width and height of the largest variant. */
const shapes = { logo: [512, 512], products: [800, 800], portraits: [500, 500], heroes: [1600, 1000] } as const;

/** Addresses of pictures. */
export type Pictures = {
  logo: string;
  /** By the product's handle. */
  products: ReadonlyMap<string, string>;
  portraits: readonly string[];
  /** By template. */
  heroes: Readonly<Record<'clinical' | 'creator' | 'minimalist', string>>;
};

/** Stores all pictures. */
export async function seedPictures(tx: Tx, owner: { programId: string; userId: string }): Promise<Pictures> {
  const store = async (kind: keyof typeof shapes, name: string): Promise<string> => {
    const path = kind === 'logo' ? name : join(kind, name);
    const { url } = await storeImage(tx, { programId: owner.programId, userId: owner.userId, variants: readVariants(path, shapes[kind]) });
    return url;
  };
  const portraits: string[] = [];
  for (let number = 1; number <= portraitCount; number += 1)
    portraits.push(await store('portraits', `portrait-${String(number).padStart(2, '0')}`));
  const byHandle = new Map<string, string>();
  for (const handle of products.map(({ name }) => toSlug(name))) byHandle.set(handle, await store('products', handle));
  return {
    logo: await store('logo', 'logo'),
    products: byHandle,
    portraits,
    heroes: {
      clinical: await store('heroes', 'shelf'),
      creator: await store('heroes', 'field'),
      minimalist: await store('heroes', 'table'),
    },
  };
}

/** A picture that is not larger than a variant has no file for it: the one before is the whole picture. */
function readVariants(path: string, [width, height]: readonly [number, number]): Variant[] {
  const fileOf = (maxWidth: number) => join(folder, `${path}-${maxWidth}.webp`);
  return variantWidths.map((maxWidth) => {
    const largest = variantWidths.filter((each) => each <= maxWidth && existsSync(fileOf(each))).at(-1) ?? maxWidth;
    const scale = Math.min(1, maxWidth / width);
    return { maxWidth, width: Math.round(width * scale), height: Math.round(height * scale), content: readFileSync(fileOf(largest)) };
  });
}
