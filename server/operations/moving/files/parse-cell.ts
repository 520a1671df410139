// The values of cells, as exports write them. What is ambiguous is rejected: a wrong amount is worse than none.

import { maxCents } from '../../../platform/http/declaration/fields.ts';
import { currencyDecimals, fromDecimal } from '../../../platform/lib/currency.ts';
import { startOfDay } from '../../../platform/lib/zoned-time.ts';

/** How a file writes amounts: `12.50`, or 1250 in the smallest unit of the currency. */
export type AmountForm = 'decimal' | 'cents';

/** A cell that can't be read. The message completes the sentence "`column` …". */
export class CellFault extends Error {}

/** The amount in cents. Accepts a currency sign or code, and commas between thousands. */
export function parseAmount(text: string, currency: string, form: AmountForm): number {
  const bare = text
    .replace(/^([-\u2212]?)\s*(?:[A-Z]{1,3}|[A-Z]{0,2}[$€£¥₹])\s*/u, '$1')
    .replace(/\s*(?:[A-Z]{3}|[€£])$/u, '')
    .replace('\u2212', '-');
  const digits = /^-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(bare) ? bare.replaceAll(',', '') : bare;
  if (!/^-?\d+(\.\d+)?$/.test(digits)) throw new CellFault(`must be an amount such as ${form === 'cents' ? '1250' : '12.50'}, not ${text}`);
  if (form === 'cents' && (digits.includes('.') || digits !== text))
    throw new CellFault(`is ${text}, but this file is read as amounts in cents; if it has amounts such as 12.50, use --amounts decimal`);
  const cents = form === 'cents' ? Number(digits) : fromDecimal(digits, currency);
  if (cents === null) throw new CellFault(`has a fraction of a cent (${text}): ${currency} has ${currencyDecimals(currency)} decimals`);
  if (!Number.isSafeInteger(cents) || Math.abs(cents) > maxCents) throw new CellFault(`is too large (${text})`);
  return cents;
}

/** Days in the time zone of the program, by their text: a file repeats them. */
const days = new Map<string, Date>();

/** An instant: ISO 8601, `2026-11-02 09:30:00` in UTC, a day in the time zone of the program, or Unix time. */
export function parseTime(text: string, timezone: string): Date {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return parseDay(text, timezone);
  if (/^\d{13}$/.test(text)) return new Date(Number(text));
  if (/^\d{10}$/.test(text)) return new Date(Number(text) * 1000);
  const parts = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)\s*(Z|UTC|[+-]\d\d:?\d\d)?$/.exec(text);
  const zone = parts?.[3] && parts[3] !== 'UTC' ? parts[3] : 'Z';
  const at = parts ? new Date(`${parts[1]}T${parts[2]}${zone}`) : null;
  if (!at || Number.isNaN(at.getTime())) throw new CellFault(`must be a time such as 2026-11-02T09:30:00Z, not ${text}`);
  return at;
}

function parseDay(text: string, timezone: string): Date {
  const key = `${text} ${timezone}`;
  const known = days.get(key);
  if (known) return known;
  if (Number.isNaN(Date.parse(text))) throw new CellFault(`must be a date such as 2026-11-02, not ${text}`);
  const day = startOfDay(text, timezone);
  days.set(key, day);
  return day;
}
