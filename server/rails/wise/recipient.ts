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

/** Names of fields are Wise's own (`sortCode`, `abartn`, `address.city`), but for an IBAN. */
function detailsOf({ iban, bic, country, fields = {} }: Bank): { type: string | undefined; details: Record<string, unknown> } {
  const { type, ...given } = fields;
  const details: Record<string, unknown> = { legalType: 'PRIVATE', ...(iban && { IBAN: iban }), ...(bic && { BIC: bic }) };
  const address: Record<string, string> = { country };
  for (const [field, text] of Object.entries(given)) {
    if (field.startsWith('address.')) address[field.slice('address.'.length)] = text;
    else details[field] = text;
  }
  const known = iban ? 'iban' : 'sortCode' in given ? 'sort_code' : 'abartn' in given ? 'aba' : undefined;
  return { type: type ?? known, details: { ...details, address } };
}
