// The conversion of a payout into another currency than that of the program. It is decided once, when the payout is
// created: every attempt, look-up, file and receipt uses the frozen amount. The ledger is kept in the program's currency.
import { sql } from 'kysely';
import { z } from 'zod';
import { convertBack, exchangeRateSources, normalizeRate } from '../../../earning/exchange-rates/exchange.ts';
import { centsOut, currencyOut, dayOut } from '../../../platform/http/declaration/fields.ts';

export const PayoutExchangeShape = z
  .object({
    currency: currencyOut.describe('ISO 4217. The currency in which the affiliate is paid.'),
    amountCents: centsOut.describe('What the affiliate is paid: the amount of the payout divided by `rate`, rounded half up.'),
    rate: z.string().describe('What one unit of the currency is worth in the currency of the program, as a decimal.'),
    quotedOn: dayOut.describe('The day of the rate: the latest one when the payout was created.'),
    rateSource: z.enum(exchangeRateSources).describe('Where the rate is from.'),
  })
  .meta({
    id: 'PayoutExchange',
    example: { currency: 'EUR', amountCents: 11_852, rate: '1.0842', quotedOn: '2026-11-02', rateSource: 'uploaded' },
  });
export type PayoutExchange = z.output<typeof PayoutExchangeShape>;

/** A rate that was found for the currency that an affiliate chose. */
export type QuotedRate = { payoutCurrency: string; rate: string; quotedOn: string; rateSource: string };

export function isQuoted(quoted: { [Field in keyof QuotedRate]: QuotedRate[Field] | null }): quoted is QuotedRate {
  return Object.values(quoted).every((value) => value !== null);
}

/** Converts an amount of the program's currency. Throws AmountTooLarge if the result isn't a safe integer. */
export function toPayoutExchange(amountCents: number, programCurrency: string, quoted: QuotedRate): PayoutExchange {
  const { payoutCurrency, quotedOn } = quoted;
  const rate = normalizeRate(quoted.rate);
  const converted = convertBack(amountCents, { rate, from: programCurrency, to: payoutCurrency });
  const rateSource = PayoutExchangeShape.shape.rateSource.parse(quoted.rateSource);
  return { currency: payoutCurrency, amountCents: converted, rate, quotedOn, rateSource };
}

/** The columns of `payouts`. */
export type ExchangeColumns = {
  exchangeCurrency: string | null;
  exchangeCents: number | null;
  exchangeRate: string | null;
  exchangeQuotedOn: string | null;
  exchangeRateSource: string | null;
};

/** The columns that `readExchange` needs, of `payouts as payout`. */
export const selectExchange = sql`payout.exchange_currency, payout.exchange_cents, payout.exchange_rate, payout.exchange_quoted_on,
  payout.exchange_rate_source`;

export function toExchangeColumns(exchange: PayoutExchange | null): ExchangeColumns {
  return {
    exchangeCurrency: exchange?.currency ?? null,
    exchangeCents: exchange?.amountCents ?? null,
    exchangeRate: exchange?.rate ?? null,
    exchangeQuotedOn: exchange?.quotedOn ?? null,
    exchangeRateSource: exchange?.rateSource ?? null,
  };
}

/** The frozen conversion of a payout; null if it is paid in the currency of the program. */
export function readExchange(payout: ExchangeColumns): PayoutExchange | null {
  const { exchangeCurrency: currency, exchangeCents: amountCents, exchangeRate, exchangeQuotedOn: quotedOn, exchangeRateSource } = payout;
  if (currency === null || amountCents === null || exchangeRate === null || quotedOn === null) return null;
  const rateSource = PayoutExchangeShape.shape.rateSource.parse(exchangeRateSource);
  return { currency, amountCents, rate: normalizeRate(exchangeRate), quotedOn, rateSource };
}

/** What leaves the account of the payer: the converted amount, or that of the payout. */
export function paymentOf(payout: { amountCents: number; currency: string } & ExchangeColumns): { amountCents: number; currency: string } {
  const { amountCents, currency } = readExchange(payout) ?? payout;
  return { amountCents, currency };
}
