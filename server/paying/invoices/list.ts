import { z } from 'zod';
import { findAffiliateReferences } from '../../partners/affiliates/reference.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { line, uuid } from '../../platform/http/declaration/fields.ts';
import { cursorPage } from '../../platform/http/declaration/list-cursor.ts';
import { cursorListOf, expandable, findPage, oneOf, sortBy, timeRange, withinRange } from '../../platform/http/declaration/lists.ts';
import { VatCase } from '../tax/vat-case.ts';
import { InvoiceKind, InvoiceShape, toInvoices } from './invoice.ts';

export const listInvoices = endpoint({
  id: 'invoices.list',
  route: 'GET /v1/programs/:programId/invoices',
  scope: 'read',
  tag: 'Invoices',
  summary: 'List invoices',
  description: 'The self-billing invoices of the program and their cancellations. Names and tax numbers are only in the documents.',
  query: z.object({
    kind: oneOf(InvoiceKind),
    vatCase: oneOf(VatCase),
    affiliateId: uuid.optional(),
    payoutId: uuid.optional(),
    number: line(40).optional().describe('The number of the invoice (exact match).'),
    year: z
      .string()
      .regex(/^20\d\d$/, 'must be a year like 2026')
      .transform(Number)
      .optional()
      .describe('The year of the number, in the time zone of the program.')
      .meta({ json: { type: 'integer', minimum: 2000, maximum: 2099 } }),
    ...timeRange('created'),
    ...cursorPage,
    sort: sortBy('createdAt', 'amountCents'),
    expand: expandable('affiliate'),
  }),
  statuses: [200],
  result: cursorListOf('invoices', InvoiceShape, 'InvoiceList'),
  async handle(ctx, { actor: { programId }, query }) {
    const { kind, vatCase, affiliateId, payoutId, number, year, createdFrom, createdTo, limit, offset, expand } = query;
    let matching = ctx.db.selectFrom('invoices').where('programId', '=', programId);
    if (kind) matching = matching.where('kind', 'in', kind);
    if (vatCase) matching = matching.where('vatCase', 'in', vatCase);
    if (affiliateId) matching = matching.where('affiliateId', '=', affiliateId);
    if (payoutId) matching = matching.where('payoutId', '=', payoutId);
    if (number) matching = matching.where('number', '=', number);
    if (year) matching = matching.where('year', '=', year);
    matching = matching.where(withinRange('createdAt', createdFrom, createdTo));
    const { rows, total, nextCursor } = await findPage(matching, query, (found) => found.selectAll());
    const ids = expand.has('affiliate') ? rows.map((row) => row.affiliateId) : [];
    const affiliates = await findAffiliateReferences(ctx, programId, ids);
    const shown = await toInvoices(ctx, programId, rows);
    const invoices = shown.map((one) => ({ ...one, affiliate: affiliates.get(one.affiliateId) }));
    return { invoices, total, limit, offset, nextCursor };
  },
});
