// The images of pages, drawn once for each content and process. The most recent ones are kept.
import { createHash } from 'node:crypto';
import type { Context } from '../../../context.ts';
import type { CachedFile } from '../../../platform/http/pages/cached-file.ts';
import { type ShareCard, versionOf } from './card.ts';
import { drawCard } from './draw-card.ts';
import { unpackFonts } from './font-files.ts';

const kept = 60;
const cards = new Map<string, Promise<CachedFile>>();
/** Drawn one after another, so that they take one of the worker threads. */
let last: Promise<unknown> = Promise.resolve();

/** The image of a card. */
export function readCard(ctx: Context, programId: string, card: ShareCard): Promise<CachedFile> {
  const key = `${programId} ${versionOf(card)}`;
  const found = cards.get(key) ?? drawNext(() => draw(ctx, programId, card));
  // Moves it to the end, so that the first one is the one that was not used for the longest time.
  cards.delete(key);
  cards.set(key, found);
  found.catch(() => cards.delete(key));
  for (const oldest of [...cards.keys()].slice(0, Math.max(0, cards.size - kept))) cards.delete(oldest);
  return found;
}

function drawNext(run: () => Promise<CachedFile>): Promise<CachedFile> {
  const drawn = last.then(run, run);
  last = drawn;
  return drawn;
}

async function draw(ctx: Context, programId: string, card: ShareCard): Promise<CachedFile> {
  const portrait = card.portrait === null ? null : await readPortrait(ctx, programId, card.portrait);
  const drawing = { card, portrait, fonts: unpackFonts() };
  const bytes = Buffer.from(await ctx.workers.run(new URL('draw-card.ts', import.meta.url).href, drawCard, drawing));
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  return { type: 'image/png', hash, bytes, compressed: null };
}

async function readPortrait({ db }: Context, programId: string, id: string): Promise<Uint8Array | null> {
  const variant = await db
    .selectFrom('mediaVariants')
    .select('content')
    .where('programId', '=', programId)
    .where('mediaId', '=', id)
    .where('maxWidth', '=', 512)
    .executeTakeFirst();
  return variant ? new Uint8Array(variant.content) : null;
}
