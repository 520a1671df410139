// Reporting an order (Contract §4.6, §7 rule 2). Orders that arrive together are recorded together, and
// each is answered after the commit that credits it.
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { ConversionShape } from './conversion.ts';
import { ReportedOrder } from './order.ts';
import { recordOrders } from './record.ts';

export const reportConversion = endpoint({
  id: 'conversions.report',
  route: 'POST /v1/conversions',
  scope: 'write',
  tag: 'Conversions',
  summary: 'Report an order',
  description:
    'Credits the order to an affiliate, by the hints it carries: `affiliateId`, `couponCode`, `clickId`, `referralCode`, or a customer who was brought before. ' +
    "Idempotent on `orderId`: reporting the same order again returns 409 with the first report's `conversionId` and `matchesOriginal`, and credits nothing again. " +
    '422 when nobody can be credited: the `orderId` is not used up, and a corrected report can still succeed. ' +
    '`warnings` names what to check in a report that was recorded, such as an unknown `productId` or an exhausted budget.',
  body: ReportedOrder,
  statuses: [201],
  result: ConversionShape,
  refusals: {
    404: '`affiliateId` was not found in this program.',
    409: 'The order is recorded already. Treat it as success.',
    422: 'Nobody can be credited. The order is kept for coverage and claims.',
  },
  together(tx, programId, inputs) {
    const reports = inputs.map(({ body, actor }) => ({ order: body, actor: actor }));
    return recordOrders(tx, programId, reports);
  },
});
