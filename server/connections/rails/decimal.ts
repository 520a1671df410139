// Amounts as outside systems write them. Ours are whole minor units; theirs are decimal texts, and how many
// decimals a currency has is ISO 4217's to say, not a library's.
// No floats: digits are moved as text.

const decimals: Record<string, number> = {
  ...Object.fromEntries('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0])),
  ...Object.fromEntries('BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3])),
  ...{ CLF: 4, UYW: 4 },
};

/** How many decimals a currency has. */
export function exponentOf(currency: string): number {
  return decimals[currency.toUpperCase()] ?? 2;
}

/** 1250 USD → "12.50", 1250 JPY → "1250", 1250 KWD → "1.250". */
export function decimalOf(cents: number, currency: string, places = exponentOf(currency)): string {
  if (!Number.isSafeInteger(cents)) throw new RangeError('An amount left the safe integers.');
  const digits = String(Math.abs(cents)).padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  return `${cents < 0 ? '-' : ''}${whole}${places === 0 ? '' : `.${digits.slice(-places)}`}`;
}

/** The minor units of a decimal text or JSON number, or null where it is none or has parts of a unit. */
export function centsOf(text: unknown, currency: string): number | null {
  if (typeof text !== 'string' && typeof text !== 'number') return null;
  const found = /^(-?)(\d{1,15})(?:\.(\d{1,15}))?$/.exec(String(text));
  if (!found) return null;
  const [, sign = '', whole = '', fraction = ''] = found;
  const places = exponentOf(currency);
  if (/[1-9]/.test(fraction.slice(places))) return null;
  const cents = Number(`${whole}${fraction.slice(0, places).padEnd(places, '0')}`);
  if (!Number.isSafeInteger(cents)) return null;
  return sign === '-' && cents !== 0 ? -cents : cents;
}

/** Minor units of one exponent in those of another, or null where that is not whole. */
export function rescaled(cents: number, from: number, to: number): number | null {
  const units = to >= from ? BigInt(cents) * 10n ** BigInt(to - from) : wholePart(BigInt(cents), 10n ** BigInt(from - to));
  return units !== null && Number.isSafeInteger(Number(units)) ? Number(units) : null;
}

function wholePart(units: bigint, divisor: bigint): bigint | null {
  return units % divisor === 0n ? units / divisor : null;
}
