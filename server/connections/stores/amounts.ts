// Decimal amounts of stores in minor units. Stores send them as strings or numbers.
import { z } from 'zod';
import { currencyDecimals } from '../../platform/lib/currency.ts';
import { divideRounded } from '../../platform/lib/money.ts';
import { UnreadableEvent } from './store.ts';

export const decimalAmount = z.union([z.string(), z.number()]);

/** A decimal amount in minor units; fractions of a unit are rounded half up. Null if it is not an amount. */
export function toMinorUnits(value: unknown, currency: string): number | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const found = /^(-?)(\d{1,13})(?:\.(\d{1,20}))?$/.exec(String(value).trim());
  if (!found) return null;
  const [, sign = '', whole = '', fraction = ''] = found;
  const exact = BigInt(whole + fraction) * 10n ** BigInt(currencyDecimals(currency));
  const units = Number(divideRounded(exact, 10n ** BigInt(fraction.length)));
  if (!Number.isSafeInteger(units)) return null;
  return sign === '-' && units !== 0 ? -units : units;
}

/** A decimal amount of an event in minor units. Throws UnreadableEvent. */
export function parseAmount(value: string | number, currency: string): number {
  const cents = toMinorUnits(value, currency);
  if (cents === null) throw new UnreadableEvent(`"${String(value).slice(0, 20)}" is not a valid amount in ${currency}.`);
  return cents;
}
