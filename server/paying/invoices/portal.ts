// The affiliate's invoices in the portal. A document is downloaded by POST: a member who views the portal as the affiliate
// can only read, and may not see tax numbers.
import { z } from 'zod';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { page } from '../../platform/http/declaration/fields.ts';
import { countRows, listOf } from '../../platform/http/declaration/lists.ts';
import { NotFound } from '../../platform/lib/errors.ts';
import { toPdf } from './document/download.ts';
import { InvoiceShape, invoiceSlot, toPlainInvoice } from './invoice.ts';

const statuses = ['active', 'suspended', 'archived'] as const;

const PortalInvoice = InvoiceShape.pick({
  id: true,
  number: true,
  kind: true,
  payoutId: true,
  vatRatePercent: true,
  netCents: true,
  vatCents: true,
  amountCents: true,
  currency: true,
  createdAt: true,
}).meta({
  id: 'PortalInvoice',
  example: {
    id: '01980a7c-4f31-7e22-9d0a-6b7c8d9e0f12',
    number: 'FF-2026-0001',
    kind: 'invoice',
    payoutId: '01980a7c-31d2-7b44-8c0e-5f6a7b8c9d10',
    vatRatePercent: 19,
    netCents: 10_798,
    vatCents: 2052,
    amountCents: 12_850,
    currency: 'EUR',
    createdAt: '2026-11-02T09:30:04.000Z',
  },
});

export const listPortalInvoices = endpoint({
  id: 'portal.invoices',
  route: 'GET /app/portal/:programId/invoices',
  scope: 'affiliate',
  affiliateStatuses: statuses,
  tag: 'Portal',
  summary: "List the affiliate's invoices",
  query: z.object(page),
  statuses: [200],
  result: listOf('invoices', PortalInvoice, 'PortalInvoiceList'),
  async handle(ctx, { actor: { programId, affiliateId }, query: { limit, offset } }) {
    const invoices = ctx.db.selectFrom('invoices').where('programId', '=', programId).where('affiliateId', '=', affiliateId);
    const newest = invoices.selectAll().orderBy('createdAt', 'desc').orderBy('id', 'desc');
    const rows = await newest.limit(limit).offset(offset).execute();
    return { invoices: rows.map(toPlainInvoice), total: await countRows(invoices), limit, offset };
  },
});

export const downloadPortalInvoice = endpoint({
  id: 'portal.downloadInvoice',
  route: 'POST /app/portal/:programId/invoices/:id/document',
  scope: 'affiliate',
  affiliateStatuses: statuses,
  tag: 'Portal',
  summary: "Download one of the affiliate's invoices as PDF",
  path: { id: invoiceSlot },
  findsPath: true,
  statuses: [200],
  media: ['application/pdf'],
  result: PortalInvoice,
  async handle(ctx, { actor: { programId, affiliateId }, params: { id } }) {
    const invoices = ctx.db.selectFrom('invoices').selectAll().where('programId', '=', programId).where('id', '=', id);
    const invoice = await invoices.where('affiliateId', '=', affiliateId).executeTakeFirst();
    if (!invoice) throw new NotFound();
    return toPdf(ctx, programId, invoice);
  },
});
