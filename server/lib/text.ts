// What a string may hold. PostgreSQL refuses NUL, and lone surrogates would silently become U+FFFD
// (two different emails would then collide), so both are refused before anything is stored.
import type { Detail } from './errors.ts';

/** Why a string can't be stored at all, or null when it can. */
export function unstorable(text: string): string | null {
  if (text.includes('\0')) return 'must not contain NUL';
  if (!text.isWellFormed()) return 'must be well-formed Unicode';
  return null;
}

// C0, C1, zero-width space, bidi overrides and isolates, word joiner, BOM. The joiners U+200C and
// U+200D stay: Persian and family emoji need them.
const invisible = /[\u0000-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2060\u2066-\u2069\ufeff]/;
const invisibleButLines = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2060\u2066-\u2069\ufeff]/;

export function isOneLine(text: string): boolean {
  return !invisible.test(text);
}

export function isPlainText(text: string): boolean {
  return !invisibleButLines.test(text);
}

/** The form in which text is compared and searched: case folded in code, since databases differ. */
export function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

const maxDepth = 32;
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
      const fault = unstorable(node);
      if (fault) faults.push({ path: pathOf(place), message: fault });
      return;
    }
    if (typeof node === 'number' && !Number.isFinite(node)) faults.push({ path: pathOf(place), message: 'must be a finite number' });
    if (typeof node !== 'object' || node === null) return;
    if (depth >= maxDepth) {
      faults.push({ path: pathOf(place).slice(0, 3), message: `must not be nested deeper than ${maxDepth} levels` });
      return;
    }
    if (Array.isArray(node)) {
      for (let index = 0; index < node.length; index += 1) visit(node[index], { parent: place, name: index }, depth + 1);
      return;
    }
    for (const key of Object.keys(node)) {
      members += 1;
      if (refusedKeys.has(key) || unstorable(key)) faults.push({ path: pathOf(place), message: 'has a key that is not allowed' });
      else visit((node as Record<string, unknown>)[key], { parent: place, name: key }, depth + 1);
    }
  };
  visit(value, null, 0);
  return { faults, members };
}

/** Where a value is, as a chain: a path as text is only needed where something is wrong. */
type Place = { parent: Place | null; name: string | number };

function pathOf(place: Place | null): string[] {
  return place ? [...pathOf(place.parent), String(place.name)] : [];
}
