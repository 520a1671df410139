// Payout destinations as the API accepts them: each payout method has its own fields, and check digits are verified.
// Error messages never repeat the values that were sent.
import { z } from 'zod';
import type { Destination } from '../../connections/rails/rail.ts';
import { externalIdentifier } from '../../platform/http/declaration/external-identifier.ts';
import { countryIn, line } from '../../platform/http/declaration/fields.ts';
import { isCurrency } from '../../platform/lib/currency.ts';
import { emailKey, showMixedScripts } from '../../platform/lib/email-address.ts';
import { compact, findAccountFaults, findIbanFault, isBic } from './bank-account.ts';

export const PayoutMethod = z.enum(['paypal', 'bank', 'stripe', 'wise', 'external']).meta({ id: 'PayoutMethod' });

const maxPaypalLength = 127;
const textSchema = (max: number) => ({ json: { type: 'string', minLength: 1, maxLength: max } });

const PayPal = z.object({
  method: z.literal('paypal'),
  email: z
    .string()
    .transform((text) => text.trim())
    .refine((text) => emailKey(text) !== null && text.length <= maxPaypalLength, { error: 'must be an email address' })
    .transform(showMixedScripts)
    .meta({ json: { type: 'string', format: 'email', maxLength: maxPaypalLength } }),
});

const currency = z.string().refine((code) => isCurrency(code), { error: 'must be an ISO 4217 code such as USD' });

const iban = z
  .string()
  .transform(compact)
  .superRefine((text, context) => {
    const fault = findIbanFault(text);
    if (fault) context.addIssue({ code: 'custom', message: fault });
  })
  .meta(textSchema(42));

const isAddressField = (field: string) => field.startsWith('address');
const isNumberField = (field: string) => /(Number|Code)$/.test(field) && !isAddressField(field);

/** Spaces and dashes are removed from numbers. Other fields, including a post code, are stored as sent. */
const accountFields = z
  .record(z.string().regex(/^[a-zA-Z][a-zA-Z0-9]{0,39}$/, 'must be a name of letters and digits'), line(140))
  .refine((fields) => Object.keys(fields).length <= 12, { error: 'must not have more than 12 entries' })
  .transform((fields) =>
    Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, isNumberField(name) ? compact(text) : text])),
  )
  .meta({ json: { type: 'object', maxProperties: 12, additionalProperties: textSchema(140).json } });

const Bank = z
  .object({
    method: z.literal('bank'),
    holder: line(140).describe('Name of the account holder.'),
    country: countryIn.describe('Country of the bank.'),
    currency: currency.describe('Currency of the account, ISO 4217.'),
    iban: iban.exactOptional(),
    bic: z.string().transform(compact).refine(isBic, { error: 'must be a BIC of 8 or 11 characters' }).meta(textSchema(11)).exactOptional(),
    fields: accountFields
      .exactOptional()
      .describe(
        'For countries without IBAN: `accountNumber`, with `routingNumber` and `accountType` (checking or savings) in the US, and `sortCode` in GB. ' +
          'For the US, Wise also requires `addressFirstLine`, `addressCity`, `addressState` and `addressPostCode`.',
      ),
  })
  .superRefine(({ country: where, iban: account, fields }, context) => {
    if (account !== undefined && fields !== undefined)
      context.addIssue({ code: 'custom', path: ['fields'], message: 'must not be sent together with `iban`' });
    else if (account === undefined && fields === undefined)
      context.addIssue({ code: 'custom', path: ['iban'], message: 'is required; for countries without IBAN, send `fields` instead' });
    else if (fields !== undefined)
      for (const { field, message } of findAccountFaults(where, fields))
        context.addIssue({ code: 'custom', path: ['fields', field], message });
  });

const Stripe = z.object({
  method: z.literal('stripe'),
  accountId: z.string().regex(/^acct_[A-Za-z0-9]{8,64}$/, 'must be the id of a connected account such as acct_1A2b3C4d5E6f7G8h'),
});

const Wise = z.object({
  method: z.literal('wise'),
  recipientId: z.string().regex(/^(\d{1,20}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/, 'must be the id of a Wise recipient'),
});

const External = z.object({
  method: z.literal('external'),
  account: externalIdentifier(200).describe('The identifier of the account in your own system.'),
});

export const PayoutDestination = z
  .discriminatedUnion('method', [PayPal, Bank, Stripe, Wise, External], { error: `must be one of: ${PayoutMethod.options.join(', ')}` })
  .meta({ id: 'PayoutDestination', example: { method: 'paypal', email: 'ada@example.com' } });

/** The same text for the same destination, regardless of its spelling. */
export function identifyDestination(destination: Destination): string {
  const { method, ...rest } = destination;
  const known = destination.method === 'paypal' ? { email: emailKey(destination.email) } : rest;
  return JSON.stringify([method, sortEntries(known)]);
}

/** The same text for the same account, regardless of its holder and their address. */
export function identifyAccount(destination: Destination): string {
  if (destination.method !== 'bank') return identifyDestination(destination);
  const { country: where, iban: account, fields = {} } = destination;
  const numbers = Object.fromEntries(Object.entries(fields).filter(([field]) => field !== 'accountType' && !isAddressField(field)));
  return JSON.stringify(account ? ['bank', account] : ['bank', where, sortEntries(numbers)]);
}

function sortEntries(object: object): unknown[] {
  const entries: [string, unknown][] = Object.entries(object).filter(([, value]) => value !== undefined);
  return entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => [name, typeof value === 'object' && value !== null ? sortEntries(value) : value]);
}
