// What invoices say about an affiliate: a legal name, an address and tax numbers, with the agreement to self-billing. The
// API never returns them (Contract §2.1): they are encrypted, and only printed on the affiliate's invoices.
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { countryIn, line } from '../../../platform/http/declaration/fields.ts';
import { Invalid } from '../../../platform/lib/errors.ts';
import type { Vault } from '../../../platform/secrets/vault.ts';
import { vatIdFault, vatIdPattern } from '../../tax/tax-number.ts';
import { isInEu, requireVatIdOf } from '../vat.ts';

export const InvoiceLanguage = z.enum(['en', 'de']).meta({ id: 'InvoiceLanguage' });
export type InvoiceLanguage = z.infer<typeof InvoiceLanguage>;

/** The part that is encrypted. */
const Printed = z.object({
  legalName: line(140).describe('The name of the person or company that the invoices are from.'),
  street: line(100).describe('Street and number.'),
  postalCode: line(20).optional(),
  city: line(60),
  region: line(60).optional(),
  country: countryIn,
  vatId: z
    .string()
    .transform((text) => text.replace(/[\s.-]/g, '').toUpperCase())
    .refine((text) => vatIdPattern.test(text), { error: vatIdFault })
    .meta({ json: { type: 'string', maxLength: 30 } })
    .optional()
    .describe('Required in another member state of the European Union than the issuer’s.'),
  taxNumber: line(50).optional().describe('The national tax number. Required in the European Union without a `vatId`.'),
});
export type Printed = z.output<typeof Printed>;

export const InvoiceDetails = Printed.extend({
  isSmallBusiness: z.boolean().default(false).describe('Whether the affiliate charges no VAT as a small business.'),
  language: InvoiceLanguage.default('en').describe('The language of the invoices.'),
  agrees: z.literal(true).describe('Confirms that the program may issue the invoices for the affiliate’s services (self-billing).'),
}).meta({
  id: 'InvoiceDetails',
  example: {
    legalName: 'Ada Lovelace',
    street: 'Hauptstraße 7',
    postalCode: '53111',
    city: 'Bonn',
    country: 'DE',
    vatId: 'DE811907980',
    isSmallBusiness: false,
    language: 'de',
    agrees: true,
  },
});
export type InvoiceDetails = z.output<typeof InvoiceDetails>;

/** Throws Invalid if an invoice from that country would lack what the law requires of it. */
export function requireTaxNumbers({ country, vatId, taxNumber }: InvoiceDetails, issuerCountry: string): void {
  if (!isInEu(country)) return;
  if (vatId !== undefined) requireVatIdOf(country, vatId);
  if (vatId === undefined && isInEu(issuerCountry) && country !== issuerCountry)
    throw new Invalid([{ path: ['vatId'], message: 'is required in another member state of the European Union' }]);
  if (vatId === undefined && taxNumber === undefined)
    throw new Invalid([{ path: ['taxNumber'], message: 'is required, unless `vatId` is sent' }]);
}

/** The owner that details are encrypted for. */
export function detailsOwner(affiliateId: string, version: number | string): string {
  return `invoice_details:${affiliateId}:${version}`;
}

type Key = { affiliateId: string; version: number };

export function encryptDetails(vault: Vault, printed: Printed, { affiliateId, version }: Key): Buffer {
  return vault.encrypt(JSON.stringify(printed), detailsOwner(affiliateId, version));
}

/** The details as they were agreed to. */
export function decryptDetails(vault: Vault, { affiliateId, version, encryptedDetails }: Key & { encryptedDetails: Buffer }): Printed {
  return Printed.parse(JSON.parse(vault.decrypt(encryptedDetails, detailsOwner(affiliateId, version))));
}

/** The last version of an affiliate; undefined without one. */
export function findDetails({ db }: Pick<Context, 'db'>, programId: string, affiliateId: string) {
  const versions = db.selectFrom('invoiceDetails').selectAll().where('programId', '=', programId).where('affiliateId', '=', affiliateId);
  return versions.orderBy('version', 'desc').limit(1).executeTakeFirst();
}
