// What a reader takes from an amount on a screen or in a document, independent of how the product formats it.
import currencyCodes from 'currency-codes';

/** Active codes that the library's edition of ISO 4217 doesn't have yet. */
const added: Readonly<Record<string, number>> = { XCG: 2 };

/** Metals, units of account, codes for testing, and codes that were withdrawn. */
const excluded = /^(X(A[GU]|[BDTUX].|P[DT]|SU)|ANG|BGN|CUC|HRK|SLL|ZWL)$/;

/** The decimals of every currency, from another source than the product's. */
export const isoDecimals: ReadonlyMap<string, number> = new Map([
  ...currencyCodes.data.filter(({ code }) => !excluded.test(code)).map(({ code, digits }) => [code, digits] as const),
  ...Object.entries(added),
]);

/** The amount in major units as people write it in English: 1234567 cents of USD are "12,345.67". */
export function writtenAmount(cents: number, currency: string): string {
  const decimals = isoDecimals.get(currency) ?? 2;
  const digits = String(cents).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, ',');
  return decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`;
}

/** The number in a text: "HUF 12.50" and "HUF\u00a012.50" contain "12.50". */
export function numberIn(text: string): string {
  return /\d[\d,.]*\d|\d/.exec(text)?.[0] ?? '';
}
