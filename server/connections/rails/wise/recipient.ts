// Who gets a transfer. A bank account becomes a recipient each time: Wise keeps them, and an equal one harms nobody.
import { refused } from '../answers.ts';
import type { Answer, Destination, Payment, RailParts } from '../rail.ts';
import { name, readOr, type WiseApi } from './api.ts';

type Bank = Extract<Destination, { method: 'bank' }>;

export async function recipientOf(payment: Payment, api: WiseApi, parts: RailParts): Promise<{ id: number } | { answer: Answer }> {
  const { destination, currency } = payment;
  if (destination.method !== 'bank' && destination.method !== 'wise') return { answer: refused(name, 'destination_not_supported') };
  const asked =
    destination.method === 'wise'
      ? await api('GET', `/v1/accounts/${encodeURIComponent(destination.recipientId)}`)
      : await newRecipient(destination, api, parts);
  const got = readOr(asked, parts, { step: 'recipient', destination });
  if ('answer' in got) return got;
  // Converting would make the amount that arrives another than the one that is owed.
  if (got.read.currency !== currency) return { answer: refused(name, 'other_currency') };
  return typeof got.read.id === 'number' ? { id: got.read.id } : { answer: refused(name, 'recipient_refused') };
}

function newRecipient(bank: Bank, api: WiseApi, { config }: RailParts): ReturnType<WiseApi> | Answer {
  const { type, details } = detailsOf(bank);
  if (!type) return refused(name, 'bank_details_incomplete');
  const { currency, holder: accountHolderName } = bank;
  return api('POST', '/v1/accounts', { currency, type, profile: Number(config.profileId), accountHolderName, details });
}

/** Payout details have names of ours; another that they hold is taken for Wise's own (`sortCode`, `type`). */
const addressNames = new Map([
  ['addressFirstLine', 'firstLine'],
  ['addressCity', 'city'],
  ['addressState', 'state'],
  ['addressPostCode', 'postCode'],
  ['addressCountry', 'country'],
]);

function detailsOf({ iban, bic, country, fields = {} }: Bank): { type: string | undefined; details: Record<string, unknown> } {
  const { type, routingNumber, accountType, ...given } = fields;
  const details: Record<string, unknown> = { legalType: 'PRIVATE', ...(iban && { IBAN: iban }), ...(bic && { BIC: bic }) };
  if (routingNumber) details.abartn = routingNumber;
  if (accountType) details.accountType = accountType.toUpperCase();
  // Who names no other country lives in that of the bank.
  const address: Record<string, string> = { country };
  for (const [field, text] of Object.entries(given)) {
    const part = addressNames.get(field);
    if (part) address[part] = text;
    else details[field] = text;
  }
  const known = iban ? 'iban' : 'sortCode' in details ? 'sort_code' : 'abartn' in details ? 'aba' : undefined;
  return { type: type ?? known, details: { ...details, address } };
}
