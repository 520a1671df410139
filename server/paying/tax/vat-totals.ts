// The VAT of a year, from the invoices that were issued in it. A cancellation reduces the year in which it was issued, as a
// returned payout does.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { centsOut, currencyOut } from '../../platform/http/declaration/fields.ts';
import { sumForDisplay } from '../../platform/lib/money.ts';
import type { PaidTotal } from './paid-totals.ts';
import { VatCase } from './vat-case.ts';

const ConvertedVat = z
  .object({ currency: currencyOut, amountCents: centsOut })
  .meta({ id: 'ConvertedVat', example: { currency: 'EUR', amountCents: 27_133 } });
type ConvertedVat = z.infer<typeof ConvertedVat>;

export const VatTotal = z
  .object({
    vatCase: VatCase.nullable().describe('Null: payouts without an invoice.'),
    netCents: centsOut.describe('`amountCents` − `vatCents`'),
    vatCents: centsOut.describe('The VAT that the amount includes.'),
    vatExchange: ConvertedVat.nullable().describe(
      'The VAT in the currency of the country where it is owed, as invoices state it; null if they are in that currency or have no VAT.',
    ),
    amountCents: centsOut.describe('The sum of paid payouts, less returned payouts.'),
  })
  .meta({ id: 'VatTotal', example: { vatCase: 'domestic', netCents: 154_832, vatCents: 29_418, vatExchange: null, amountCents: 184_250 } });
export type VatTotal = z.infer<typeof VatTotal>;

export type InvoicedTotal = {
  affiliateId: string;
  vatCase: VatCase;
  vatCents: number;
  vatExchange: ConvertedVat | null;
  amountCents: number;
};

/** What was invoiced, per affiliate and case, from `from` until before `to`. */
export async function findInvoicedTotals(
  { db }: Pick<Context, 'db'>,
  programId: string,
  { from, to }: { from: Date; to: Date },
): Promise<InvoicedTotal[]> {
  // The country of an issuer never changes while affiliates have agreed to its invoices, so all of them state one currency.
  const { rows } = await sql<Omit<InvoicedTotal, 'vatExchange'> & { exchangeCurrency: string | null; exchangeCents: number }>`
    select affiliate_id, vat_case, sum(vat_cents)::bigint as vat_cents, sum(amount_cents)::bigint as amount_cents,
      max(vat_exchange_currency) as exchange_currency, coalesce(sum(vat_exchange_cents), 0)::bigint as exchange_cents from invoices
    where program_id = ${programId} and created_at >= ${from} and created_at < ${to} group by 1, 2`.execute(db);
  return rows.map(({ exchangeCurrency: currency, exchangeCents: amountCents, ...total }) => ({
    ...total,
    vatExchange: currency === null ? null : { currency, amountCents },
  }));
}

/** Splits what was paid by case: what the invoices don't include was paid without one. Pure. */
export function addVat<Paid extends Pick<PaidTotal, 'affiliateId' | 'amountCents'>>(
  paid: readonly Paid[],
  invoiced: readonly InvoicedTotal[],
): (Paid & { netCents: number; vatCents: number; vatTotals: VatTotal[] })[] {
  const byAffiliate = Map.groupBy(invoiced, ({ affiliateId }) => affiliateId);
  return paid.map((one) => {
    const own = byAffiliate.get(one.affiliateId) ?? [];
    const restCents = one.amountCents - sumForDisplay(own.map(({ amountCents }) => amountCents));
    const rest = restCents === 0 && own.length > 0 ? [] : [{ vatCase: null, vatCents: 0, vatExchange: null, amountCents: restCents }];
    const vatTotals = sumByCase([...own, ...rest]);
    const vatCents = sumForDisplay(own.map((each) => each.vatCents));
    return { ...one, netCents: one.amountCents - vatCents, vatCents, vatTotals };
  });
}

/** The sums of each case, in the order of `VatCase`; payouts without an invoice are last. Pure. */
export function sumByCase(totals: readonly Omit<VatTotal, 'netCents'>[]): VatTotal[] {
  return [...VatCase.options, null].flatMap((vatCase) => {
    const found = totals.filter((total) => total.vatCase === vatCase);
    if (found.length === 0) return [];
    const vatCents = sumForDisplay(found.map((total) => total.vatCents));
    const amountCents = sumForDisplay(found.map((total) => total.amountCents));
    return [{ vatCase, netCents: amountCents - vatCents, vatCents, vatExchange: addConverted(found), amountCents }];
  });
}

function addConverted(totals: readonly Pick<VatTotal, 'vatExchange'>[]): ConvertedVat | null {
  const converted = totals.flatMap(({ vatExchange }) => vatExchange ?? []);
  const [first] = converted;
  return first ? { currency: first.currency, amountCents: sumForDisplay(converted.map(({ amountCents }) => amountCents)) } : null;
}
