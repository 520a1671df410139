// The recipient of a transfer. A bank account becomes a new recipient each time; duplicates at Wise have no effect.
import { failedOutcome } from '../outcomes.ts';
import type { Destination, Outcome, Payment, RailParts } from '../rail.ts';
import { name, readSuccess, type WiseApi } from './api.ts';

type Bank = Extract<Destination, { method: 'bank' }>;

export async function createRecipient(payment: Payment, api: WiseApi, parts: RailParts): Promise<{ id: number } | { outcome: Outcome }> {
  const { destination, currency } = payment;
  if (destination.method !== 'bank' && destination.method !== 'wise') return { outcome: failedOutcome(name, 'destination_not_supported') };
  const asked =
    destination.method === 'wise'
      ? await api('GET', `/v1/accounts/${encodeURIComponent(destination.recipientId)}`)
      : await postRecipient(destination, api, parts);
  const recipient = readSuccess(asked, parts, { step: 'recipient', destination });
  if ('outcome' in recipient) return recipient;
  // A conversion would change the amount that arrives.
  if (recipient.read.currency !== currency) return { outcome: failedOutcome(name, 'other_currency') };
  return typeof recipient.read.id === 'number' ? { id: recipient.read.id } : { outcome: failedOutcome(name, 'recipient_rejected') };
}

function postRecipient(bank: Bank, api: WiseApi, { config }: RailParts): ReturnType<WiseApi> | Outcome {
  const { type, details } = toRecipientDetails(bank);
  if (!type) return failedOutcome(name, 'bank_details_incomplete');
  const { currency, holder: accountHolderName } = bank;
  return api('POST', '/v1/accounts', { currency, type, profile: Number(config.profileId), accountHolderName, details });
}

/** Our field names of an address. Other fields are sent to Wise unchanged (`sortCode`, `type`). */
const addressFields = new Map([
  ['addressFirstLine', 'firstLine'],
  ['addressCity', 'city'],
  ['addressState', 'state'],
  ['addressPostCode', 'postCode'],
  ['addressCountry', 'country'],
]);

function toRecipientDetails({ iban, bic, country, fields = {} }: Bank): { type: string | undefined; details: Record<string, unknown> } {
  const { type, routingNumber, accountType, ...given } = fields;
  const details: Record<string, unknown> = { legalType: 'PRIVATE' };
  if (iban) details.IBAN = iban;
  if (bic) details.BIC = bic;
  if (routingNumber) details.abartn = routingNumber;
  if (accountType) details.accountType = accountType.toUpperCase();
  // An address without a country is in the country of the bank.
  const address: Record<string, string> = { country };
  for (const [field, text] of Object.entries(given)) {
    const part = addressFields.get(field);
    if (part) address[part] = text;
    else details[field] = text;
  }
  const known = iban ? 'iban' : 'sortCode' in details ? 'sort_code' : 'abartn' in details ? 'aba' : undefined;
  return { type: type ?? known, details: { ...details, address } };
}
