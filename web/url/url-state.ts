// Filters, sort and page live in the URL, in the form that the API also uses: `?status=pending&status=active&sort=-name`.
// A screen turns the raw parameters into its own type with the readers below; values it doesn't know are dropped.

export type RawSearch = Readonly<Record<string, string | readonly string[]>>;

/** Parses a query string. A name that occurs several times becomes a list. */
export function parseSearch(text: string): RawSearch {
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) values.set(name, [...(values.get(name) ?? []), value]);
  return Object.fromEntries([...values].map(([name, list]) => [name, list.length === 1 ? (list[0] ?? '') : list]));
}

/** Writes a query string with its `?`; empty and missing values are left out. */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(search).flatMap(([name, value]) =>
    [value].flat().flatMap((each) => (each === undefined || each === null || each === '' ? [] : [[name, String(each)]])),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

/** Every value of a parameter. */
export function readAll(search: RawSearch, name: string): string[] {
  const value = Object.hasOwn(search, name) ? search[name] : undefined;
  return value === undefined ? [] : [value].flat();
}

/** A text, or undefined. */
export function readText(search: RawSearch, name: string): string | undefined {
  return readAll(search, name)[0] || undefined;
}

/** One of the allowed values, or undefined. */
export function readOne<const T extends string>(search: RawSearch, name: string, allowed: readonly T[]): T | undefined {
  return readSome(search, name, allowed)[0];
}

/** Those of the values that are allowed. */
export function readSome<const T extends string>(search: RawSearch, name: string, allowed: readonly T[]): T[] {
  return readAll(search, name).flatMap((value) => allowed.find((each) => each === value) ?? []);
}

/** A whole number of at least `minimum`, or undefined. */
export function readCount(search: RawSearch, name: string, minimum = 0): number | undefined {
  const text = readText(search, name);
  const value = text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
  return value !== undefined && value >= minimum ? value : undefined;
}
