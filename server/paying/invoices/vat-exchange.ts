// The VAT of an invoice in the currency of the country where it is owed, which the invoice must state if it is in another one
// (Article 230 of Directive 2006/112/EC; in the United Kingdom, Regulation 14 of the VAT Regulations 1995).
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { readConverted } from '../../earning/exchange-rates/converted-amount.ts';
import { convertBack, normalizeRate, RateSource } from '../../earning/exchange-rates/exchange.ts';
import { findRates } from '../../earning/exchange-rates/find-rates.ts';
import type { Invoices } from '../../platform/db/schema.gen.ts';
import { centsOut, currencyOut, dayOut } from '../../platform/http/declaration/fields.ts';
import { findIssuer } from './issuer/issuer.ts';
import { isInEu } from './vat.ts';

export const VatExchangeShape = z
  .object({
    currency: currencyOut.describe('ISO 4217. The currency of the country where the VAT is owed.'),
    amountCents: centsOut.describe('`vatCents` divided by `rate`, rounded half up. Negative in a cancellation.'),
    rate: z.string().describe('What one unit of the currency is worth in the currency of the invoice, as a decimal.'),
    quotedOn: dayOut.describe('The day of the rate: that of the invoice, or the latest one before it that has a rate.'),
    rateSource: RateSource.describe('Where the rate is from.'),
  })
  .meta({
    id: 'VatExchange',
    example: { currency: 'EUR', amountCents: 1893, rate: '1.0842', quotedOn: '2026-11-02', rateSource: 'ecb' },
  });
export type VatExchange = z.output<typeof VatExchangeShape>;

/** The member states with another currency than the euro. */
const otherCurrencies: Readonly<Record<string, string>> = { CZ: 'CZK', DK: 'DKK', HU: 'HUF', PL: 'PLN', RO: 'RON', SE: 'SEK' };

/** The currency in which invoices with VAT of this country must state it; null where the law requires none. */
export function findVatCurrency(country: string): string | null {
  if (country === 'GB') return 'GBP';
  return isInEu(country) ? (otherCurrencies[country] ?? 'EUR') : null;
}

export type VatRate = Omit<VatExchange, 'amountCents'>;

/** The currency in which invoices in `currency` must state the VAT of a country; null if they need no conversion. */
function findOtherCurrency(country: string, currency: string): string | null {
  const wanted = findVatCurrency(country);
  return wanted === currency ? null : wanted;
}

/** `currency` is that of the invoice, and `day` is ISO 8601. */
type Wanted = { country: string; currency: string; day: string };

/**
 * The rate of the day, or the latest one before it; null if the VAT needs no conversion, or no rate is stored. A payout is only
 * created while there is one, so its age has no limit here: a payment that was made has its invoice.
 */
export async function findVatRate(
  { db }: Pick<Context, 'db'>,
  programId: string,
  { country, currency, day }: Wanted,
): Promise<VatRate | null> {
  const wanted = findOtherCurrency(country, currency);
  if (wanted === null) return null;
  const { rows } = await sql<{ rate: string; quotedOn: string; source: string }>`
    select rate::text as rate, quoted_on::text as quoted_on, source from exchange_rates
    where program_id = ${programId} and currency = ${wanted} and quoted_on <= ${day}::date
    order by quoted_on desc limit 1`.execute(db);
  const [row] = rows;
  if (!row) return null;
  return { currency: wanted, rate: normalizeRate(row.rate), quotedOn: row.quotedOn, rateSource: RateSource.parse(row.source) };
}

/** The VAT of an invoice at a rate; null without VAT or a rate. */
export function convertVat(vatCents: number, currency: string, rate: VatRate | null): VatExchange | null {
  if (rate === null || vatCents === 0) return null;
  return { ...rate, amountCents: convertBack(vatCents, { rate: rate.rate, from: currency, to: rate.currency }) };
}

/** The columns of `invoices`. */
type Columns = Pick<
  Selectable<Invoices>,
  'vatExchangeCurrency' | 'vatExchangeCents' | 'vatExchangeRate' | 'vatExchangeQuotedOn' | 'vatExchangeRateSource'
>;

export function toVatExchangeColumns(exchange: VatExchange | null): Columns {
  return {
    vatExchangeCurrency: exchange?.currency ?? null,
    vatExchangeCents: exchange?.amountCents ?? null,
    vatExchangeRate: exchange?.rate ?? null,
    vatExchangeQuotedOn: exchange?.quotedOn ?? null,
    vatExchangeRateSource: exchange?.rateSource ?? null,
  };
}

/** The VAT of an invoice in the currency of its country; null if the invoice doesn't state it. */
export function readVatExchange(invoice: Columns): VatExchange | null {
  return readConverted({
    currency: invoice.vatExchangeCurrency,
    amountCents: invoice.vatExchangeCents,
    rate: invoice.vatExchangeRate,
    quotedOn: invoice.vatExchangeQuotedOn,
    rateSource: invoice.vatExchangeRateSource,
  });
}

type Day = { currency: string; today: string };

/**
 * The issuer's country, if its VAT can't be stated in its currency: no rate of the last 7 days is stored. Payouts whose invoices
 * would have VAT are not created then.
 */
export async function findUnconvertibleCountry(
  ctx: Pick<Context, 'db'>,
  programId: string,
  { currency, today }: Day,
): Promise<string | null> {
  const { isActive, country, vatRatePercent } = await findIssuer(ctx, programId);
  if (!isActive || country === null || !vatRatePercent) return null;
  const wanted = findOtherCurrency(country, currency);
  if (wanted === null) return null;
  const rates = await findRates(ctx, programId, [{ currency: wanted, day: today }]);
  return rates.size === 0 ? country : null;
}

/** Whether invoices of `affiliate` would have VAT of this country, as SQL. */
export function chargesVat(programId: string, country: string): RawBuilder<unknown> {
  return sql`(select is_agreed and country = ${country} and not is_small_business from invoice_details as agreed
    where agreed.program_id = ${programId} and agreed.affiliate_id = affiliate.id order by version desc limit 1)`;
}
