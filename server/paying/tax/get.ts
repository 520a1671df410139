import { affiliateSlot } from '../../partners/affiliates/affiliate.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { findTaxForm, TaxFormShape, toTaxForm } from './tax-form.ts';

export const getTaxForm = endpoint({
  id: 'taxForms.get',
  route: 'GET /v1/programs/:programId/affiliates/:id/tax-form',
  scope: 'read',
  requires: 'tax.read',
  tag: 'Tax',
  summary: "Get an affiliate's tax form",
  description: 'Returns the kind, country and validity of the form. The contents of a form are never returned.',
  path: { id: affiliateSlot },
  statuses: [200],
  result: TaxFormShape,
  async handle(ctx, { actor, params: { id } }) {
    return toTaxForm(id, await findTaxForm(ctx, actor.programId, id), ctx.clock.now());
  },
});
