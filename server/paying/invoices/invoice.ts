// A self-billing invoice: the document that a program issues for an affiliate's service when a payout is paid, or the
// cancellation of one after the payment was returned. It is never changed.
import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { AffiliateReference } from '../../partners/affiliates/reference.ts';
import type { Invoices } from '../../platform/db/schema.gen.ts';
import { centsOut, countOut, createdAtOut, currencyOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';
import { VatCase } from '../tax/vat-case.ts';
import { InvoiceLanguage } from './details/details.ts';
import { readVatExchange, VatExchangeShape } from './vat-exchange.ts';

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
    cancelsNumber: z.string().nullable().describe('The number of the invoice that a cancellation cancels.'),
    cancelledByNumber: z.string().nullable().describe('The number of the cancellation of this invoice.'),
    vatCase: VatCase,
    vatRatePercent: z.number(),
    netCents: centsOut.describe('`amountCents` − `vatCents`'),
    vatCents: centsOut.describe('The VAT that is included in the payout.'),
    vatExchange: VatExchangeShape.nullable().describe(
      'The VAT in the currency of the country where it is owed; null if the invoice is in that currency or has no VAT.',
    ),
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
      cancelsNumber: null,
      cancelledByNumber: null,
      vatCase: 'domestic',
      vatRatePercent: 19,
      netCents: 10_798,
      vatCents: 2052,
      vatExchange: null,
      amountCents: 12_850,
      currency: 'EUR',
      language: 'de',
      createdAt: '2026-11-02T09:30:04.000Z',
    },
  });

export type Invoice = Selectable<Invoices>;
type InvoiceOut = z.input<typeof InvoiceShape>;

export const invoiceSlot = idSlot('invoices', 'The id of the invoice.');

type Counterpart = Pick<Invoice, 'payoutId' | 'kind' | 'number'>;

/** Invoices as the API returns them: one query for the numbers of what they cancel, or are cancelled by. */
export async function toInvoices({ db }: Pick<Context, 'db'>, programId: string, rows: readonly Invoice[]): Promise<InvoiceOut[]> {
  if (rows.length === 0) return [];
  const payoutIds = rows.map(({ payoutId }) => payoutId);
  const { rows: found } = await sql<Counterpart>`
    select payout_id, kind, number from invoices where program_id = ${programId} and payout_id = any(${payoutIds}::uuid[])`.execute(db);
  const numbers = new Map(found.map(({ payoutId, kind, number }) => [`${kind} ${payoutId}`, number]));
  return rows.map((row) => {
    const [invoice = null, cancellation = null] = ['invoice', 'cancellation'].map((kind) => numbers.get(`${kind} ${row.payoutId}`));
    const isCancellation = row.kind === 'cancellation';
    return {
      ...toPlainInvoice(row),
      cancelsNumber: isCancellation ? invoice : null,
      cancelledByNumber: isCancellation ? null : cancellation,
    };
  });
}

/** The invoices of payouts and their cancellations. */
export async function findInvoices({ db }: Pick<Context, 'db'>, programId: string, payoutIds: readonly string[]): Promise<InvoiceOut[]> {
  const invoices = db.selectFrom('invoices').selectAll().where('programId', '=', programId);
  const rows = await invoices.where('payoutId', '=', sql<string>`any(${payoutIds}::uuid[])`).orderBy('seq').execute();
  return toInvoices({ db }, programId, rows);
}

/** One invoice as the API returns it. */
export async function toInvoice(ctx: Pick<Context, 'db'>, programId: string, row: Invoice): Promise<InvoiceOut> {
  const [invoice] = await toInvoices(ctx, programId, [row]);
  if (!invoice) throw new Error('An invoice was read and is missing now.');
  return invoice;
}

/** An invoice without the numbers of others. */
export function toPlainInvoice(row: Invoice): Omit<InvoiceOut, 'cancelsNumber' | 'cancelledByNumber'> {
  return {
    ...row,
    netCents: row.amountCents - row.vatCents,
    vatExchange: readVatExchange(row),
    kind: InvoiceKind.parse(row.kind),
    vatCase: VatCase.parse(row.vatCase),
    vatRatePercent: Number(row.vatRate),
    language: InvoiceLanguage.parse(row.language),
    createdAt: row.createdAt.toISOString(),
  };
}
