// The table of invoices in the URL: filters, order and page, and the invoice that is open. Pure.
import type { Result } from '../../api/call.ts';
import { days, someOf, year } from '../../url/table-filters.ts';
import { tableState } from '../../url/table-state.ts';
import { type RawSearch, readText } from '../../url/url-state.ts';

export type Invoice = Result<'invoices.list'>['invoices'][number];

export const kinds = ['invoice', 'cancellation'] as const;
export const vatCases = ['domestic', 'small_business', 'reverse_charge', 'outside_eu'] as const;

export const invoiceTable = tableState({
  filters: {
    year: year('year'),
    kind: someOf('kind', kinds),
    vatCase: someOf('vatCase', vatCases),
    created: days('createdFrom', 'createdTo'),
  },
  sorts: ['createdAt', 'amountCents'],
  defaultSort: '-createdAt',
});

export function readInvoiceId(raw: RawSearch): string | null {
  return readText(raw, 'invoice') ?? null;
}

/** Parameters of the URL that only this table has; null removes them. */
export const noInvoiceFilters = { year: null, kind: null, vatCase: null, createdFrom: null, createdTo: null, invoice: null };
