// Removes a person from texts and JSON. Pure. Their addresses and full names are removed wherever they occur; parts of the name,
// slugs and coupon codes only where it is certain that the text is about this person, because others have the same first name.
import type { Person } from '../person.ts';

export const erasedText = 'erased';

export type Words = {
  /** Found in any text. */
  certain: readonly string[];
  /** What the audit log keeps of an address, after its first letter. */
  masked: readonly string[];
  /** Found in texts about the person. */
  own: readonly string[];
  /** Ids of the person's rows; a text or object with one is about the person. */
  ids: readonly string[];
};

const minOwnLength = 2;

/** What to look for, from the names of the person and what belongs to them in a program. */
export function toWords(
  { addresses, names, userId, ownDomains }: Person,
  { ids, words }: { ids: readonly string[]; words: readonly string[] },
): Words {
  const full = names.flatMap(([first, last]) => (first && last ? [`${first} ${last}`, `${last} ${first}`, `${last}, ${first}`] : []));
  const whole = names.flatMap(([name, last]) => (last === '' && /\s/.test(name.trim()) ? [name.trim()] : []));
  const parts = names.flatMap(([first, last]) => [first, last, ...`${first} ${last}`.split(/\s+/)]);
  const own = [...parts, ...words].map((word) => word.trim()).filter((word) => word.length >= minOwnLength);
  return {
    certain: unique([...addresses, ...full, ...whole]),
    masked: unique(ownDomains.map((domain) => `•••@${domain}`)),
    own: unique(own),
    ids: unique([...ids, ...(userId ? [userId] : [])]),
  };
}

/** The longest first, so that a name doesn't leave the rest of a longer one. */
function unique(words: readonly string[]): string[] {
  return [...new Set(words)].sort((a, b) => b.length - a.length);
}

const syntax = /[.*+?^${}()|[\]\\/]/g;

/** A regular expression of PostgreSQL that finds every row that may have to be changed; empty without words. */
export function toPattern(words: readonly string[]): string {
  return words.map((word) => word.replace(syntax, '\\$&')).join('|');
}

function toRegExp(words: readonly string[], masked: readonly string[]): RegExp | null {
  const whole = words.length === 0 ? [] : [`(?<![\\p{L}\\p{N}])(?:${toPattern(words)})`];
  const parts = masked.length === 0 ? whole : [...whole, `[^\\s•]?(?:${toPattern(masked)})`];
  return parts.length === 0 ? null : new RegExp(`(?:${parts.join('|')})(?![\\p{L}\\p{N}])`, 'giu');
}

/** Fields of an object about the person that describe them, and what they contain afterwards. */
const personal: Readonly<Record<string, unknown>> = {
  firstName: 'Erased',
  lastName: 'affiliate',
  vanitySlug: null,
  externalId: null,
  metadata: {},
  tags: [],
  note: null,
  answers: [],
  bioText: null,
  headline: null,
  pageTitle: erasedText,
  avatarUrl: null,
  heroImageUrl: null,
  promoBadgeText: null,
  productNotes: {},
};

/** Fields with one of a few values, which are never words of a person. */
const kept: ReadonlySet<string> = new Set(['status', 'type', 'kind', 'method', 'role', 'currency', 'mode', 'reason', 'action', 'actor']);

export type Scrubber = {
  /** Whether a text with these words is about the person. */
  isAbout(text: string): boolean;
  text(text: string, isAbout: boolean): string;
  json(value: unknown, isAbout: boolean): unknown;
};

/** Functions that remove these words. They return what they were given if it contains none. */
export function createScrubber({ certain, masked, own, ids }: Words, erasedAddress: string): Scrubber {
  const everywhere = toRegExp(certain, masked);
  const ofPerson = toRegExp([...certain, ...own], masked);
  const named = toRegExp([...certain, ...ids], masked);
  const known = new Set(ids);
  const text = (given: string, isAbout: boolean): string => {
    const words = isAbout ? ofPerson : everywhere;
    return words === null ? given : given.replace(words, erasedText);
  };
  const isOwn = (value: Record<string, unknown>): boolean =>
    [value.id, value.affiliateId, value.userId].some((id) => typeof id === 'string' && known.has(id)) ||
    (typeof value.email === 'string' && everywhere !== null && value.email.replace(everywhere, '') === '');
  const json = (value: unknown, isAbout: boolean): unknown => {
    if (typeof value === 'string') return known.has(value) ? value : text(value, isAbout);
    if (Array.isArray(value)) return value.map((item) => json(item, isAbout));
    if (value === null || typeof value !== 'object') return value;
    const fields = value as Record<string, unknown>;
    const own = isOwn(fields);
    return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, scrubField(name, field, own, isAbout)]));
  };
  const scrubField = (name: string, field: unknown, own: boolean, isAbout: boolean): unknown => {
    if (kept.has(name) && typeof field === 'string') return text(field, false);
    if (!own || field === null) return json(field, isAbout);
    if (name === 'email' && typeof field === 'string') return erasedAddress;
    return name in personal && typeof field !== 'number' ? personal[name] : json(field, true);
  };
  return { isAbout: (given) => named !== null && given.search(named) !== -1, text, json };
}
