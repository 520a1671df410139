import { z } from 'zod';
import { affiliateSlot } from '../../../partners/affiliates/affiliate.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { timestampOut, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { findDetails } from './details.ts';

const Shape = z
  .object({
    affiliateId: uuidOut,
    isAgreed: z.boolean().describe('Whether payouts from now on have an invoice, if the issuer is active.'),
    agreedAt: timestampOut.nullable().describe('When the affiliate last agreed; null without an agreement.'),
    country: z.string().nullable(),
    isSmallBusiness: z.boolean().describe('Whether the affiliate charges no VAT as a small business.'),
  })
  .meta({
    id: 'InvoiceAgreement',
    example: {
      affiliateId: '01980a4e-9c2f-7d41-8b3a-5e6f7a8b9c0d',
      isAgreed: true,
      agreedAt: '2026-11-02T09:30:00.000Z',
      country: 'DE',
      isSmallBusiness: false,
    },
  });

export const getInvoiceAgreement = endpoint({
  id: 'invoiceAgreements.get',
  route: 'GET /v1/programs/:programId/affiliates/:id/invoice-agreement',
  scope: 'read',
  requires: 'tax.read',
  tag: 'Invoices',
  summary: "Get an affiliate's agreement to invoices",
  description: 'Affiliates agree in the portal. What the invoices say about them is never returned.',
  path: { id: affiliateSlot },
  statuses: [200],
  result: Shape,
  async handle(ctx, { actor: { programId }, params: { id } }) {
    const details = await findDetails(ctx, programId, id);
    if (!details?.isAgreed) return { affiliateId: id, isAgreed: false, agreedAt: null, country: null, isSmallBusiness: false };
    const { country, isSmallBusiness, createdAt } = details;
    return { affiliateId: id, isAgreed: true, agreedAt: createdAt.toISOString(), country, isSmallBusiness };
  },
});
