// Submitting a signed form for an affiliate, by the program.
import { affiliateSlot } from '../../partners/affiliates/affiliate.ts';
import { endpoint, Reply } from '../../platform/http/declaration/endpoint.ts';
import { TaxForm } from './form-fields.ts';
import { storeTaxForm } from './store.ts';
import { TaxFormShape, toTaxForm } from './tax-form.ts';

export const submitTaxForm = endpoint({
  id: 'taxForms.submit',
  route: 'POST /v1/programs/:programId/affiliates/:id/tax-form',
  scope: 'write',
  requires: 'payouts.prepare',
  isSensitive: true,
  tag: 'Tax',
  summary: 'Submit a signed tax form',
  description:
    'A newer form supersedes the previous one; sending the same form, signed on the same day, has no effect. A W-8 expires at ' +
    'the end of the third calendar year after it was signed. The form is encrypted, and its contents are never returned. ' +
    'The affiliate is notified by email.',
  path: { id: affiliateSlot },
  body: TaxForm,
  statuses: [201, 200],
  outcomes: { 200: 'The same form was already on file.' },
  result: TaxFormShape,
  async handle(tx, { actor, params: { id }, body }) {
    const { row, isNew } = await storeTaxForm(tx, { programId: actor.programId, actor, affiliateId: id }, body);
    return new Reply(isNew ? 201 : 200, toTaxForm(id, row, tx.clock.now()));
  },
});
