// The parts of the editor that need no browser: what differs from what was saved, the state of saving, and the copy of
// unsaved words on this device.
import type { Result } from '../../api/call.ts';

export type PortalPage = Result<'portalPage.get'>;
export type Content = PortalPage['draft']['content'];
export type Changes = Partial<Content>;
export type PageLink = Content['links'][number];

/** `outdated`: another window saved the draft; nothing is saved until the user decides. */
export type SaveState = 'saved' | 'waiting' | 'saving' | 'offline' | 'outdated' | 'rejected';

/** The fields of `content` that differ from `base`. */
export function changesOf(base: Content, content: Content): Changes {
  const entries = Object.entries(content).filter(([name, value]) => !isSame(value, base[name as keyof Content]));
  return Object.fromEntries(entries) as Changes;
}

/** Whether a draft already contains these changes: a response was lost after the server had saved them. */
export function contains(content: Content, changes: Changes): boolean {
  return Object.keys(changesOf(content, { ...content, ...changes })).length === 0;
}

export const isEmpty = (changes: Changes): boolean => Object.keys(changes).length === 0;

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(normalize(one)) === JSON.stringify(normalize(other));
}

/** The server trims texts; the keys of an object have no order. */
function normalize(value: unknown): unknown {
  if (typeof value === 'string') return value.normalize('NFC').replace(/\r\n?/g, '\n').trim();
  if (Array.isArray(value)) return value.map(normalize);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .map(([key, inner]) => [key, normalize(inner)] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));
}

type Copy = { version: number; changes: Changes };

const copyName = (programId: string) => `trb-page-draft-${programId}`;

/** The unsaved words of an earlier visit, unless the draft has been saved elsewhere since. */
export function readCopy(storage: Storage | null, programId: string, version: number): Changes {
  try {
    const copy = JSON.parse(storage?.getItem(copyName(programId)) ?? 'null') as Copy | null;
    return copy?.version === version ? copy.changes : {};
  } catch {
    return {};
  }
}

/** Keeps unsaved words on this device, so that a closed window or a dead battery loses nothing. */
export function keepCopy(storage: Storage | null, programId: string, copy: Copy): void {
  try {
    if (isEmpty(copy.changes)) storage?.removeItem(copyName(programId));
    else storage?.setItem(copyName(programId), JSON.stringify(copy));
  } catch {
    // Storage is turned off or full; saving to the server continues.
  }
}

/** Moves one entry of a list; out of range changes nothing. */
export function move<Item>(list: readonly Item[], from: number, to: number): Item[] {
  const item = list[from];
  if (item === undefined || to < 0 || to >= list.length) return [...list];
  const rest = list.filter((_, index) => index !== from);
  return [...rest.slice(0, to), item, ...rest.slice(to)];
}

/** Where the page is: not submitted, in review, changes requested, live or approved and not published. */
export type PageStage = 'new' | 'in_review' | 'changes_requested' | 'live' | 'offline';

export function stageOf(page: PortalPage['page']): PageStage {
  if (page === null) return 'new';
  if (page.reviewStatus === 'changes_requested') return 'changes_requested';
  if (page.isLive) return 'live';
  return page.reviewStatus === 'draft' && page.isPublished ? 'in_review' : 'offline';
}
