// What changed between two revisions of a page, field by field. Pure.
import type { Result } from '../../../api/call.ts';
import { type DiffPart, diffWords } from './word-diff.ts';

export type Revision = Result<'landingPages.revision'>;
type Product = Revision['products'][number];

export const textFields = ['pageTitle', 'headline', 'bioText', 'promoBadgeText'] as const;
export const imageFields = ['avatarUrl', 'heroImageUrl'] as const;
export const choiceFields = ['templateId', 'accent', 'promotionMode', 'heroFocus'] as const;

export type Changes = {
  texts: { field: (typeof textFields)[number]; parts: DiffPart[] }[];
  images: { field: (typeof imageFields)[number]; before: string | null; after: string | null }[];
  choices: { field: (typeof choiceFields)[number]; before: string; after: string }[];
  products: { added: Product[]; removed: Product[]; isReordered: boolean };
  notes: { product: string; parts: DiffPart[] }[];
  links: { added: Revision['links']; removed: Revision['links'] };
};

/** The differences between the approved and the current revision. */
export function findChanges(before: Revision, after: Revision): Changes {
  return {
    texts: textFields
      .filter((field) => (before[field] ?? '') !== (after[field] ?? ''))
      .map((field) => ({ field, parts: diffWords(before[field] ?? '', after[field] ?? '') })),
    images: imageFields
      .filter((field) => before[field] !== after[field])
      .map((field) => ({ field, before: before[field], after: after[field] })),
    choices: choiceFields
      .filter((field) => before[field] !== after[field])
      .map((field) => ({ field, before: before[field], after: after[field] })),
    products: compareProducts(before.products, after.products),
    notes: compareNotes(before, after),
    links: {
      added: after.links.filter((link) => !before.links.some((other) => isSameLink(link, other))),
      removed: before.links.filter((link) => !after.links.some((other) => isSameLink(link, other))),
    },
  };
}

function compareProducts(before: readonly Product[], after: readonly Product[]): Changes['products'] {
  const has = (list: readonly Product[], { id }: Product) => list.some((other) => other.id === id);
  const kept = (list: readonly Product[], other: readonly Product[]) => list.filter((product) => has(other, product)).map(({ id }) => id);
  return {
    added: after.filter((product) => !has(before, product)),
    removed: before.filter((product) => !has(after, product)),
    isReordered: kept(before, after).join() !== kept(after, before).join(),
  };
}

function compareNotes(before: Revision, after: Revision): Changes['notes'] {
  const names = new Map([...before.products, ...after.products].map(({ id, name }) => [id, name]));
  const ids = [...new Set([...Object.keys(before.productNotes), ...Object.keys(after.productNotes)])];
  return ids
    .map((id) => ({ id, old: before.productNotes[id] ?? '', fresh: after.productNotes[id] ?? '' }))
    .filter(({ old, fresh }) => old !== fresh)
    .map(({ id, old, fresh }) => ({ product: names.get(id) ?? id, parts: diffWords(old, fresh) }));
}

type Link = { label: string; url: string };
const isSameLink = (a: Link, b: Link) => a.label === b.label && a.url === b.url;

/** The kinds of content that are as before. */
export function listUnchanged({
  texts,
  images,
  choices,
  products,
  notes,
  links,
}: Changes): ('texts' | 'images' | 'products' | 'links' | 'design')[] {
  const hasProducts = products.added.length + products.removed.length + notes.length > 0 || products.isReordered;
  return [
    ...(texts.length === 0 ? (['texts'] as const) : []),
    ...(images.length === 0 ? (['images'] as const) : []),
    ...(hasProducts ? [] : (['products'] as const)),
    ...(links.added.length + links.removed.length === 0 ? (['links'] as const) : []),
    ...(choices.length === 0 ? (['design'] as const) : []),
  ];
}
