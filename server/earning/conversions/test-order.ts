// What an order would do, before it is sent: it is recorded like a reported one, explained, and undone.
import { z } from 'zod';
import { rehearse } from '../../platform/db/rehearse.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { explainOrder } from './explaining/explain.ts';
import { Explanation } from './explaining/shape.ts';
import { checkItems, ReportedOrder } from './order.ts';
import { outcomeErrors, toError } from './outcome-error.ts';
import { recordOrders } from './recording/record.ts';

const TestedOrder = z
  .object({
    ...ReportedOrder.shape,
    orderId: ReportedOrder.shape.orderId.optional().describe("The store's id for the order. One that is recorded returns 409."),
  })
  .superRefine(checkItems)
  .meta({ id: 'TestedOrder', example: { amountCents: 4980, clickId: '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f' } });

export const testConversion = endpoint({
  id: 'conversions.test',
  route: 'POST /v1/programs/:programId/conversions/test',
  scope: 'write',
  requires: 'conversions.write',
  tag: 'Conversions',
  summary: 'Test an order',
  description:
    'Does everything that `POST /v1/conversions` does and undoes it: nothing is recorded, and no event is sent. Returns the ' +
    'explanation that the order would have, whose ids exist only in this response, or the error that its report would get.',
  body: TestedOrder,
  statuses: [200],
  result: Explanation,
  errors: outcomeErrors,
  async handle(tx, { actor, body: order }) {
    const { programId } = actor;
    return rehearse(tx, async (rehearsal) => {
      const reported = { ...order, orderId: order.orderId ?? rehearsal.ids.uuid() };
      const [outcome] = await recordOrders(rehearsal, programId, [{ order: reported, actor }]);
      if (!outcome) throw new Error('A tested order has no outcome.');
      if (outcome.kind !== 'credited') throw toError(outcome);
      return explainOrder(rehearsal, { programId, conversionId: outcome.conversion.id });
    });
  },
});
