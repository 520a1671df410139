// Who issues the invoices of a program: its legal name, address and tax numbers, and the numbers of its invoices. Each change
// adds a version, so that an invoice can be shown again as it was issued.
import { z } from 'zod';
import { percentUpTo } from '../../../accounts/programs/settings.ts';
import type { Context } from '../../../context.ts';
import { countryIn, line, timestampOut } from '../../../platform/http/declaration/fields.ts';
import { vatIdFault, vatIdPattern } from '../../tax/tax-number.ts';

const isActive = z.boolean().describe('Whether invoices are issued for payouts to affiliates who agreed to them.');
const numberPrefix = 'The start of invoice numbers. With `INV`, the first one of 2026 is `INV-2026-0001`.';
const vatRatePercent =
  "The VAT rate in the issuer's country, in percent. It is included in payouts to affiliates there who charge VAT. Null where there is no VAT.";

export const IssuerSettings = z.object({
  isActive,
  legalName: line(140).nullable(),
  street: line(100).nullable().describe('Street and number.'),
  postalCode: line(20).nullable(),
  city: line(60).nullable(),
  country: countryIn.nullable().describe('Can’t be changed while affiliates have agreed to invoices.'),
  vatId: z.string().regex(vatIdPattern, vatIdFault).nullable().describe('Required in the European Union.'),
  taxNumber: line(50).nullable().describe('Another tax number, such as an EIN.'),
  vatRatePercent: percentUpTo(100).nullable().describe(vatRatePercent),
  numberPrefix: z
    .string()
    .regex(/^(?=.{1,12}$)[A-Z0-9]+(-[A-Z0-9]+)*$/, 'must be up to 12 capital letters and digits, with hyphens between them')
    .describe(numberPrefix),
});
export type IssuerSettings = z.output<typeof IssuerSettings>;

export const defaultIssuer: IssuerSettings = {
  isActive: false,
  legalName: null,
  street: null,
  postalCode: null,
  city: null,
  country: null,
  vatId: null,
  taxNumber: null,
  vatRatePercent: null,
  numberPrefix: 'INV',
};

export const IssuerShape = z
  .object({
    isActive,
    legalName: z.string().nullable(),
    street: z.string().nullable(),
    postalCode: z.string().nullable(),
    city: z.string().nullable(),
    country: z.string().nullable(),
    vatId: z.string().nullable(),
    taxNumber: z.string().nullable(),
    vatRatePercent: z.number().nullable().describe(vatRatePercent),
    numberPrefix: z.string().describe(numberPrefix),
    updatedAt: timestampOut.nullable().describe('When it was last changed; null if it never was.'),
  })
  .meta({
    id: 'InvoiceIssuer',
    example: {
      isActive: true,
      legalName: 'Fern & Field GmbH',
      street: 'Lindenstraße 4',
      postalCode: '10969',
      city: 'Berlin',
      country: 'DE',
      vatId: 'DE811907980',
      taxNumber: null,
      vatRatePercent: 19,
      numberPrefix: 'FF',
      updatedAt: '2026-10-12T08:30:00.000Z',
    },
  });

/** An issuer as it is stored. Version 0: it was never changed. */
export type Issuer = IssuerSettings & { version: number; createdAt: Date | null };

/** The issuer of a program: the last version, or the given one. */
export async function findIssuer({ db }: Pick<Context, 'db'>, programId: string, version?: number): Promise<Issuer> {
  let versions = db.selectFrom('invoiceIssuers').selectAll().where('programId', '=', programId);
  if (version !== undefined) versions = versions.where('version', '=', version);
  const row = await versions.orderBy('version', 'desc').limit(1).executeTakeFirst();
  if (!row) return { ...defaultIssuer, version: 0, createdAt: null };
  const { programId: _program, vatRate, ...issuer } = row;
  return { ...issuer, vatRatePercent: vatRate === null ? null : Number(vatRate) };
}

export function toIssuer({ version: _version, createdAt, ...issuer }: Issuer): z.input<typeof IssuerShape> {
  return { ...issuer, updatedAt: createdAt?.toISOString() ?? null };
}
