// ISO 4217: how many decimals each currency has. Amounts are integers in minor units; external systems write decimal
// texts. Digits are moved as text, never as floating point numbers.

const withoutDecimals = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ');
const withThreeDecimals = 'BHD IQD JOD KWD LYD OMR TND'.split(' ');
const exceptions = new Map<string, number>([
  ...withoutDecimals.map((code) => [code, 0] as const),
  ...withThreeDecimals.map((code) => [code, 3] as const),
  ['CLF', 4],
  ['UYW', 4],
]);

/** How many decimals a currency has. */
export function getDecimals(currency: string): number {
  return exceptions.get(currency.toUpperCase()) ?? 2;
}

/** 1250 USD → "12.50", 1250 JPY → "1250", 1250 KWD → "1.250". */
export function formatDecimal(cents: number, currency: string, places = getDecimals(currency)): string {
  if (!Number.isSafeInteger(cents)) throw new RangeError('The amount is not a safe integer.');
  const digits = String(Math.abs(cents)).padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  return `${cents < 0 ? '-' : ''}${whole}${places === 0 ? '' : `.${digits.slice(-places)}`}`;
}

/** The minor units of a decimal text or JSON number, or null if it is no amount or has fractions of a unit. */
export function parseDecimal(text: unknown, currency: string): number | null {
  if (typeof text !== 'string' && typeof text !== 'number') return null;
  const found = /^(-?)(\d{1,15})(?:\.(\d{1,15}))?$/.exec(String(text));
  if (!found) return null;
  const [, sign = '', whole = '', fraction = ''] = found;
  const places = getDecimals(currency);
  if (/[1-9]/.test(fraction.slice(places))) return null;
  const cents = Number(`${whole}${fraction.slice(0, places).padEnd(places, '0')}`);
  if (!Number.isSafeInteger(cents)) return null;
  return sign === '-' && cents !== 0 ? -cents : cents;
}

/** Minor units with `from` decimals as units with `to` decimals, or null if the result is not whole. */
export function rescaleUnits(cents: number, from: number, to: number): number | null {
  const units = to >= from ? BigInt(cents) * 10n ** BigInt(to - from) : divideExactly(BigInt(cents), 10n ** BigInt(from - to));
  return units !== null && Number.isSafeInteger(Number(units)) ? Number(units) : null;
}

function divideExactly(units: bigint, divisor: bigint): bigint | null {
  return units % divisor === 0n ? units / divisor : null;
}
