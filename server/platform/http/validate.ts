// Validates the parts of a request and converts zod's issues to the `details` of the contract (§2.6).
import { z } from 'zod';
import { type Detail, Invalid } from '../lib/errors.ts';
import { explainUnstorable } from '../lib/text.ts';

/** Parses each part of a request and throws one Invalid (400) with all errors. */
export function parseParts<T extends Record<string, [schema: z.ZodType, value: unknown]>>(parts: T): { [K in keyof T]: z.output<T[K][0]> } {
  const details: Detail[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, [schema, value]] of Object.entries(parts)) {
    const parsed = schema.safeParse(value, { reportInput: true });
    if (parsed.success) values[name] = parsed.data;
    else details.push(...parsed.error.issues.flatMap(toDetails));
  }
  if (details.length > 0) throw new Invalid(details.slice(0, 50));
  return values as { [K in keyof T]: z.output<T[K][0]> };
}

/** Rejects unknown query parameters, since ignoring a filter would return misleading results. */
export function rejectUnknownParameters(schema: z.ZodType | undefined, query: Record<string, unknown>): void {
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const unknown = Object.keys(query).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const list = known.length > 0 ? `; the parameters are: ${known.join(', ')}` : '';
  throw new Invalid(unknown.map((name) => ({ path: [name], message: `is not a query parameter of this endpoint${list}` })));
}

/** Rejects a query that is not percent-encoded UTF-8, and text that can't be stored. */
export function validateQueryText(query: Record<string, unknown>, url: string): void {
  try {
    // The query parser leaves invalid sequences undecoded.
    if (url.includes('?')) decodeURIComponent(url.slice(url.indexOf('?') + 1));
  } catch {
    throw new Invalid([{ path: [], message: 'must be percent-encoded UTF-8' }]);
  }
  const faults = Object.entries(query).flatMap(([key, value]) => {
    const fault = [key, ...[value].flat()].map((text) => explainUnstorable(String(text))).find((found) => found !== null);
    return fault ? [{ path: [explainUnstorable(key) ? '' : key], message: fault }] : [];
  });
  if (faults.length > 0) throw new Invalid(faults);
}

export function toDetails(issue: z.core.$ZodIssue): Detail[] {
  const path = issue.path.map(String);
  return [{ path, message: toMessage(issue) }];
}

/** What is wrong with the value that was sent; "is required" only for a value that is missing. */
function toMessage(issue: z.core.$ZodIssue): string {
  if (issue.input === undefined && isTypeIssue(issue)) return 'is required';
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.startsWith('Invalid input') ? `must be ${withArticle(issue.expected)}` : issue.message;
    case 'invalid_value':
      return `must be one of: ${issue.values.map(String).join(', ')}`;
    case 'too_big':
      return issue.origin === 'array' ? `must not have more than ${issue.maximum} entries` : issue.message;
    case 'invalid_union':
      return issue.message === 'Invalid input' ? toUnionMessage(issue) : issue.message;
    default:
      return issue.message;
  }
}

function isTypeIssue({ code }: z.core.$ZodIssue): boolean {
  return code === 'invalid_type' || code === 'invalid_value' || code === 'invalid_union';
}

/** The types that a union accepts, where it is a union of types. */
function toUnionMessage({ errors }: z.core.$ZodIssueInvalidUnion): string {
  const expected = errors.flatMap((issues) =>
    issues.flatMap((issue) => (issue.code === 'invalid_type' ? [withArticle(issue.expected)] : [])),
  );
  return expected.length > 0 ? `must be ${[...new Set(expected)].join(' or ')}` : 'has a type that is not allowed';
}

function withArticle(expected: string): string {
  if (expected === 'int') return 'an integer';
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}
