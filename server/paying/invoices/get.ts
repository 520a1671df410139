import type { Context } from '../../context.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { type Invoice, InvoiceShape, invoiceSlot, toInvoice } from './invoice.ts';

export const getInvoice = endpoint({
  id: 'invoices.get',
  route: 'GET /v1/programs/:programId/invoices/:id',
  scope: 'read',
  tag: 'Invoices',
  summary: 'Get an invoice',
  description:
    'The number and the amounts. The document contains the name and the tax numbers of the affiliate, so it is downloaded in the console.',
  path: { id: invoiceSlot },
  statuses: [200],
  result: InvoiceShape,
  handle: async (ctx, { actor: { programId }, params: { id } }) => toInvoice(await readInvoice(ctx, programId, id)),
});

export async function readInvoice({ db }: Pick<Context, 'db'>, programId: string, id: string): Promise<Invoice> {
  return db.selectFrom('invoices').selectAll().where('programId', '=', programId).where('id', '=', id).executeTakeFirstOrThrow();
}
