// The kinds of fields that the contract speaks of, each with its rule, its words and its limits.
// Used by every endpoint, so that one rule has one place.
import { z } from 'zod';
import { canonicalUuid } from '../../lib/ids.ts';
import { maxCents } from '../../lib/money.ts';
import { isOneLine, isPlainText } from '../../lib/text.ts';

export { maxCents };

/** A uuid in a body: malformed is 400. Always compared in lower case. */
export const uuid = z
  .string()
  .refine((text) => canonicalUuid(text) !== null, { error: 'must be a UUID' })
  .transform((text) => text.toLowerCase())
  .meta({ json: { type: 'string', format: 'uuid' } });

/** A uuid in an answer. */
export const uuidOut = z.string().meta({ json: { type: 'string', format: 'uuid' } });
/** ISO 8601 in UTC. */
export const timestampOut = z.string().meta({ json: { type: 'string', format: 'date-time' } });
/** An integer amount in cents. Without a limit: one large stored amount must not keep the others from being returned. */
export const centsOut = z
  .number()
  .refine(Number.isInteger)
  .meta({ json: { type: 'integer' } });
/** A count. */
export const countOut = z.int().meta({ json: { type: 'integer' } });

export const cents = z
  .int('must be an integer amount in cents')
  .min(0, 'must not be negative')
  .max(maxCents, `must not exceed ${maxCents}`);

const composed = (text: string): string => text.normalize('NFC').trim();

/** One line of text, trimmed, between 1 and `max` characters. */
export function line(max: number) {
  return z
    .string()
    .transform(composed)
    .refine((text) => text.length > 0, { error: 'must not be empty' })
    .refine((text) => text.length <= max, { error: `must not be longer than ${max} characters` })
    .refine(isOneLine, { error: 'must be one line without control characters' })
    .meta({ json: { type: 'string', minLength: 1, maxLength: max } });
}

/** As `line`, but may be empty. */
export function optionalLine(max: number) {
  return z
    .string()
    .transform(composed)
    .refine((text) => text.length <= max, { error: `must not be longer than ${max} characters` })
    .refine(isOneLine, { error: 'must be one line without control characters' })
    .meta({ json: { type: 'string', maxLength: max } });
}

/** Text of several lines. */
export function paragraph(max: number) {
  return z
    .string()
    .transform((text) => text.normalize('NFC').replace(/\r\n?/g, '\n').trim())
    .refine((text) => text.length <= max, { error: `must not be longer than ${max} characters` })
    .refine(isPlainText, { error: 'must not contain control characters' })
    .meta({ json: { type: 'string', maxLength: max } });
}

/** A web address; only http and https, so that a page can't be made to run a script. */
export const webAddress = z
  .string()
  .transform((text) => text.trim())
  .refine((text) => text.length <= 2048, { error: 'must not be longer than 2048 characters' })
  .refine((text) => isOneLine(text) && URL.canParse(text) && /^https?:\/\//i.test(text), {
    error: 'must be an http or https URL',
  })
  .refine((text) => !URL.canParse(text) || (new URL(text).username === '' && new URL(text).password === ''), {
    error: 'must not carry a user name or password',
  })
  .meta({ json: { type: 'string', format: 'uri', maxLength: 2048 } });

/** A whole number in a query: digits alone, no sign, no exponent, given once. */
export function wholeNumber({ min, max, fallback }: { min: number; max: number; fallback: number }) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string(message)
    .regex(/^\d{1,10}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, { error: message })
    .default(fallback)
    .meta({ json: { type: 'integer', minimum: min, maximum: max, default: fallback } });
}

/** Which page of a list; Contract §8 and decisions: 1–200, default 50, and any offset. */
export const page = {
  limit: wholeNumber({ min: 1, max: 200, fallback: 50 }).describe('How many to return.'),
  offset: wholeNumber({ min: 0, max: 2_147_483_647, fallback: 0 }).describe('How many to skip.'),
};

const rfc3339 = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

/** A moment: RFC 3339 with a zone, a real day, between 2000 and 2100. Gives a Date. */
export const timestampIn = z
  .string()
  .refine(isMoment, { error: 'must be a time like 2026-11-21T10:00:00Z, between the years 2000 and 2100' })
  .transform((text) => new Date(text))
  .meta({ json: { type: 'string', format: 'date-time' } });

function isMoment(text: string): boolean {
  const [, year, month, day, hour, minute, second] = rfc3339.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined || year < 2000 || year > 2100) return false;
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
  if (month < 1 || month > 12 || day < 1 || day > lastDay) return false;
  if ((hour ?? 0) > 23 || (minute ?? 0) > 59 || (second ?? 0) > 59) return false;
  return !Number.isNaN(new Date(text).getTime());
}

/** A calendar day, `YYYY-MM-DD`, in the program's time zone unless stated otherwise. */
export const dayIn = z
  .string()
  .refine((text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text), {
    error: 'must be a day like 2026-11-21',
  })
  .meta({ json: { type: 'string', format: 'date' } });

/** A calendar day in a response. */
export const dayOut = z.string().meta({ json: { type: 'string', format: 'date' } });
/** An ISO 4217 currency code in a response. */
export const currencyOut = z
  .string()
  .describe('ISO 4217, in upper case.')
  .meta({ json: { type: 'string', pattern: '^[A-Z]{3}$' } });
