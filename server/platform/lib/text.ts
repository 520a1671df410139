// What a string may hold. PostgreSQL refuses NUL, and lone surrogates would silently become U+FFFD
// (two different emails would then collide), so both are refused before anything is stored.
import type { Detail } from './errors.ts';

/** Why a string can't be stored at all, or null when it can. */
export function explainUnstorable(text: string): string | null {
  if (text.includes('\0')) return 'must not contain NUL';
  if (!text.isWellFormed()) return 'must be well-formed Unicode';
  return null;
}

// Characters that can't be seen or that steer the text around them: controls, format characters (bidi marks and
// overrides, zero-width spaces, tags, the soft hyphen), line and paragraph separators, fillers, the blank of Braille.
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/u;

// Where some of them belong to the spelling: joiners inside of words of Persian and of Indic scripts, emoji made of
// several, the selected form of a Han or Mongolian character. Number signs of Arabic count as format, but are drawn.
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
// In text of several lines also: line breaks, bidi marks, joiners, soft hyphens and the forms of symbols.
const allowedInParagraphs = /[\n\t\u00ad\u061c\u200c-\u200f]|[\ufe0e\ufe0f]/g;

function withoutInvisible(text: string): string {
  return text.replace(spelledOrInvisible, (_, spelled: string | undefined) => spelled ?? '');
}

/** Whether a text is one line with nothing hidden in it: what a name or an identifier may be. */
export function isOneLine(text: string): boolean {
  return !invisible.test(text) || withoutInvisible(text) === text;
}

/** The nearest text that `isOneLine` accepts, for texts of other systems that nobody can correct. */
export function toOneLine(text: string): string {
  return withoutInvisible(text.replace(lineBreaks, ' ')).trim();
}

/** Whether a text of several lines holds no control characters and nothing that reorders or hides it. */
export function isPlainText(text: string): boolean {
  return isOneLine(text.replace(allowedInParagraphs, ''));
}

/** The nearest text that `unstorable` accepts. */
export function toStorable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** The form in which text is compared and searched: case folded in code, since databases differ. */
export function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

export const maxJsonDepth = 32;
const refusedKeys = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Walks a parsed JSON value and returns what must not be stored or even logged: NUL, lone
 * surrogates, nesting below 32, keys that reach prototypes. `members` counts object members.
 */
export function inspectJson(value: unknown): { faults: Detail[]; members: number } {
  const faults: Detail[] = [];
  let members = 0;
  const visit = (node: unknown, place: Place | null, depth: number): void => {
    if (typeof node === 'string') {
      const fault = explainUnstorable(node);
      if (fault) faults.push({ path: pathOf(place), message: fault });
      return;
    }
    if (typeof node === 'number' && !Number.isFinite(node)) faults.push({ path: pathOf(place), message: 'must be a finite number' });
    if (typeof node !== 'object' || node === null) return;
    if (depth >= maxJsonDepth) {
      faults.push({ path: pathOf(place).slice(0, 3), message: `must not be nested deeper than ${maxJsonDepth} levels` });
      return;
    }
    if (Array.isArray(node)) {
      for (let index = 0; index < node.length; index += 1) visit(node[index], { parent: place, name: index }, depth + 1);
      return;
    }
    for (const key of Object.keys(node)) {
      members += 1;
      if (refusedKeys.has(key) || explainUnstorable(key)) faults.push({ path: pathOf(place), message: 'has a key that is not allowed' });
      else visit((node as Record<string, unknown>)[key], { parent: place, name: key }, depth + 1);
    }
  };
  visit(value, null, 0);
  return { faults, members };
}

/**
 * A parsed JSON value of another system, repaired: texts are made storable, keys that reach prototypes and what is
 * nested deeper than 32 levels are left out.
 */
export function repairJson(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return toStorable(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= maxJsonDepth) return null;
  if (Array.isArray(value)) return value.map((item) => repairJson(item, depth + 1));
  const members = Object.entries(value).filter(([key]) => !refusedKeys.has(key));
  return Object.fromEntries(members.map(([key, item]) => [toStorable(key), repairJson(item, depth + 1)]));
}

/** Where a value is, as a chain: a path as text is only needed where something is wrong. */
type Place = { parent: Place | null; name: string | number };

function pathOf(place: Place | null): string[] {
  return place ? [...pathOf(place.parent), String(place.name)] : [];
}
