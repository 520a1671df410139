// What a form of the settings sends: the fields that were changed, so that it doesn't undo what another member saved. Pure.

/** The fields of `after` that differ from `before`. */
export function changedFields<Fields extends object>(before: Fields, after: Fields): Partial<Fields> {
  const former = new Map<string, unknown>(Object.entries(before));
  const changed = Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(former.get(name)));
  return Object.fromEntries(changed) as Partial<Fields>;
}

/** The entries of a field such as a list of hosts, separated by lines, spaces or commas. */
export function toEntries(text: string): string[] {
  return text.split(/[\s,;]+/).filter((entry) => entry !== '');
}

/** The lines of a field, without empty ones. */
export function toLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
