// An amount in another currency with the rate that it was converted at, as payouts and invoices store it: in columns of which
// either all are null or none is.
import { normalizeRate, RateSource } from './exchange.ts';

export type ConvertedAmount = { currency: string; amountCents: number; rate: string; quotedOn: string; rateSource: RateSource };

/** The values of the columns. */
export type StoredConversion = {
  currency: string | null;
  amountCents: number | null;
  rate: string | null;
  quotedOn: string | null;
  rateSource: string | null;
};

/** The amount as responses show it; null if nothing was converted. */
export function readConverted({ currency, amountCents, rate, quotedOn, rateSource }: StoredConversion): ConvertedAmount | null {
  if (currency === null || amountCents === null || rate === null || quotedOn === null) return null;
  return { currency, amountCents, rate: normalizeRate(rate), quotedOn, rateSource: RateSource.parse(rateSource) };
}
