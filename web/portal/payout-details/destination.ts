// What the form holds, and the request that follows from it. Pure.
import type { Input, Result } from '../../api/call.ts';
import { hasIban } from './iban.ts';

export type Method = Result<'portal.payoutDetails'>['methods'][number];
type Destination = Input<'portal.setPayoutDetails'>['body'];

/** Named as the request names them, so that its errors find their fields. */
export type Values = {
  email: string;
  holder: string;
  country: string | null;
  currency: string;
  iban: string;
  bic: string;
  'fields.routingNumber': string;
  'fields.sortCode': string;
  'fields.accountNumber': string;
  'fields.accountType': string | null;
  'fields.addressFirstLine': string;
  'fields.addressCity': string;
  'fields.addressState': string;
  'fields.addressPostCode': string;
  accountId: string;
  recipientId: string;
  account: string;
};

export type AccountField = Extract<keyof Values, `fields.${string}`>;

/** An empty form. */
export function emptyValues(currency: string): Values {
  return {
    email: '',
    holder: '',
    country: null,
    currency,
    iban: '',
    bic: '',
    'fields.routingNumber': '',
    'fields.sortCode': '',
    'fields.accountNumber': '',
    'fields.accountType': null,
    'fields.addressFirstLine': '',
    'fields.addressCity': '',
    'fields.addressState': '',
    'fields.addressPostCode': '',
    accountId: '',
    recipientId: '',
    account: '',
  };
}

/** The fields of an account without an IBAN. `needsAddress`: the provider asks for the address of holders in the US. */
export function accountFields(country: string, needsAddress: boolean): AccountField[] {
  if (country === 'GB') return ['fields.sortCode', 'fields.accountNumber'];
  if (country !== 'US') return ['fields.accountNumber'];
  const account: AccountField[] = ['fields.routingNumber', 'fields.accountNumber', 'fields.accountType'];
  const address: AccountField[] = ['fields.addressFirstLine', 'fields.addressCity', 'fields.addressState', 'fields.addressPostCode'];
  return needsAddress ? [...account, ...address] : account;
}

/** The request for one method; what belongs to other methods is left out. */
export function toDestination(method: Method, values: Values, needsAddress: boolean): Destination {
  if (method === 'paypal') return { method, email: values.email };
  if (method === 'stripe') return { method, accountId: values.accountId };
  if (method === 'wise') return { method, recipientId: values.recipientId };
  if (method === 'external') return { method, account: values.account };
  const country = values.country ?? '';
  const bank = { method, holder: values.holder, country, currency: values.currency.trim().toUpperCase() };
  const bic = values.bic.trim() === '' ? {} : { bic: values.bic };
  if (country === '' || hasIban(country)) return Object.assign(bank, bic, { iban: values.iban });
  const filled = accountFields(country, needsAddress)
    .map((name) => [name.replace('fields.', ''), values[name] ?? ''] as const)
    .filter(([, text]) => text.trim() !== '');
  return Object.assign(bank, bic, { fields: Object.fromEntries(filled) });
}
