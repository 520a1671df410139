// Amounts as users type them, to and from the smallest unit of their currency. Pure.
import type { Language } from '../../figures/context.ts';
import { currencyDecimals, decimalOf, numberFormat } from '../../figures/format.ts';

/** The symbol as it is shown, which can contain letters: CA$. */
function symbolOf(currency: string, language: Language): string {
  const parts = numberFormat(language, { style: 'currency', currency }).formatToParts(0);
  return parts.find(({ type }) => type === 'currency')?.value ?? currency;
}

/** The digits of an amount that a user typed: its sign, and what is before and after the decimal point. */
const typedAmount = {
  en: /^(?<sign>-?)(?<whole>\d+|\d{1,3}(?:,\d{3})+)(?:\.(?<fraction>\d*))?$/,
  de: /^(?<sign>-?)(?<whole>\d+|\d{1,3}(?:\.\d{3})+)(?:,(?<fraction>\d*))?$/,
} as const;

/** An amount in which the next digits of a group are missing: "1,2" may become "1,234", or was meant as 1.2. */
const incompleteAmount = { en: /^-?\d{1,3}(,\d{3})*,\d{0,2}$/, de: /^-?\d{1,3}(\.\d{3})*\.\d{0,2}$/ } as const;

/** Why a text is not an amount: more decimals than the currency has, an incomplete group of digits, or anything else. */
export type MoneyFault = 'decimals' | 'incomplete' | 'invalid';

/** What a user typed as an amount, in minor units; null for an empty field, NaN for anything that is not an amount. */
export function parseMoney(text: string, currency: string, language: Language): number | null {
  const amount = readMoney(text, currency, language);
  return typeof amount === 'string' ? Number.NaN : amount;
}

/** Why a text is not an amount; null if it is one, or empty. */
export function findMoneyFault(text: string, currency: string, language: Language): MoneyFault | null {
  const amount = readMoney(text, currency, language);
  return typeof amount === 'string' ? amount : null;
}

function readMoney(text: string, currency: string, language: Language): number | null | MoneyFault {
  const bare = withoutSymbols(text, currency, language);
  if (bare === '') return null;
  const match = typedAmount[language].exec(bare);
  if (!match) return incompleteAmount[language].test(bare) ? 'incomplete' : 'invalid';
  const { sign = '', whole = '', fraction = '' } = match.groups ?? {};
  const decimals = currencyDecimals(currency);
  if (fraction.length > decimals) return 'decimals';
  const cents = Number(`${whole.replace(/[.,]/g, '')}${fraction.padEnd(decimals, '0')}`);
  if (!Number.isSafeInteger(cents)) return 'invalid';
  return sign === '-' ? -cents : cents;
}

function withoutSymbols(text: string, currency: string, language: Language): string {
  return text
    .replace(symbolOf(currency, language), '')
    .replace(currency, '')
    .replace(/[\s\u00a0\u202f]|\p{Sc}/gu, '')
    .replace('\u2212', '-');
}

/** An amount as a user would type it: `198020` becomes `1980.20`, in German `1980,20`. */
export function editableMoney(cents: number, currency: string, language: Language): string {
  const text = String(decimalOf(cents, currencyDecimals(currency)));
  return language === 'de' ? text.replace('.', ',') : text;
}
