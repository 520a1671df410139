// Reporting many orders in one request, for nightly exports or after an outage. Each row has its own result, and an
// invalid row does not affect the others.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { countOut } from '../../platform/http/declaration/fields.ts';
import { documentedAs, exampleOf } from '../../platform/http/openapi/schemas.ts';
import { toDetails } from '../../platform/http/validate.ts';
import { type ApiError, Invalid } from '../../platform/lib/errors.ts';
import { type Conversion, ConversionShape } from '../orders/conversion-shape.ts';
import { ReportedOrder } from './order.ts';
import { toError } from './outcome-error.ts';
import { type Outcome, recordOrders } from './recording/record.ts';

const maxRows = 200;
const rowsPerTurn = 10;

const RowResult = z.object({
  orderId: z.string().nullable(),
  status: countOut.describe('The status that `POST /v1/conversions` would have returned.'),
  conversion: ConversionShape.nullable(),
  error: z.record(z.string(), z.unknown()).nullable().describe('The error body that `POST /v1/conversions` would have returned.'),
});

export const reportConversions = endpoint({
  id: 'conversions.reportBatch',
  route: 'POST /v1/conversions/batch',
  scope: 'write',
  requires: 'conversions.write',
  tag: 'Conversions',
  summary: 'Report up to 200 orders',
  description:
    'Returns one result per order, in the order of the request: the status that `POST /v1/conversions` would return (201, 400, ' +
    '404, 409 or 422), and its body. All orders are committed together.',
  bodyLimitBytes: 1024 * 1024,
  heavy: true,
  body: z
    .object({
      conversions: documentedAs(z.array(z.unknown()).min(1, 'must not be empty').max(maxRows), z.array(ReportedOrder).min(1).max(maxRows)),
    })
    .meta({ id: 'ReportedOrders', example: { conversions: [{ orderId: 'FF-10023', amountCents: 4980, couponCode: 'ADA20' }] } }),
  statuses: [200],
  result: z.object({ results: z.array(RowResult) }).meta({
    id: 'ReportResults',
    example: { results: [{ orderId: 'FF-10023', status: 201, conversion: exampleOf(ConversionShape), error: null }] },
  }),
  async handle(tx, { actor, body }) {
    const rows: z.ZodSafeParseResult<ReportedOrder>[] = [];
    for (const [index, row] of body.conversions.entries()) {
      // Orders can have many items: other requests are served in between.
      if (index % rowsPerTurn === 0) await nextTurn();
      rows.push(ReportedOrder.safeParse(row));
    }
    const orders = rows.flatMap(({ data }) => data ?? []);
    const reports = orders.map((order) => ({ order, actor }));
    const outcomes = (await recordOrders(tx, actor.programId, reports)).values();
    const results = rows.map(({ data, error }, index) => {
      if (error) return toErrorResult(parseOrderId(body.conversions[index]), new Invalid(error.issues.flatMap(toDetails)));
      return toResult(data.orderId, outcomes.next().value);
    });
    return { results };
  },
});

type Result = { orderId: string | null; status: number; conversion: Conversion | null; error: Record<string, unknown> | null };

function toResult(orderId: string, outcome: Outcome | undefined): Result {
  if (!outcome) throw new Error('A reported order has no outcome.');
  if (outcome.kind === 'credited') return { orderId, status: 201, conversion: outcome.conversion, error: null };
  return toErrorResult(orderId, toError(outcome));
}

function toErrorResult(orderId: string | null, { status, message, code, details, facts }: ApiError): Result {
  const error = details ? { error: message, code, details, ...facts } : { error: message, code, ...facts };
  return { orderId, status, conversion: null, error };
}

/** The order id of a row that is not valid, if it has one. */
function parseOrderId(row: unknown): string | null {
  const orderId = typeof row === 'object' && row !== null && 'orderId' in row ? row.orderId : null;
  return typeof orderId === 'string' ? orderId.slice(0, 255) : null;
}
