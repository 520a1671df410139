// A self-billing invoice: the document that a program issues for an affiliate's service when a payout is paid, or the
// cancellation of one after the payment was returned. It is never changed.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import { AffiliateReference } from '../../partners/affiliates/reference.ts';
import type { Invoices } from '../../platform/db/schema.gen.ts';
import { centsOut, countOut, createdAtOut, currencyOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';
import { InvoiceLanguage } from './details/details.ts';
import { VatCase } from './vat.ts';

export const InvoiceKind = z
  .enum(['invoice', 'cancellation'])
  .describe('`cancellation`: the payout was returned. Its amounts are negative.')
  .meta({ id: 'InvoiceKind' });

export const InvoiceShape = z
  .object({
    id: uuidOut,
    number: z.string().describe('Without gaps in each year of the program.'),
    kind: InvoiceKind,
    year: countOut.describe('The year of the number, in the time zone of the program.'),
    affiliateId: uuidOut,
    affiliate: AffiliateReference.optional().describe('Included with `?expand=affiliate`.'),
    payoutId: uuidOut,
    cancelsId: uuidOut.nullable().describe('The invoice that a cancellation cancels.'),
    vatCase: VatCase,
    vatRatePercent: z.number(),
    netCents: centsOut.describe('`amountCents` − `vatCents`'),
    vatCents: centsOut.describe('The VAT that is included in the payout.'),
    amountCents: centsOut.describe('The amount of the payout.'),
    currency: currencyOut,
    language: InvoiceLanguage,
    createdAt: createdAtOut,
  })
  .meta({
    id: 'Invoice',
    example: {
      id: '01980a7c-4f31-7e22-9d0a-6b7c8d9e0f12',
      number: 'FF-2026-0001',
      kind: 'invoice',
      year: 2026,
      affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
      payoutId: '01980a7c-31d2-7b44-8c0e-5f6a7b8c9d10',
      cancelsId: null,
      vatCase: 'domestic',
      vatRatePercent: 19,
      netCents: 10_798,
      vatCents: 2052,
      amountCents: 12_850,
      currency: 'EUR',
      language: 'de',
      createdAt: '2026-11-02T09:30:04.000Z',
    },
  });

export type Invoice = Selectable<Invoices>;

export const invoiceSlot = idSlot('invoices', 'The id of the invoice.');

export function toInvoice(row: Invoice): z.input<typeof InvoiceShape> {
  return {
    ...row,
    netCents: row.amountCents - row.vatCents,
    kind: InvoiceKind.parse(row.kind),
    vatCase: VatCase.parse(row.vatCase),
    vatRatePercent: Number(row.vatRate),
    language: InvoiceLanguage.parse(row.language),
    createdAt: row.createdAt.toISOString(),
  };
}
