// Where somebody wants to be paid, as the API takes it: each way has its own fields, and what carries check
// digits is checked. Messages name the field and never repeat what was sent.
import { z } from 'zod';
import type { Destination } from '../../connections/rails/rail.ts';
import { externalIdentifier } from '../../platform/http/declaration/external-identifier.ts';
import { line } from '../../platform/http/declaration/fields.ts';
import { emailKey } from '../../platform/lib/email-address.ts';
import { accountFaults, compact, ibanFault, isBic } from './bank-account.ts';

export const PayoutMethod = z.enum(['paypal', 'bank', 'stripe', 'wise', 'external']).meta({ id: 'PayoutMethod' });

const maxPaypalLength = 127;
const words = (max: number) => ({ json: { type: 'string', minLength: 1, maxLength: max } });

const PayPal = z.object({
  method: z.literal('paypal'),
  email: z
    .string()
    .transform((text) => text.trim())
    .refine((text) => emailKey(text) !== null && text.length <= maxPaypalLength, { error: 'must be an email address' })
    .meta({ json: { type: 'string', format: 'email', maxLength: maxPaypalLength } }),
});

const country = z.string().regex(/^[A-Z]{2}$/, 'must be a two-letter country code in capitals');
const currency = z
  .string()
  .refine((code) => Intl.supportedValuesOf('currency').includes(code), { error: 'must be an ISO 4217 code such as USD' });

const iban = z
  .string()
  .transform(compact)
  .superRefine((text, context) => {
    const fault = ibanFault(text);
    if (fault) context.addIssue({ code: 'custom', message: fault });
  })
  .meta(words(42));

const isOfAddress = (field: string) => field.startsWith('address');
const isNumber = (field: string) => /(Number|Code)$/.test(field) && !isOfAddress(field);

/** Numbers are kept without spaces and dashes; other fields, also a post code, as they are. */
const accountFields = z
  .record(z.string().regex(/^[a-zA-Z][a-zA-Z0-9]{0,39}$/, 'must be a name of letters and digits'), line(140))
  .refine((fields) => Object.keys(fields).length <= 12, { error: 'must not have more than 12 entries' })
  .transform((fields) => Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, isNumber(name) ? compact(text) : text])))
  .meta({ json: { type: 'object', maxProperties: 12, additionalProperties: words(140).json } });

const Bank = z
  .object({
    method: z.literal('bank'),
    holder: line(140).describe('The name on the account.'),
    country: country.describe('Of the bank.'),
    currency: currency.describe('Of the account, ISO 4217.'),
    iban: iban.optional(),
    bic: z.string().transform(compact).refine(isBic, { error: 'must be a BIC of 8 or 11 characters' }).meta(words(11)).optional(),
    fields: accountFields
      .optional()
      .describe(
        'Where the country has no IBAN: `accountNumber`, with `routingNumber` and `accountType` (checking or savings) in the US and `sortCode` in GB. ' +
          'Wise also wants `addressFirstLine`, `addressCity`, `addressState`, `addressPostCode` for the US.',
      ),
  })
  .superRefine(({ country: where, iban: account, fields }, context) => {
    if (account !== undefined && fields !== undefined)
      context.addIssue({ code: 'custom', path: ['fields'], message: 'must not be sent together with iban' });
    else if (account === undefined && fields === undefined)
      context.addIssue({ code: 'custom', path: ['iban'], message: 'is required, or fields where the country has no IBAN' });
    else if (fields !== undefined)
      for (const { field, message } of accountFaults(where, fields)) context.addIssue({ code: 'custom', path: ['fields', field], message });
  });

const Stripe = z.object({
  method: z.literal('stripe'),
  accountId: z.string().regex(/^acct_[A-Za-z0-9]{8,64}$/, 'must be the id of a connected account such as acct_1A2b3C4d5E6f7G8h'),
});

const Wise = z.object({
  method: z.literal('wise'),
  recipientId: z.string().regex(/^(\d{1,20}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/, 'must be the id of a recipient at Wise'),
});

const External = z.object({ method: z.literal('external'), account: externalIdentifier(200).describe('As your own system names it.') });

export const PayoutDestination = z
  .discriminatedUnion('method', [PayPal, Bank, Stripe, Wise, External], { error: `must be one of: ${PayoutMethod.options.join(', ')}` })
  .transform((given) => given as Destination)
  .meta({ id: 'PayoutDestination', example: { method: 'paypal', email: 'ada@example.com' } });

/** One text for one destination, however it was written. */
export function canonicalText(destination: Destination): string {
  const { method, ...rest } = destination;
  const known = destination.method === 'paypal' ? { email: emailKey(destination.email) } : rest;
  return JSON.stringify([method, sorted(known)]);
}

/** What tells two accounts apart: the account alone, without its holder and where they live. */
export function accountOf(destination: Destination): string {
  if (destination.method !== 'bank') return canonicalText(destination);
  const { country: where, iban: account, fields = {} } = destination;
  const numbers = Object.fromEntries(Object.entries(fields).filter(([field]) => field !== 'accountType' && !isOfAddress(field)));
  return JSON.stringify(['bank', ...(account ? [account] : [where, sorted(numbers)])]);
}

function sorted(object: object): unknown[] {
  const entries: [string, unknown][] = Object.entries(object).filter(([, value]) => value !== undefined);
  return entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => [name, typeof value === 'object' && value !== null ? sorted(value) : value]);
}
