// The euro foreign exchange reference rates of the European Central Bank, as rates of a program. Pure.
//
// https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates: published on working days at
// about 16:00 CET, as the value of one euro. Days without rates, such as weekends and holidays, are left out of the file. So are
// currencies that are not quoted, temporarily or since they were replaced by the euro; its CSV form writes N/A for them.
import { isCurrency } from '../../../platform/lib/currency.ts';
import { divideRounded } from '../../../platform/lib/money.ts';
import { isRate, maxRateDecimals, normalizeRate, parseRate } from '../exchange.ts';
import type { NewRate } from '../store-rates.ts';

/** The value of one euro on a day, by currency. */
export type ReferenceRates = { quotedOn: string; perEuro: ReadonlyMap<string, string> };

/** How a rate that was not quoted is written. */
const notQuoted = new Set(['', '-', 'N/A']);

/** Parses the file of the last days. Throws if it has no rates, or one that can't be read. */
export function parseReferenceRates(xml: string): ReferenceRates[] {
  const days = xml.split(/<Cube\s+time=/).slice(1);
  const parsed = days.map((part): ReferenceRates => {
    const quotedOn = /^["'](\d{4}-\d{2}-\d{2})["']/.exec(part)?.[1];
    const rates = [...part.matchAll(/<Cube\s+currency=["']([A-Z]{3})["']\s+rate=["']([^"']*)["']/g)];
    if (quotedOn === undefined || rates.length !== part.split(/\bcurrency=/).length - 1)
      throw new Error('The file of the European Central Bank has a day that is not readable.');
    const quoted = rates.filter(([, , rate = '']) => !notQuoted.has(rate.trim()));
    const perEuro = new Map(quoted.map(([, currency = '', rate = '']) => [currency, rate.trim()]));
    for (const rate of perEuro.values())
      if (!isRate(rate)) throw new Error(`The file of the European Central Bank has the rate "${rate}".`);
    return { quotedOn, perEuro: perEuro.set('EUR', '1') };
  });
  if (parsed.every(({ perEuro }) => perEuro.size === 1)) throw new Error('The file of the European Central Bank has no rates.');
  return parsed;
}

/** The value of one unit of each other currency in `currency`: by way of the euro, rounded half up to 12 decimals. */
export function toProgramRates(days: readonly ReferenceRates[], currency: string): NewRate[] {
  return days.flatMap(({ quotedOn, perEuro }) => {
    const own = perEuro.get(currency);
    if (own === undefined) return [];
    // The last 90 days can have a currency that was withdrawn since; no order can be in it.
    const others = [...perEuro].filter(([other]) => other !== currency && isCurrency(other));
    return others.map(([other, rate]) => ({ currency: other, quotedOn, rate: divideRates(own, rate) })).filter(({ rate }) => isRate(rate));
  });
}

function divideRates(a: string, b: string): string {
  const [numerator, denominator] = [parseRate(a), parseRate(b)];
  const scaled = divideRounded(
    numerator.digits * 10n ** BigInt(denominator.places + maxRateDecimals),
    denominator.digits * 10n ** BigInt(numerator.places),
  );
  const digits = String(scaled).padStart(maxRateDecimals + 1, '0');
  return normalizeRate(`${digits.slice(0, -maxRateDecimals)}.${digits.slice(-maxRateDecimals)}`);
}
