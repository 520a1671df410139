// The choices of the screen as a saved view stores them: the parameters of the URL. Pure.
import { type RawSearch, readText } from '../../url/url-state.ts';

const names = ['range', 'from', 'to', 'compare', 'metric', 'breakdown', 'cohorts'] as const;

/** The parameters that a view stores. */
export function toView(raw: RawSearch): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = readText(raw, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** The change of the URL that restores a view. Parameters that it doesn't store are removed. */
export function toPatch(query: unknown): Record<string, string | null> {
  const stored = toView(toRaw(query));
  return Object.fromEntries(names.map((name) => [name, stored[name] ?? null]));
}

export function isSameView(raw: RawSearch, query: unknown): boolean {
  const patch = toPatch(query);
  return names.every((name) => (readText(raw, name) ?? null) === patch[name]);
}

function toRaw(query: unknown): RawSearch {
  if (typeof query !== 'object' || query === null) return {};
  return Object.fromEntries(Object.entries(query).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
