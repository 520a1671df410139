// Orders that a member enters in the console, for sales that no store reports. They are recorded like reported orders.
import { recordChange } from '../../platform/audit/record.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { ConversionShape } from '../orders/conversion-shape.ts';
import { ReportedOrder } from './order.ts';
import { outcomeErrors, toError } from './outcome-error.ts';
import { recordOrders } from './recording/record.ts';

export const enterConversion = endpoint({
  id: 'conversions.enter',
  route: 'POST /app/programs/:programId/conversions',
  scope: 'write',
  requires: 'conversions.write',
  isUserOnly: true,
  tag: 'Orders',
  summary: 'Enter an order',
  description: 'Records an order with the same look-up, attribution and calculation as `POST /v1/conversions`. The entry is audited.',
  body: ReportedOrder,
  statuses: [201],
  result: ConversionShape,
  errors: outcomeErrors,
  async handle(tx, { actor, body: order }) {
    const { programId } = actor;
    const [outcome] = await recordOrders(tx, programId, [{ order, actor }]);
    if (!outcome) throw new Error('An entered order has no outcome.');
    if (outcome.kind !== 'credited') throw toError(outcome);
    const { id, orderId, affiliateId, amountCents, commissionCents } = outcome.conversion;
    const after = { orderId, affiliateId, amountCents, commissionCents };
    await recordChange(tx, { programId, actor, action: 'conversion.entered', subjectId: id, after });
    return outcome.conversion;
  },
});
