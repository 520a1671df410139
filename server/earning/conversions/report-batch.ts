// Many orders in one request, each with a result of its own: what a shop sends at night, or after an
// outage. One bad row never fails its neighbours.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { countOut } from '../../platform/http/declaration/fields.ts';
import { toDetails } from '../../platform/http/validate.ts';
import { ApiError, Invalid } from '../../platform/lib/errors.ts';
import { ConversionShape, type ConversionView } from './conversion.ts';
import { ReportedOrder } from './order.ts';
import { recordOrders } from './record.ts';

const maxRows = 200;
const ordersPerTurn = 10;

export const reportConversions = endpoint({
  id: 'conversions.reportBatch',
  route: 'POST /v1/conversions/batch',
  scope: 'write',
  tag: 'Conversions',
  summary: 'Report up to 200 orders',
  description:
    'Each row is answered as `POST /v1/conversions` would answer it: 201, 409, 422, 404 or 400, in its order. They commit together.',
  bodyLimitBytes: 1024 * 1024,
  heavy: true,
  body: z
    .object({
      conversions: z
        .array(z.unknown())
        .min(1, 'must not be empty')
        .max(maxRows)
        .meta({ json: { type: 'array', minItems: 1, maxItems: maxRows, items: { $ref: '#/components/schemas/ReportedOrder' } } }),
    })
    .meta({ id: 'ReportedOrders', example: { conversions: [{ orderId: 'FF-10023', amountCents: 4980, couponCode: 'ADA20' }] } }),
  statuses: [200],
  result: z
    .object({
      results: z.array(
        z.object({
          orderId: z.string().nullable(),
          status: countOut.describe('What `POST /v1/conversions` would have answered.'),
          conversion: ConversionShape.nullable(),
          error: z.record(z.string(), z.unknown()).nullable(),
        }),
      ),
    })
    .meta({ id: 'ReportResults' }),
  async handle(tx, { actor, body }) {
    const rows: z.ZodSafeParseResult<ReportedOrder>[] = [];
    for (const [index, row] of body.conversions.entries()) {
      // Orders may have many items; other requests are served in between.
      if (index % ordersPerTurn === 0) await nextTurn();
      rows.push(ReportedOrder.safeParse(row));
    }
    const orders = rows.flatMap(({ data }) => data ?? []);
    const by = actor;
    const outcomes = await recordOrders(
      tx,
      actor.programId,
      orders.map((order) => ({ order, actor: by })),
    );
    let next = 0;
    const results = rows.map(({ data, error }, index) =>
      toResult(
        data?.orderId ?? orderIdOf(body.conversions[index]),
        data ? (outcomes[next++] ?? missing()) : new Invalid(error.issues.flatMap(toDetails)),
      ),
    );
    return { results };
  },
});

function toResult(orderId: string | null, outcome: ConversionView | ApiError) {
  if (!(outcome instanceof ApiError)) return { orderId, status: 201, conversion: outcome, error: null };
  const { status, message, code, details, facts } = outcome;
  return { orderId, status, conversion: null, error: { error: message, code, ...(details && { details }), ...facts } };
}

/** Of a row that could not be read: what it calls its order, if that is a text. */
function orderIdOf(row: unknown): string | null {
  const given = typeof row === 'object' && row !== null && 'orderId' in row ? row.orderId : null;
  return typeof given === 'string' ? given.slice(0, 255) : null;
}

function missing(): never {
  throw new Error('A reported order has no outcome.');
}
