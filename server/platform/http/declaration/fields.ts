// Field types of the API, each with its validation rule, message and limits. All endpoints use them, so that the same
// kind of value is validated everywhere in the same way.
import { z } from 'zod';
import { canonicalUuid } from '../../lib/ids.ts';
import { maxCents } from '../../lib/money.ts';
import { isOneLine, isPlainText } from '../../lib/text.ts';

export { maxCents };

/** A UUID in a request, converted to lower case. */
export const uuid = z
  .string()
  .refine((text) => canonicalUuid(text) !== null, { error: 'must be a UUID' })
  .transform((text) => text.toLowerCase())
  .meta({ json: { type: 'string', format: 'uuid' } });

/** A UUID in a response. */
export const uuidOut = z.string().meta({ json: { type: 'string', format: 'uuid' } });
/** ISO 8601 in UTC. */
export const timestampOut = z.string().meta({ json: { type: 'string', format: 'date-time' } });
/** When a row was created, and when it last changed. */
export const createdAtOut = timestampOut.describe('When it was created.');
export const updatedAtOut = timestampOut.describe('When it was last changed.');
/** An amount in a response. Unlimited, so that one large amount can't make a whole list fail. */
export const centsOut = z
  .number()
  .refine(Number.isInteger)
  .meta({ json: { type: 'integer' } });
/** A count in a response. */
export const countOut = z.int().meta({ json: { type: 'integer' } });

export const cents = z
  .int('must be an integer amount in cents')
  .min(0, 'must not be negative')
  .max(maxCents, `must not exceed ${maxCents}`);

/**
 * Marks a text that the request log shows: the identifier or name of a thing, never of a person, and no secret. Unmarked texts are
 * masked.
 */
export function logged<Schema extends z.ZodType>(schema: Schema): Schema {
  return schema.meta({ isLogged: true });
}

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

/** Like `line`, but may be empty. */
export function optionalLine(max: number) {
  return z
    .string()
    .transform(composed)
    .refine((text) => text.length <= max, { error: `must not be longer than ${max} characters` })
    .refine(isOneLine, { error: 'must be one line without control characters' })
    .meta({ json: { type: 'string', maxLength: max } });
}

/** Multi-line text. */
export function paragraph(max: number) {
  return z
    .string()
    .transform((text) => text.normalize('NFC').replace(/\r\n?/g, '\n').trim())
    .refine((text) => text.length <= max, { error: `must not be longer than ${max} characters` })
    .refine(isPlainText, { error: 'must not contain control characters' })
    .meta({ json: { type: 'string', maxLength: max } });
}

/** ISO 3166-1 alpha-2. Whether the country exists is not checked. */
export const countryIn = z.string().regex(/^[A-Z]{2}$/, 'must be a two-letter country code in upper case');

/** An http or https URL. Other schemes could run scripts on a page. */
export const webAddress = z
  .string()
  .transform((text) => text.trim())
  .refine((text) => text.length <= 2048, { error: 'must not be longer than 2048 characters' })
  .refine((text) => isOneLine(text) && URL.canParse(text) && /^https?:\/\//i.test(text), {
    error: 'must be an http or https URL',
  })
  .refine((text) => !URL.canParse(text) || (new URL(text).username === '' && new URL(text).password === ''), {
    error: 'must not contain a user name or password',
  })
  .meta({ json: { type: 'string', format: 'uri', maxLength: 2048 } });

/** A whole number in a query: digits only, sent once. */
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

/** The page of a list (Contract §8). */
export const page = {
  limit: wholeNumber({ min: 1, max: 200, fallback: 50 }).describe('The maximum number of results.'),
  offset: wholeNumber({ min: 0, max: 2_147_483_647, fallback: 0 }).describe('The number of results to skip.'),
};

const rfc3339 = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

/** An RFC 3339 time with an offset, on an existing day between 2000 and 2100, parsed to a Date. */
export const timestampIn = z
  .string()
  .refine(isTimestamp, { error: 'must be an RFC 3339 time such as 2026-11-21T10:00:00Z, between the years 2000 and 2100' })
  .transform((text) => new Date(text))
  .meta({ json: { type: 'string', format: 'date-time' } });

function isTimestamp(text: string): boolean {
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
    error: 'must be a date such as 2026-11-21',
  })
  .meta({ json: { type: 'string', format: 'date' } });

/** A calendar month, `YYYY-MM`, in the program's time zone. */
export const monthIn = z
  .string()
  .regex(/^20\d{2}-(0[1-9]|1[0-2])$/, 'must be a month such as 2026-11')
  .meta({ json: { type: 'string' } });

/** A calendar day in a response. */
export const dayOut = z.string().meta({ json: { type: 'string', format: 'date' } });
/** An ISO 4217 currency code. */
export const currencyIn = logged(z.string().regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code in capitals'));

/** An ISO 4217 currency code in a response. */
export const currencyOut = z
  .string()
  .describe('ISO 4217, in upper case.')
  .meta({ json: { type: 'string', pattern: '^[A-Z]{3}$' } });
