// Numbers and money as text. Pure, and exact: an amount is formatted from its digits, never from a division.
import type { Language } from './context.ts';
import { decimalsByCurrency } from './currencies.gen.ts';

/** Numbers in English follow US conventions ($1,980.20); dates are written day first, see dates.ts. */
const numberLocale = { en: 'en-US', de: 'de-DE' } as const;

const formatters = new Map<string, Intl.NumberFormat>();

/** Creating a formatter costs more than using it a thousand times. */
export function numberFormat(language: Language, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${language} ${JSON.stringify(options)}`;
  const known = formatters.get(key);
  if (known) return known;
  const created = new Intl.NumberFormat(numberLocale[language], options);
  formatters.set(key, created);
  return created;
}

/** The typographic minus lines up with the plus sign and is read as "minus". */
function withMinus(text: string): string {
  return text.replace('-', '\u2212');
}

/** How many decimals a currency has: 2 for USD and HUF, 0 for JPY. Browsers deviate from ISO 4217 for 17 currencies. */
export function currencyDecimals(currency: string): number {
  return decimalsByCurrency[currency] ?? 2;
}

/** `198020` in USD becomes `$1,980.20`; always with all decimals of the currency. */
export function formatMoney(cents: number, currency: string, language: Language): string {
  const decimals = currencyDecimals(currency);
  const options = { style: 'currency', currency, minimumFractionDigits: decimals, maximumFractionDigits: decimals } as const;
  return withMinus(numberFormat(language, options).format(decimalOf(cents, decimals)));
}

/** An amount for an axis, where space is short: `$1.8k`. */
export function formatAxisMoney(cents: number, currency: string, language: Language): string {
  const major = cents / 10 ** currencyDecimals(currency);
  if (Math.abs(major) < 1000)
    return withMinus(numberFormat(language, { style: 'currency', currency, maximumFractionDigits: 0 }).format(major));
  const options = { style: 'currency', currency, notation: 'compact', maximumFractionDigits: 1 } as const;
  return withMinus(numberFormat(language, options).format(major).replace('K', 'k'));
}

/** `12345` becomes `12,345`. */
export function formatCount(count: number, language: Language): string {
  return withMinus(numberFormat(language, {}).format(count));
}

/** A count for an axis: `12.3k`. */
export function formatAxisCount(count: number, language: Language): string {
  return withMinus(numberFormat(language, { notation: 'compact', maximumFractionDigits: 1 }).format(count).replace('K', 'k'));
}

/** A percentage as the API has it: `12.5` becomes `12.5%`. At most four decimals, as many as the rate has. */
export function formatPercent(percent: number, language: Language, decimals?: number): string {
  const digits =
    decimals === undefined ? { maximumFractionDigits: 4 } : { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  const text = withMinus(numberFormat(language, digits).format(percent));
  return language === 'de' ? `${text}\u00a0%` : `${text}%`;
}

/** A decimal of the API, with all of its digits: `1.0842`. */
export function formatDecimal(decimal: string, language: Language): string {
  return numberFormat(language, { maximumFractionDigits: 12 }).format(decimal as Intl.StringNumericLiteral);
}

export type Change = { direction: 'more' | 'less' | 'same'; percent: number };

/** The change against a comparison period, or null where the base is too small for a percentage to mean anything. */
export function changeOf(current: number, previous: number, minimumBase = 20): Change | null {
  if (previous < minimumBase) return null;
  const percent = Math.round(((current - previous) / previous) * 1000) / 10;
  if (percent === 0) return { direction: 'same', percent: 0 };
  return { direction: percent > 0 ? 'more' : 'less', percent: Math.abs(percent) };
}

/** Moves the decimal point within the digits. Intl formats such a string exactly. */
export function decimalOf(cents: number, decimals: number): Intl.StringNumericLiteral {
  const digits = String(Math.abs(cents)).padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const text = decimals === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
  return `${cents < 0 ? '-' : ''}${text}` as Intl.StringNumericLiteral;
}
