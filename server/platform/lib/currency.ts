// Currencies and their minor units (ISO 4217). Amounts are integers in the smallest unit of their currency, which all
// fields call cents. Conversions move digits as text: no floating point.

/** The active codes of ISO 4217 without precious metals and codes for testing, by their number of decimals. */
const codesByDecimals = new Map<number, string>([
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [
    2,
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP COU ' +
      'CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES ' +
      'KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR ' +
      'NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP ' +
      'TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG',
  ],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
]);

/** The number of decimals of every currency that a program or a bank account can have. */
export const decimalsByCurrency: ReadonlyMap<string, number> = new Map(
  [...codesByDecimals].flatMap(([decimals, codes]) => codes.split(' ').map((code) => [code, decimals] as const)),
);

/** Whether this is an active ISO 4217 code in upper case. */
export function isCurrency(code: string): boolean {
  return decimalsByCurrency.has(code);
}

/** The number of decimals of a currency: 2 for USD and HUF, 0 for JPY, 3 for KWD. A code that was withdrawn has 2. */
export function currencyDecimals(currency: string): number {
  return decimalsByCurrency.get(currency.toUpperCase()) ?? 2;
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

/** How numbers and days are written in each language of documents and emails. */
export const locales = { en: 'en-US', de: 'de-DE' } as const;

export type Display = { language?: keyof typeof locales; currencyDisplay?: 'symbol' | 'code' };

/** Formats an amount for display, with the decimals of ISO 4217: "$12.50", "−€3.00" with the minus sign U+2212, "HUF 12.50"; in German, "12,50 $". */
export function formatCents(amountCents: number, currency: string, { language = 'en', currencyDisplay = 'symbol' }: Display = {}): string {
  const key = `${currency} ${language} ${currencyDisplay}`;
  const format = formats.get(key) ?? createFormat(currency, { language, currencyDisplay });
  formats.set(key, format);
  // Given as text, amounts of 16 digits are exact.
  return format.format(toDecimal(amountCents, currency) as Intl.StringNumericLiteral).replace('-', '\u2212');
}

function createFormat(currency: string, { language, currencyDisplay }: Required<Display>): Intl.NumberFormat {
  const digits = currencyDecimals(currency);
  const fraction = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat(locales[language], { style: 'currency', currency, currencyDisplay, ...fraction });
}

/** A rate is what one unit of `currency` is worth in the currency that was converted. */
export type DisplayedRate = { currency: string; rate: string; quotedOn: string };

/** What an amount was converted from, for documents and emails: "$128.50, 1 EUR = 1.0842 USD, 2026-11-02". */
export function formatConversion(
  { amountCents, currency }: { amountCents: number; currency: string },
  exchange: DisplayedRate,
  language: keyof typeof locales,
): string {
  return `${formatCents(amountCents, currency, { language })}, ${formatRate(currency, exchange, language)}`;
}

/** "1 EUR = 1.0842 USD, 2026-11-02" */
export function formatRate(worthIn: string, { currency, rate, quotedOn }: DisplayedRate, language: keyof typeof locales): string {
  return `1 ${currency} = ${language === 'de' ? rate.replace('.', ',') : rate} ${worthIn}, ${quotedOn}`;
}
