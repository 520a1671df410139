// The document of an invoice, for members of the program. It has the affiliate's tax numbers, so no API key can read it
// (Contract §2.1).
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { Document, endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { readInvoice } from '../get.ts';
import { type Invoice, InvoiceShape, invoiceSlot, toInvoice } from '../invoice.ts';
import { readDocument } from './document.ts';
import { renderInvoice } from './pdf.ts';

export const documentQuery = z.object({ format: z.enum(['json', 'pdf']).default('json') });

export const downloadInvoice = endpoint({
  id: 'invoices.document',
  route: 'GET /app/programs/:programId/invoices/:id',
  scope: 'read',
  requires: 'tax.read',
  isUserOnly: true,
  tag: 'Invoices',
  summary: 'Get an invoice, including as PDF',
  path: { id: invoiceSlot },
  query: documentQuery,
  statuses: [200],
  media: ['application/pdf'],
  result: InvoiceShape,
  async handle(ctx, { actor: { programId }, params: { id }, query: { format } }) {
    const invoice = await readInvoice(ctx, programId, id);
    return format === 'json' ? toInvoice(ctx, programId, invoice) : toPdf(ctx, programId, invoice);
  },
});

export async function toPdf(ctx: Context, programId: string, invoice: Invoice): Promise<Document> {
  const content = await renderInvoice(ctx.workers, await readDocument(ctx, programId, invoice));
  return new Document('application/pdf', content, `${invoice.number}.pdf`);
}
