// From zod's issues to the contract's details (§2.6): a path of strings, and what is wrong.
import type { z } from 'zod';
import { type Detail, Invalid } from '../lib/errors.ts';
import { unstorable } from '../lib/text.ts';

/** Parses each named part of a request and throws one Invalid (400) with the faults of all of them. */
export function parseParts<T extends Record<string, [schema: z.ZodType, value: unknown]>>(parts: T): { [K in keyof T]: z.output<T[K][0]> } {
  const details: Detail[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, [schema, value]] of Object.entries(parts)) {
    const parsed = schema.safeParse(value);
    if (parsed.success) values[name] = parsed.data;
    else details.push(...parsed.error.issues.flatMap(toDetails));
  }
  if (details.length > 0) throw new Invalid(details.slice(0, 50));
  return values as { [K in keyof T]: z.output<T[K][0]> };
}

/** Refuses a query that is not percent-encoded UTF-8, and values and keys that no database could hold. */
export function inspectQuery(query: Record<string, unknown>, url: string): void {
  try {
    // The query parser keeps what it can't decode as it is.
    if (url.includes('?')) decodeURIComponent(url.slice(url.indexOf('?') + 1));
  } catch {
    throw new Invalid([{ path: [], message: 'must be percent-encoded UTF-8' }]);
  }
  const faults = Object.entries(query).flatMap(([key, value]) => {
    const fault = [key, ...[value].flat()].map((text) => unstorable(String(text))).find((found) => found !== null);
    return fault ? [{ path: [unstorable(key) ? '' : key], message: fault }] : [];
  });
  if (faults.length > 0) throw new Invalid(faults);
}

export function toDetails(issue: z.core.$ZodIssue): Detail[] {
  const path = issue.path.map(String);
  return [{ path, message: message(issue) }];
}

function message(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${article(issue.expected)}`;
    case 'invalid_value':
      return `must be one of: ${issue.values.map(String).join(', ')}`;
    case 'too_big':
      return issue.origin === 'array' ? `must not have more than ${issue.maximum} entries` : issue.message;
    case 'invalid_union':
      return issue.message === 'Invalid input' ? 'is not of an allowed type' : issue.message;
    default:
      return issue.message;
  }
}

function article(expected: string): string {
  if (expected === 'int') return 'an integer';
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}
