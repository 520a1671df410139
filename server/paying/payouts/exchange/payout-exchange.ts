// The conversion of a payout into another currency than that of the program. It is decided once, when the payout is
// created: every attempt, look-up, file and receipt uses the frozen amount. The ledger is kept in the program's currency.
import { sql } from 'kysely';
import { z } from 'zod';
import { readConverted } from '../../../earning/exchange-rates/converted-amount.ts';
import { convertBack, RateSource } from '../../../earning/exchange-rates/exchange.ts';
import { centsOut, currencyOut, dayOut } from '../../../platform/http/declaration/fields.ts';

export const PayoutExchangeShape = z
  .object({
    currency: currencyOut.describe('ISO 4217. The currency in which the affiliate is paid.'),
    amountCents: centsOut.describe('What the affiliate is paid: the amount of the payout divided by `rate`, rounded half up.'),
    rate: z.string().describe('What one unit of the currency is worth in the currency of the program, as a decimal.'),
    quotedOn: dayOut.describe('The day of the rate: the latest one when the payout was created.'),
    rateSource: RateSource.describe('Where the rate is from.'),
  })
  .meta({
    id: 'PayoutExchange',
    example: { currency: 'EUR', amountCents: 11_852, rate: '1.0842', quotedOn: '2026-11-02', rateSource: 'uploaded' },
  });
export type PayoutExchange = z.output<typeof PayoutExchangeShape>;

/** The rate of the other currency that an affiliate chose. Null without one. */
export type QuotedRate = { payoutCurrency: string | null; rate: string | null; quotedOn: string | null; rateSource: string | null };

/** Converts an amount of the program's currency; null without a rate. Throws AmountTooLarge if the result isn't a safe integer. */
export function toPayoutExchange(amountCents: number, programCurrency: string, quoted: QuotedRate): PayoutExchange | null {
  const { payoutCurrency: currency, rate, quotedOn, rateSource } = quoted;
  if (currency === null || rate === null) return null;
  const converted = convertBack(amountCents, { rate, from: programCurrency, to: currency });
  return readConverted({ currency, amountCents: converted, rate, quotedOn, rateSource });
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
  return readConverted({
    currency: payout.exchangeCurrency,
    amountCents: payout.exchangeCents,
    rate: payout.exchangeRate,
    quotedOn: payout.exchangeQuotedOn,
    rateSource: payout.exchangeRateSource,
  });
}

type Paid = { amountCents: number; currency: string } & ExchangeColumns;

/** What leaves the account of the payer: the converted amount, or that of the payout. */
export function paymentOf(payout: Paid): { amountCents: number; currency: string } {
  const { amountCents, currency } = readExchange(payout) ?? payout;
  return { amountCents, currency };
}

/** Whether a provider states the amount that leaves the account of the payer. What it leaves out is not compared. */
export function hasSameAmount(payout: Paid, stated: { amountCents?: number | undefined; currency?: string | undefined }): boolean {
  const payment = paymentOf(payout);
  const { amountCents = payment.amountCents, currency = payment.currency } = stated;
  return amountCents === payment.amountCents && currency.toUpperCase() === payment.currency;
}
