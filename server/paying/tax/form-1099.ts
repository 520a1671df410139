// Form 1099-NEC as CSV, one row per recipient, with the columns that filing services import. Only holders of a W-9 are
// reported: a W-8 certifies that its signer is not a US person, and corporations are exempt. Pure.
import { stringify } from 'csv-stringify/sync';
import { toDecimal } from '../../platform/lib/currency.ts';
import type { W9Form } from './form-fields.ts';
import type { PaidTotal } from './paid-totals.ts';
import { type Filed, hasFormOfKind } from './read-filing.ts';

export type Payer = { name: string; tin: string; address: string; city: string; state: string; zip: string; phone: string };

type Filing = { filed: readonly Filed[]; lacking: readonly PaidTotal[] };
type Result = { csv: string; reported: number; lacking: PaidTotal[]; exempt: Filed[] };

/** The total from which a recipient is reported: $600, and $2,000 for payments from 2026 on. */
export function get1099ThresholdCents(year: number): number {
  return year >= 2026 ? 200_000 : 60_000;
}

export function build1099(
  { filed, lacking }: Filing,
  { year, thresholdCents, payer }: { year: number; thresholdCents: number; payer: Payer },
): Result {
  const isReached = ({ amountCents }: PaidTotal) => amountCents >= thresholdCents;
  const holders = filed.filter(isReached).filter(hasFormOfKind('w9'));
  const exempt = holders.filter(isExempt);
  const rows = holders.filter((one) => !isExempt(one)).map((one) => toRow(one, { year, payer }));
  const csv = stringify(rows, { header: true, columns: [...columns], escape_formulas: true, record_delimiter: 'windows' });
  return { csv, reported: rows.length, lacking: lacking.filter(isReached), exempt };
}

const columns = [
  'Tax Year',
  'Payer TIN',
  'Payer Name',
  'Payer Address',
  'Payer City',
  'Payer State',
  'Payer ZIP',
  'Payer Phone',
  'Recipient TIN Type',
  'Recipient TIN',
  'Recipient Name',
  'Recipient Name Line 2',
  'Recipient Address',
  'Recipient Address Line 2',
  'Recipient City',
  'Recipient State',
  'Recipient ZIP',
  'Recipient Country',
  'Account Number',
  'Box 1 Nonemployee Compensation',
  'Box 2 Direct Sales',
  'Box 4 Federal Income Tax Withheld',
] as const;

type Row = Record<(typeof columns)[number], string>;

function toRow({ form, affiliateId, amountCents }: Filed<W9Form>, { year, payer }: { year: number; payer: Payer }): Row {
  const { address, ssn, ein = '' } = form;
  return {
    'Tax Year': String(year),
    'Payer TIN': payer.tin,
    'Payer Name': payer.name,
    'Payer Address': payer.address,
    'Payer City': payer.city,
    'Payer State': payer.state,
    'Payer ZIP': payer.zip,
    'Payer Phone': payer.phone,
    'Recipient TIN Type': ssn ? 'SSN' : 'EIN',
    'Recipient TIN': ssn ? `${ssn.slice(0, 3)}-${ssn.slice(3, 5)}-${ssn.slice(5)}` : `${ein.slice(0, 2)}-${ein.slice(2)}`,
    'Recipient Name': form.name,
    'Recipient Name Line 2': form.businessName ?? '',
    'Recipient Address': address.street,
    'Recipient Address Line 2': address.street2 ?? '',
    'Recipient City': address.city,
    'Recipient State': address.state,
    'Recipient ZIP': address.postalCode,
    'Recipient Country': 'US',
    'Account Number': affiliateId,
    'Box 1 Nonemployee Compensation': toDecimal(amountCents, 'USD'),
    'Box 2 Direct Sales': '',
    'Box 4 Federal Income Tax Withheld': '0.00',
  };
}

function isExempt({ form }: Filed<W9Form>): boolean {
  return form.classification === 'c_corporation' || form.classification === 's_corporation';
}
