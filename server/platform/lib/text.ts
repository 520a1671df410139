// Rules for text. PostgreSQL rejects NUL, and lone surrogates would silently become U+FFFD, so that two different emails
// could collide; both are rejected before anything is stored.
import type { Detail } from './errors.ts';

/** Why a string can't be stored, or null if it can. */
export function explainUnstorable(text: string): string | null {
  if (text.includes('\0')) return 'must not contain NUL';
  if (!text.isWellFormed()) return 'must be well-formed Unicode';
  return null;
}

// Characters that are invisible or affect the surrounding text: controls, format characters (bidi marks and overrides,
// zero-width spaces, tags, the soft hyphen), line and paragraph separators, fillers, the Braille blank.
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/u;

// Sequences in which some of them are part of the spelling: joiners in Persian words and Indic scripts, composed emoji,
// variants of Han and Mongolian characters. Arabic number signs are format characters, but visible.
const scripts = 'Arab Syrc Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt'.split(' ');
const joining = `[${scripts.map((script) => `\\p{Script_Extensions=${script}}`).join('')}]`;
const virama = '[\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca\\u1039\\u17d2]';
const pictograph = '\\p{Extended_Pictographic}[\\ufe0e\\ufe0f]?\\p{Emoji_Modifier}?';
const spellings = [
  '\\u{1f3f4}[\\u{e0030}-\\u{e0039}\\u{e0061}-\\u{e007a}]{2,6}\\u{e007f}',
  `${pictograph}(?:\\u200d${pictograph})*`,
  '[0-9#*]\\ufe0f\\u20e3',
  '\\p{Script=Han}[\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]',
  '\\p{Script=Mongolian}[\\u180b-\\u180d\\u180f]',
  `(?<=${joining})[\\u200c\\u200d](?=${joining})`,
  `(?<=${virama})[\\u200c\\u200d]`,
  '[\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u{110bd}\\u{110cd}]',
];
const spelledOrInvisible = new RegExp(`(${spellings.join('|')})|${invisible.source}`, 'gu');
const lineBreaks = /[\t-\r\u0085\u2028\u2029]+/g;
// Multi-line text also allows line breaks, bidi marks, joiners, soft hyphens and variants of symbols.
const allowedInParagraphs = /[\n\t\u00ad\u061c\u200c-\u200f]|[\ufe0e\ufe0f]/g;

function withoutInvisible(text: string): string {
  return text.replace(spelledOrInvisible, (_, spelled: string | undefined) => spelled ?? '');
}

/** Whether a text is one line without hidden characters, as required of names and identifiers. */
export function isOneLine(text: string): boolean {
  return !invisible.test(text) || withoutInvisible(text) === text;
}

/** Repairs a text so that `isOneLine` accepts it, for data from external systems that can't be sent back for correction. */
export function toOneLine(text: string): string {
  return withoutInvisible(text.replace(lineBreaks, ' ')).trim();
}

/** Whether a multi-line text has no control characters and no characters that reorder or hide text. */
export function isPlainText(text: string): boolean {
  return isOneLine(text.replace(allowedInParagraphs, ''));
}

/** Repairs a text so that it can be stored. */
export function toStorable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** The form in which text is compared and searched. Case is folded in code because databases fold it differently. */
export function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

const letters: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th', ø: 'o', ł: 'l', đ: 'd', ð: 'd', ħ: 'h', ı: 'i' };

/** The form in which names are searched: without case and accents, so that `angstrom` finds Ångström. */
export function foldAccents(text: string): string {
  const folded = foldCase(text)
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC');
  return folded.replace(/[ßæœþøłđðħı]/g, (letter) => letters[letter] ?? letter);
}

export const maxJsonDepth = 32;
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Finds everything in a parsed JSON value that must not be stored or logged: NUL, lone surrogates, nesting deeper than
 * 32 levels, keys that reach prototypes. `members` counts object members.
 */
export function inspectJson(value: unknown): { faults: Detail[]; members: number } {
  const faults: Detail[] = [];
  let members = 0;
  const visit = (node: unknown, location: Location | null, depth: number): void => {
    if (typeof node === 'string') {
      const fault = explainUnstorable(node);
      if (fault) faults.push({ path: toPath(location), message: fault });
      return;
    }
    if (typeof node === 'number' && !Number.isFinite(node)) faults.push({ path: toPath(location), message: 'must be a finite number' });
    if (typeof node !== 'object' || node === null) return;
    if (depth >= maxJsonDepth) {
      faults.push({ path: toPath(location).slice(0, 3), message: `must not be nested deeper than ${maxJsonDepth} levels` });
      return;
    }
    if (Array.isArray(node)) {
      for (let index = 0; index < node.length; index += 1) visit(node[index], { parent: location, name: index }, depth + 1);
      return;
    }
    for (const key of Object.keys(node)) {
      members += 1;
      if (forbiddenKeys.has(key) || explainUnstorable(key))
        faults.push({ path: toPath(location), message: 'has a key that is not allowed' });
      else visit((node as Record<string, unknown>)[key], { parent: location, name: key }, depth + 1);
    }
  };
  visit(value, null, 0);
  return { faults, members };
}

/**
 * Repairs a parsed JSON value from an external system: makes texts storable, and removes keys that reach prototypes and
 * values nested deeper than 32 levels.
 */
export function repairJson(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return toStorable(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= maxJsonDepth) return null;
  if (Array.isArray(value)) return value.map((item) => repairJson(item, depth + 1));
  const members = Object.entries(value).filter(([key]) => !forbiddenKeys.has(key));
  return Object.fromEntries(members.map(([key, item]) => [toStorable(key), repairJson(item, depth + 1)]));
}

/** The location of a value as a linked list; it is converted to a path only for a fault. */
type Location = { parent: Location | null; name: string | number };

function toPath(location: Location | null): string[] {
  return location ? [...toPath(location.parent), String(location.name)] : [];
}

/** "Ada Lindqvist", or "Ada": last names are optional. */
export function fullName({ firstName, lastName }: { firstName: string; lastName: string }): string {
  return `${firstName} ${lastName}`.trim();
}

const rightToLeft = '[\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc]';
const rightToLeftRun = new RegExp(`${rightToLeft}(?:[\\p{M}\\p{P} ]*${rightToLeft})*`, 'gu');

/** Isolates words in right-to-left scripts (U+2068 … U+2069), so that they don't reorder the sentence around them. */
export function isolateRightToLeft(text: string): string {
  return text.replace(rightToLeftRun, '\u2068$&\u2069');
}

type Run = { text: string; isRightToLeft: boolean };

/** The runs of words of one direction, in the order of the text. */
export function splitByDirection(text: string): Run[] {
  const runs: Run[] = [];
  let end = 0;
  for (const { 0: words, index } of text.matchAll(rightToLeftRun)) {
    if (index > end) runs.push({ text: text.slice(end, index), isRightToLeft: false });
    runs.push({ text: words, isRightToLeft: true });
    end = index + words.length;
  }
  if (end < text.length) runs.push({ text: text.slice(end), isRightToLeft: false });
  return runs;
}
