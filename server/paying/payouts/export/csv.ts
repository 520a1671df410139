// Files of payments for people who upload them: PayPal's, Wise's and a general one.
import { stringify } from 'csv-stringify/sync';
import type { Destination } from '../../../connections/rails/rail.ts';
import { toDecimal } from '../../../platform/lib/currency.ts';
import { type FileOf, type Payable, referenceOf } from './payable.ts';

const csv = { mediaType: 'text/csv; charset=utf-8', extension: 'csv' };
const write = (rows: unknown[][], columns?: string[]) =>
  stringify(rows, { ...(columns && { header: true, columns }), escape_formulas: true, record_delimiter: 'windows' });

/** PayPal's Payouts Web: no header; recipient, amount, currency, our id, a note, the wallet. At most 5,000 rows. */
export const paypalCsv: FileOf = {
  ...csv,
  fits: ({ destination }) => destination?.method === 'paypal',
  write: (payables) =>
    write(
      payables.map((payable) => [
        payable.destination?.method === 'paypal' ? payable.destination.email : '',
        ...[toDecimal(payable.amountCents, payable.currency), payable.currency, referenceOf(payable), 'Your commission', 'PAYPAL'],
      ]),
    ),
};

/** Wise's batch template for bank accounts and saved recipients: the receiver gets the exact amount. */
export const wiseCsv: FileOf = {
  ...csv,
  fits: ({ destination }) => destination?.method === 'bank' || destination?.method === 'wise',
  write: (payables) =>
    write(
      payables.map((payable) => [
        ...[recipientId(payable), holder(payable), payable.email, referenceOf(payable), 'PRIVATE', 'target'],
        ...[toDecimal(payable.amountCents, payable.currency), payable.currency, bankOf(payable)?.currency ?? payable.currency],
        ...[bankOf(payable)?.iban ?? '', bankOf(payable)?.bic ?? '', bankOf(payable)?.country ?? ''],
        ...['accountNumber', 'routingNumber', 'sortCode', 'accountType'].map((field) => bankOf(payable)?.fields?.[field] ?? ''),
      ]),
      [
        ...['recipientId', 'name', 'recipientEmail', 'paymentReference', 'receiverType', 'amountCurrency', 'amount', 'sourceCurrency'],
        ...['targetCurrency', 'IBAN', 'BIC', 'country', 'accountNumber', 'abartn', 'sortCode', 'accountType'],
      ],
    ),
};

/** Everything, for any other bank. */
export const genericCsv: FileOf = {
  ...csv,
  fits: () => true,
  write: (payables) =>
    write(
      payables.map((payable) => [
        ...[payable.id, payable.affiliateId, payable.firstName, payable.lastName, payable.email],
        ...[toDecimal(payable.amountCents, payable.currency), payable.currency, payable.destination?.method ?? ''],
        ...[accountOf(payable.destination), holder(payable), bankOf(payable)?.bic ?? '', bankOf(payable)?.country ?? ''],
        ...[JSON.stringify(bankOf(payable)?.fields ?? {}), referenceOf(payable)],
      ]),
      [
        ...['payoutId', 'affiliateId', 'firstName', 'lastName', 'email', 'amount', 'currency', 'method'],
        ...['account', 'holder', 'bic', 'country', 'fields', 'reference'],
      ],
    ),
};

function bankOf({ destination }: Payable): Extract<Destination, { method: 'bank' }> | null {
  return destination?.method === 'bank' ? destination : null;
}

function holder(payable: Payable): string {
  return bankOf(payable)?.holder ?? `${payable.firstName} ${payable.lastName}`;
}

function recipientId({ destination }: Payable): string {
  return destination?.method === 'wise' ? destination.recipientId : '';
}

function accountOf(destination: Destination | null): string {
  switch (destination?.method) {
    case undefined:
      return '';
    case 'paypal':
      return destination.email;
    case 'bank':
      return destination.iban ?? '';
    case 'stripe':
      return destination.accountId;
    case 'wise':
      return destination.recipientId;
    case 'external':
      return destination.account;
    default:
      return destination satisfies never;
  }
}
