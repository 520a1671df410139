// The parts of a form that need no browser: which field a message of the server belongs to, and whether something changed.

export type FieldErrors = Readonly<Record<string, string>>;

/** One entry of `details` in an error of the API. */
export type ServerDetail = { path: readonly (string | number)[] | string; message: string };

/**
 * Messages by field, each as `toText` words it; the first message counts. A path into a list or an object belongs to the
 * field of that name, such as `address.city`, if it is one of `names`, and otherwise to its first part.
 */
export function fieldErrorsOf(
  details: readonly ServerDetail[],
  toText: (message: string, field: string) => string,
  names: readonly string[] = [],
): FieldErrors {
  const errors = new Map<string, string>();
  for (const { path, message } of details) {
    const name = fieldName(path, names);
    if (name !== '' && !errors.has(name)) errors.set(name, toText(message, lastPartOf(path)));
  }
  return Object.fromEntries(errors);
}

/** `["body", "firstName"]`, `["firstName"]` and `"firstName"` all mean the field firstName. */
function fieldName(path: ServerDetail['path'], names: readonly string[]): string {
  const given = partsOf(path);
  const parts = given[0] === 'body' && given.length > 1 ? given.slice(1) : given;
  const whole = parts.join('.');
  return names.includes(whole) ? whole : (parts[0] ?? '');
}

function partsOf(path: ServerDetail['path']): readonly string[] {
  return typeof path === 'string' ? path.split(/[./]/).filter((part) => part !== '') : path.map(String);
}

/** What a path names in the end: `amountCents` for `items.0.amountCents`. */
export function lastPartOf(path: ServerDetail['path']): string {
  return partsOf(path).at(-1) ?? '';
}

/** Whether a form differs from what was saved. Lists count as equal when their items are. */
export function isChanged<Values extends object>(saved: Values, values: Values): boolean {
  return JSON.stringify(saved) !== JSON.stringify(values);
}
