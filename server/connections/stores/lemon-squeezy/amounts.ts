// Amounts of Lemon Squeezy. Its documentation calls every amount cents, even in currencies without them; the
// formatted amount next to it shows which unit was sent, so that an order in yen is never counted a hundred times.
import { currencyDecimals } from '../../../platform/lib/currency.ts';
import { divideRounded } from '../../../platform/lib/money.ts';

/** Converts the amounts of an order, whose total is also given as text such as `$1,009.99`, to the smallest unit of the currency. */
export function buildConverter(total: number, formatted: string | null | undefined, currency: string): (amount: number) => number {
  const decimals = currencyDecimals(currency);
  if (decimals === 2 || !isInHundredths(total, formatted, decimals)) return (amount) => amount;
  return (amount) => Number(divideRounded(BigInt(amount) * 10n ** BigInt(decimals), 100n));
}

/** Whether the text is a hundredth of the amount, and not the amount in the smallest unit of the currency. */
function isInHundredths(amount: number, formatted: string | null | undefined, decimals: number): boolean {
  const [digits] = /\d[\d,]*(?:\.\d+)?/.exec(formatted ?? '') ?? [];
  if (digits === undefined) return false;
  const value = Number(digits.replaceAll(',', ''));
  return Math.round(value * 10 ** decimals) !== amount && Math.round(value * 100) === amount;
}
