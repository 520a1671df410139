// Why an order was credited and what it paid: the stored decision and what happened since, as data and in sentences.
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { conversionSlot } from './conversion.ts';
import { explainOrder } from './explaining/explain.ts';
import { Explanation } from './explaining/shape.ts';

export const explainConversion = endpoint({
  id: 'conversions.explanation',
  route: 'GET /v1/programs/:programId/conversions/:id/explanation',
  scope: 'read',
  tag: 'Conversions',
  summary: 'Explain a conversion',
  description:
    'Lists each attribution signal and its outcome, each rule that was considered and why it did or did not apply, the inputs, ' +
    'limits and rounding, what each line earned, refunds, fraud alerts and payments: as data, and the decision also in sentences. ' +
    'The parts of all commissions add up to `totals.commissionCents`.',
  path: { id: conversionSlot },
  statuses: [200],
  result: Explanation,
  handle: (ctx, { actor: { programId }, params }) => explainOrder(ctx, { programId, conversionId: params.id }),
});
