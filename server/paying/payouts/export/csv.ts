// CSV payment files for manual upload: PayPal's, Wise's and a general one.
import { stringify } from 'csv-stringify/sync';
import type { Destination } from '../../../connections/rails/rail.ts';
import { toDecimal } from '../../../platform/lib/currency.ts';
import { fullName } from '../../../platform/lib/text.ts';
import { type FileFormat, type FilePayment, toReference } from './payment-file.ts';

const csv = { mediaType: 'text/csv; charset=utf-8', extension: 'csv' };

function writeCsv(rows: unknown[][], columns?: string[]): string {
  const options = { escape_formulas: true, record_delimiter: 'windows' as const };
  return stringify(rows, columns ? { ...options, header: true, columns } : options);
}

/** PayPal's Payouts Web: no header; recipient, amount, currency, payout id, note, wallet. At most 5,000 rows. */
export const paypalCsv: FileFormat = {
  ...csv,
  supports: ({ destination }) => destination?.method === 'paypal',
  write: (payments) =>
    writeCsv(
      payments.map((payment) => [
        payment.destination?.method === 'paypal' ? payment.destination.email : '',
        toDecimal(payment.amountCents, payment.currency),
        payment.currency,
        toReference(payment),
        'Your commission',
        'PAYPAL',
      ]),
    ),
};

const wiseColumns = [
  'recipientId',
  'name',
  'recipientEmail',
  'paymentReference',
  'receiverType',
  'amountCurrency',
  'amount',
  'sourceCurrency',
  'targetCurrency',
  'IBAN',
  'BIC',
  'country',
  'accountNumber',
  'abartn',
  'sortCode',
  'accountType',
];

/** Wise's batch template for bank accounts and saved recipients. The receiver gets exactly the amount. */
export const wiseCsv: FileFormat = {
  ...csv,
  supports: ({ destination }) => destination?.method === 'bank' || destination?.method === 'wise',
  write: (payments) =>
    writeCsv(
      payments.map((payment) => {
        const bank = getBankAccount(payment);
        return [
          payment.destination?.method === 'wise' ? payment.destination.recipientId : '',
          getHolder(payment),
          payment.email,
          toReference(payment),
          'PRIVATE',
          'target',
          toDecimal(payment.amountCents, payment.currency),
          payment.currency,
          bank?.currency ?? payment.currency,
          bank?.iban ?? '',
          bank?.bic ?? '',
          bank?.country ?? '',
          bank?.fields?.accountNumber ?? '',
          bank?.fields?.routingNumber ?? '',
          bank?.fields?.sortCode ?? '',
          bank?.fields?.accountType ?? '',
        ];
      }),
      wiseColumns,
    ),
};

const genericColumns = [
  'payoutId',
  'affiliateId',
  'firstName',
  'lastName',
  'email',
  'amount',
  'currency',
  'method',
  'account',
  'holder',
  'bic',
  'country',
  'fields',
  'reference',
];

/** All details, for any other bank. */
export const genericCsv: FileFormat = {
  ...csv,
  supports: () => true,
  write: (payments) =>
    writeCsv(
      payments.map((payment) => {
        const bank = getBankAccount(payment);
        return [
          payment.id,
          payment.affiliateId,
          payment.firstName,
          payment.lastName,
          payment.email,
          toDecimal(payment.amountCents, payment.currency),
          payment.currency,
          payment.destination?.method ?? '',
          getAccount(payment.destination),
          getHolder(payment),
          bank?.bic ?? '',
          bank?.country ?? '',
          JSON.stringify(bank?.fields ?? {}),
          toReference(payment),
        ];
      }),
      genericColumns,
    ),
};

function getBankAccount({ destination }: FilePayment): Extract<Destination, { method: 'bank' }> | null {
  return destination?.method === 'bank' ? destination : null;
}

function getHolder(payment: FilePayment): string {
  return getBankAccount(payment)?.holder ?? fullName(payment);
}

function getAccount(destination: Destination | null): string {
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
