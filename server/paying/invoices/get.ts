import { z } from 'zod';
import type { Context } from '../../context.ts';
import { findAffiliateReferences } from '../../partners/affiliates/reference.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { expandable } from '../../platform/http/declaration/lists.ts';
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
  query: z.object({ expand: expandable('affiliate') }),
  statuses: [200],
  result: InvoiceShape,
  async handle(ctx, { actor: { programId }, params: { id }, query: { expand } }) {
    const row = await readInvoice(ctx, programId, id);
    const affiliates = await findAffiliateReferences(ctx, programId, expand.has('affiliate') ? [row.affiliateId] : []);
    return { ...(await toInvoice(ctx, programId, row)), affiliate: affiliates.get(row.affiliateId) };
  },
});

export async function readInvoice({ db }: Pick<Context, 'db'>, programId: string, id: string): Promise<Invoice> {
  return db.selectFrom('invoices').selectAll().where('programId', '=', programId).where('id', '=', id).executeTakeFirstOrThrow();
}
