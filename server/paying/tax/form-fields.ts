// The tax forms: W-9, W-8BEN and W-8BEN-E of the IRS, and the details that DAC7 requires of sellers in the EU.
// Error messages never repeat the values that were sent.
import { z } from 'zod';
import { countryIn, line, timestampIn } from '../../platform/http/declaration/fields.ts';
import { isEin, isSsn, memberStates, vatIdFault, vatIdPattern } from './tax-number.ts';

export const TaxFormKind = z.enum(['w9', 'w8ben', 'w8bene', 'dac7']).meta({ id: 'TaxFormKind' });

const digits = (isValid: (text: string) => boolean, error: string) =>
  z
    .string()
    .transform((text) => text.replace(/[\s-]/g, ''))
    .refine(isValid, { error })
    .meta({ json: { type: 'string', maxLength: 11 } });

const memberState = z.enum(memberStates);
const taxNumber = line(50);

/** A date of birth. Whether it is in the past is checked when the form is submitted. */
const day = z
  .string()
  .refine((text) => /^(19|20)\d\d-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true, {
    error: 'must be a date such as 1980-12-31',
  })
  .meta({ json: { type: 'string', format: 'date' } });

/** A signature under penalties of perjury: the name, and the certification. */
const signature = {
  signatureName: line(140).describe('The name of the person who signed.'),
  isCertified: z.literal(true).describe('Confirms the certification text of the form.'),
  signedAt: timestampIn.optional().describe('Default: now.'),
};

const usAddress = z.object({
  street: line(100),
  street2: line(100).optional(),
  city: line(60),
  state: z.string().regex(/^[A-Z]{2}$/, 'must be a two-letter state code'),
  postalCode: z.string().regex(/^\d{5}(-\d{4})?$/, 'must be a ZIP code such as 94110'),
});

const address = z.object({
  street: line(100),
  buildingNumber: line(20).optional(),
  city: line(60),
  region: line(60).optional(),
  postalCode: line(20).optional(),
  country: countryIn,
});

const treaty = z
  .object({
    country: countryIn,
    article: line(100).optional(),
    rate: z.number().min(0, 'must be between 0 and 30').max(30, 'must be between 0 and 30').optional(),
    incomeType: line(100).optional(),
  })
  .describe('The tax treaty benefits that are claimed; `rate` is the withholding rate in percent.');

const W9 = z
  .object({
    kind: z.literal('w9'),
    name: line(140),
    businessName: line(140).optional(),
    classification: z.enum(['individual', 'c_corporation', 's_corporation', 'partnership', 'trust_estate', 'llc', 'other']),
    address: usAddress,
    ssn: digits(isSsn, 'must be a social security number or an ITIN').optional(),
    ein: digits(isEin, 'must be an employer identification number').optional(),
    ...signature,
  })
  .superRefine(({ ssn, ein }, context) => {
    if ((ssn === undefined) === (ein === undefined))
      context.addIssue({
        code: 'custom',
        path: ['ssn'],
        message: ssn === undefined ? 'is required, unless `ein` is sent' : 'must not be sent together with `ein`',
      });
  });

const W8Ben = z.object({
  kind: z.literal('w8ben'),
  name: line(140),
  country: countryIn.describe('The country of residence for tax purposes.'),
  citizenship: countryIn.optional(),
  address,
  foreignTin: taxNumber.optional(),
  usTin: digits((text) => isSsn(text) || isEin(text), 'must be a US tax number').optional(),
  birthDate: day,
  treaty: treaty.optional(),
  ...signature,
});

const W8BenE = z.object({
  kind: z.literal('w8bene'),
  name: line(140).describe('The name of the organization.'),
  country: countryIn.describe('The country of residence for tax purposes.'),
  entityType: line(60).describe('The chapter 3 status, such as corporation or partnership.'),
  fatcaStatus: line(100).optional().describe('The chapter 4 status.'),
  address,
  foreignTin: taxNumber.optional(),
  usTin: digits(isEin, 'must be an employer identification number').optional(),
  giin: z
    .string()
    .regex(/^[A-Z0-9]{6}\.[A-Z0-9]{5}\.[A-Z]{2}\.\d{3}$/, 'must be a GIIN such as 98Q96B.00000.LE.250')
    .optional(),
  treaty: treaty.optional(),
  ...signature,
});

const Dac7 = z
  .object({
    kind: z.literal('dac7'),
    sellerType: z.enum(['individual', 'entity']),
    firstName: line(100).optional().describe('Required for an individual.'),
    lastName: line(100).optional().describe('Required for an individual.'),
    legalName: line(140).optional().describe('Required for an entity.'),
    address,
    tin: taxNumber.optional().describe('The tax number; omitted only if the country issues none.'),
    tinCountry: memberState.describe('The country of residence, which issued the tax number.'),
    vatId: z.string().regex(vatIdPattern, vatIdFault).optional(),
    birthDate: day.optional().describe('Required for an individual.'),
    birthCity: line(60).optional().describe('Required for an individual without a tax number.'),
    registrationNumber: line(50).optional().describe('Required for an entity.'),
    accountHolder: line(140).optional().describe('The holder of the payout account, if it is not the seller.'),
    ...signature,
  })
  .superRefine((form, context) => {
    const isPerson = form.sellerType === 'individual';
    const needed = isPerson ? (['firstName', 'lastName', 'birthDate'] as const) : (['legalName', 'registrationNumber'] as const);
    const required: (keyof typeof form)[] = [...needed];
    if (isPerson && form.tin === undefined) required.push('birthCity');
    for (const field of required)
      if (form[field] === undefined)
        context.addIssue({ code: 'custom', path: [field], message: `is required for ${isPerson ? 'an individual' : 'an entity'}` });
  });

export const TaxForm = z
  .discriminatedUnion('kind', [W9, W8Ben, W8BenE, Dac7], { error: `must be one of: ${TaxFormKind.options.join(', ')}` })
  .meta({
    id: 'TaxForm',
    example: {
      kind: 'w9',
      name: 'Ada Lovelace',
      classification: 'individual',
      ssn: '123-45-6789',
      address: { street: '1 Main Street', city: 'Springfield', state: 'IL', postalCode: '62701' },
      signatureName: 'Ada Lovelace',
      isCertified: true,
    },
  });
export type TaxForm = z.output<typeof TaxForm>;
export type W9Form = Extract<TaxForm, { kind: 'w9' }>;
export type Dac7Form = Extract<TaxForm, { kind: 'dac7' }>;

/** The country of residence for tax purposes. */
export function getCountry(form: TaxForm): string {
  if (form.kind === 'w9') return 'US';
  return form.kind === 'dac7' ? form.tinCountry : form.country;
}

/** W-8 forms expire at the end of the third calendar year after they were signed; the others don't expire. */
export function calculateExpiry({ kind }: Pick<TaxForm, 'kind'>, signedAt: Date): Date | null {
  return kind === 'w8ben' || kind === 'w8bene' ? new Date(Date.UTC(signedAt.getUTCFullYear() + 4, 0, 1)) : null;
}
