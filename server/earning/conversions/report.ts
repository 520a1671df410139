// Reporting an order. Orders of a program that arrive together are recorded in one transaction, and each response is
// sent after its commit.
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { ConversionShape } from '../orders/conversion-shape.ts';
import { ReportedOrder } from './order.ts';
import { outcomeErrors, toError } from './outcome-error.ts';
import { recordOrders } from './recording/record.ts';

export const reportConversion = endpoint({
  id: 'conversions.report',
  route: 'POST /v1/conversions',
  scope: 'write',
  requires: 'conversions.write',
  tag: 'Conversions',
  summary: 'Report an order',
  description:
    'Credits the order to an affiliate by its attribution signals: `affiliateId`, `couponCode`, `clickId`, `referralCode`, or ' +
    'the affiliate who was credited for the same customer before. Idempotent on `orderId`: reporting an order again returns 409 ' +
    'with the `conversionId` of the first report and `matchesOriginal`, and has no other effect. After a 422, the `orderId` can ' +
    'be reported again: a corrected report can still succeed. `warnings` lists what to check in a recorded order, such as an ' +
    'unknown `productId` or an exhausted budget.',
  body: ReportedOrder,
  idempotentBy: 'orderId',
  statuses: [201],
  result: ConversionShape,
  errors: outcomeErrors,
  async together(tx, programId, inputs) {
    const reports = inputs.map(({ body, actor }) => ({ order: body, actor }));
    const outcomes = await recordOrders(tx, programId, reports);
    return outcomes.map((outcome) => (outcome.kind === 'credited' ? outcome.conversion : toError(outcome)));
  },
});
