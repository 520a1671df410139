import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { findIssuer, IssuerShape, toIssuer } from './issuer.ts';

export const getInvoiceIssuer = endpoint({
  id: 'invoiceIssuer.get',
  route: 'GET /v1/programs/:programId/invoice-issuer',
  scope: 'read',
  tag: 'Invoices',
  summary: 'Get the issuer of invoices',
  description: 'With which legal details the program issues invoices, and whether it does.',
  statuses: [200],
  result: IssuerShape,
  handle: async (ctx, { actor: { programId } }) => toIssuer(await findIssuer(ctx, programId)),
});
