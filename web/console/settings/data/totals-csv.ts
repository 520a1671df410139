// The annual totals of a program as CSV, with the names and units of the API.
import { call, type Result } from '../../../api/call.ts';
import { toCsv } from '../../../states/csv.ts';

export type TaxTotal = Result<'taxTotals.list'>['totals'][number];

const pageSize = 200;

const columns = [
  'affiliateId',
  'name',
  'email',
  'netCents',
  'vatCents',
  'amountCents',
  'currency',
  'payoutCount',
  'q1AmountCents',
  'q2AmountCents',
  'q3AmountCents',
  'q4AmountCents',
  'domesticCents',
  'smallBusinessCents',
  'reverseChargeCents',
  'outsideEuCents',
  'withoutInvoiceCents',
  'vatExchangeCents',
  'vatExchangeCurrency',
  'hasTaxForm',
];

/** The VAT treatments in the order of their columns; null: payouts without an invoice. All VAT is domestic. */
const vatCases = ['domestic', 'small_business', 'reverse_charge', 'outside_eu', null] as const;

/** The totals of all affiliates in a year as a file. */
export async function loadTotalsCsv(programId: string, year: number): Promise<Blob> {
  const totals: TaxTotal[] = [];
  for (let total = 1; totals.length < total; ) {
    const query = { year, expand: 'affiliate' as const, limit: pageSize, offset: totals.length };
    const page = await call('taxTotals.list', { path: { programId }, query });
    totals.push(...page.totals);
    // Fewer rows than announced: some payouts were returned in the meantime.
    total = page.totals.length === 0 ? totals.length : page.total;
  }
  return new Blob([toTotalsCsv(totals)], { type: 'text/csv' });
}

/** Totals as CSV, a line per affiliate. */
export function toTotalsCsv(totals: readonly TaxTotal[]): string {
  const rows = totals.map(({ affiliateId, affiliate, vatTotals, quarters, ...total }) => {
    const { netCents, vatCents, amountCents, currency, payoutCount, hasTaxForm } = total;
    const byQuarter = quarters.map((quarter) => quarter.amountCents);
    const byCase = vatCases.map((vatCase) => vatTotals.find((each) => each.vatCase === vatCase)?.amountCents ?? 0);
    const vatExchange = vatTotals.find((each) => each.vatExchange !== null)?.vatExchange;
    const exchange = [vatExchange?.amountCents ?? '', vatExchange?.currency ?? ''];
    const figures = [netCents, vatCents, amountCents, currency, payoutCount, ...byQuarter, ...byCase, ...exchange, hasTaxForm];
    return [affiliateId, affiliate?.name ?? '', affiliate?.email ?? '', ...figures.map(String)];
  });
  return toCsv([columns, ...rows]);
}
