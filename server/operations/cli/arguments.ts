// Checks arguments and options by the rules that the API has for the same fields.
import type { z } from 'zod';
import { canonicalUuid } from '../../platform/lib/ids.ts';
import { UsageError } from './command-error.ts';

/** A UUID in lower case. Throws UsageError, which names the option. */
export function parseUuid(text: string, option: string): string {
  const id = canonicalUuid(text);
  if (!id) throw new UsageError(`${option} must be a UUID, not "${text}".`);
  return id;
}

/** A text that satisfies the schema of an API field. Throws UsageError. */
export function parseField<Schema extends z.ZodType>(schema: Schema, text: string, option: string): z.output<Schema> {
  const parsed = schema.safeParse(text.toWellFormed());
  if (!parsed.success) throw new UsageError(`${option} ${parsed.error.issues[0]?.message ?? 'is not valid'}.`);
  return parsed.data;
}

/** A whole number from 1 to `max`. Throws UsageError. */
export function parseWholeNumber(text: string, option: string, max: number): number {
  const number = Number(text);
  if (!/^[1-9]\d{0,8}$/.test(text) || number > max)
    throw new UsageError(`${option} must be a whole number from 1 to ${max}, not "${text}".`);
  return number;
}

/** An ISO 8601 time. Throws UsageError. */
export function parseTime(text: string, option: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw new UsageError(`${option} must be an ISO 8601 time, not "${text}".`);
  return time;
}
