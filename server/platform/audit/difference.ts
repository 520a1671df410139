import { isDeepStrictEqual } from 'node:util';

export type Difference<Fields> = { before: Partial<Fields>; after: Partial<Fields> };

/**
 * The fields of `given` that differ from `present`, before and after. Null if none does, so that a request without a
 * change writes nothing. Undefined fields were not sent.
 */
export function difference<Fields extends object>(
  present: Fields,
  given: { [K in keyof Fields]?: Fields[K] | undefined },
): Difference<Fields> | null {
  const changed = (Object.keys(given) as (keyof Fields)[]).filter(
    (field) => given[field] !== undefined && !isDeepStrictEqual(given[field], present[field]),
  );
  if (changed.length === 0) return null;
  const pick = (from: { [K in keyof Fields]?: Fields[K] | undefined }) =>
    Object.fromEntries(changed.map((field) => [field, from[field]])) as Partial<Fields>;
  return { before: pick(present), after: pick(given) };
}
