// What the image of a page shows where its link is shared. Its version is part of the image's address, because services that
// show links keep images for a long time.
import { createHash } from 'node:crypto';
import { accents } from '../accents.ts';
import type { Storefront } from '../storefront.ts';

export type ShareCard = {
  title: string;
  affiliateName: string;
  programName: string;
  /** Six hexadecimal digits after `#`. */
  background: string;
  /** The color of the program, if it has one. */
  brand: string | null;
  /** The id of an uploaded image. */
  portrait: string | null;
};

export const cardSize = { width: 1200, height: 630 };

type Source = Pick<Storefront, 'title' | 'affiliateName' | 'accent' | 'avatar' | 'hero'>;

/** The card of a page. */
export function toCard({ title, affiliateName, accent, avatar, hero }: Source, program: { name: string; color: string | null }): ShareCard {
  const [, portrait = null] = /^\/media\/([0-9a-f-]{36})$/.exec((avatar ?? hero)?.url ?? '') ?? [];
  return { title, affiliateName, programName: program.name, background: accents[accent].light, brand: program.color, portrait };
}

/** Differs as soon as the image does. */
export function versionOf(card: ShareCard): string {
  return createHash('sha256').update(JSON.stringify(card)).digest('hex').slice(0, 12);
}
