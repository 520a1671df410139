// Currencies and their minor units (ISO 4217). Amounts are integers in the smallest unit of their currency, which all
// fields call cents. Conversions move digits as text: no floating point.

const decimals = new Map<string, number>([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0] as const),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3] as const),
  ['CLF', 4],
  ['UYW', 4],
]);

/** The number of decimals of a currency: 2 for USD and HUF, 0 for JPY, 3 for KWD. */
export function currencyDecimals(currency: string): number {
  return decimals.get(currency.toUpperCase()) ?? 2;
}

/** 1250 USD → "12.50", 1250 JPY → "1250", 1250 KWD → "1.250". Throws RangeError for an unsafe integer. */
export function toDecimal(amountCents: number, currency: string, places = currencyDecimals(currency)): string {
  if (!Number.isSafeInteger(amountCents)) throw new RangeError('An amount exceeds the safe integers.');
  const digits = String(Math.abs(amountCents)).padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  return `${amountCents < 0 ? '-' : ''}${whole}${places === 0 ? '' : `.${digits.slice(-places)}`}`;
}

/** Parses a decimal string or JSON number. Null if it is malformed or has fractions of the smallest unit. */
export function fromDecimal(value: unknown, currency: string): number | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const found = /^(-?)(\d{1,15})(?:\.(\d{1,15}))?$/.exec(String(value));
  if (!found) return null;
  const [, sign = '', whole = '', fraction = ''] = found;
  const places = currencyDecimals(currency);
  if (/[1-9]/.test(fraction.slice(places))) return null;
  const amountCents = Number(`${whole}${fraction.slice(0, places).padEnd(places, '0')}`);
  if (!Number.isSafeInteger(amountCents)) return null;
  return sign === '-' && amountCents !== 0 ? -amountCents : amountCents;
}

/** Converts an amount from `from` decimals to `to` decimals. Null if the result isn't a whole number. */
export function changeDecimals(amount: number, from: number, to: number): number | null {
  const scale = 10n ** BigInt(Math.abs(to - from));
  if (to < from && BigInt(amount) % scale !== 0n) return null;
  const changed = Number(to < from ? BigInt(amount) / scale : BigInt(amount) * scale);
  return Number.isSafeInteger(changed) ? changed : null;
}

/** One format per currency, because creating one takes a hundred times as long as using it. */
const formats = new Map<string, Intl.NumberFormat>();

/** Formats an amount for display, with the decimals of ISO 4217: "$12.50", "-€3.00", "HUF 12.50". */
export function formatCents(amountCents: number, currency: string): string {
  const format = formats.get(currency) ?? createFormat(currency);
  formats.set(currency, format);
  return format.format(amountCents / 10 ** currencyDecimals(currency));
}

function createFormat(currency: string): Intl.NumberFormat {
  const digits = currencyDecimals(currency);
  return new Intl.NumberFormat('en-US', { style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits });
}
