// Later reports of a recorded order that differ from the first one. They change nothing and are stored for review.
import { z } from 'zod';
import type { Context, Tx } from '../../context.ts';
import { insertRows } from '../../platform/db/inserts/insert-rows.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { externalIdentifier } from '../../platform/http/declaration/external-identifier.ts';
import { centsOut, countOut, currencyOut, timestampOut, uuid, uuidOut } from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';
import { cursorPage } from '../../platform/http/declaration/list-cursor.ts';
import { cursorListOf, expandable, findPage, sortBy, timeRange, withinRange } from '../../platform/http/declaration/lists.ts';
import type { DuplicateOrder } from './recording/duplicate.ts';
import { ConversionReference, findConversionReferences } from './reference.ts';

const ReportedItem = z.object({
  productId: uuidOut.nullable().optional(),
  externalProductId: z.string().nullable().optional(),
  sku: z.string().nullable().optional(),
  name: z.string().nullable().optional(),
  quantity: countOut,
  amountCents: centsOut,
  discountCents: centsOut,
});
const StoredReport = z.object({ amountCents: centsOut, items: z.array(ReportedItem) });

/** The conversions must be stored before. */
export async function storeMismatches(tx: Tx, programId: string, duplicates: readonly DuplicateOrder[]): Promise<void> {
  const rows = duplicates.flatMap(({ conversionId, reported: amounts }) => {
    if (amounts === null) return [];
    const reported: z.input<typeof StoredReport> = { amountCents: amounts.amountCents, items: amounts.items };
    return { programId, id: tx.ids.uuid(), conversionId, reported, createdAt: tx.clock.now() };
  });
  await insertRows(tx, 'orderMismatches', rows);
}

export const OrderMismatchShape = z
  .object({
    id: uuidOut,
    conversionId: uuidOut,
    conversion: ConversionReference.optional().describe('Included with `?expand=conversion`.'),
    orderId: z.string(),
    amountCents: centsOut.describe('The amount of this report.'),
    recordedCents: centsOut.describe('The amount of the first report, which was recorded.'),
    currency: currencyOut,
    items: z.array(ReportedItem).describe('The items of this report.'),
    createdAt: timestampOut,
  })
  .meta({
    id: 'OrderMismatch',
    example: {
      id: '01980a58-5a6b-7c7d-8e9f-0a1b2c3d4e5f',
      conversionId: '01980a54-1c22-7b6e-8d3f-5e9a7b1c2d3e',
      orderId: 'FF-10023',
      amountCents: 5480,
      recordedCents: 4980,
      currency: 'USD',
      items: [],
      createdAt: '2026-11-02T10:15:00.000Z',
    },
  });

export const listOrderMismatches = endpoint({
  id: 'orderMismatches.list',
  route: 'GET /v1/programs/:programId/order-mismatches',
  scope: 'read',
  tag: 'Conversions',
  summary: 'List order mismatches',
  description: 'Later reports of a recorded order with another amount or other quantities. They have no effect: the first report counts.',
  query: z.object({
    conversionId: uuid.optional(),
    orderId: externalIdentifier(255).optional(),
    providerId: uuid.optional().describe('Only orders that this store sent.'),
    ...timeRange('created'),
    ...cursorPage,
    sort: sortBy('createdAt'),
    expand: expandable('conversion'),
  }),
  statuses: [200],
  result: cursorListOf('orderMismatches', OrderMismatchShape, 'OrderMismatchList'),
  async handle(ctx, { actor: { programId }, query }) {
    const { conversionId, orderId, providerId, createdFrom, createdTo, limit, offset, expand } = query;
    let mismatches = selectMismatches(ctx, programId);
    if (conversionId) mismatches = mismatches.where('mismatch.conversionId', '=', conversionId);
    if (orderId) mismatches = mismatches.where('conversion.orderId', '=', orderId);
    if (providerId) {
      mismatches = mismatches.where(({ exists, selectFrom }) =>
        exists(
          selectFrom('providerOrders as sent')
            .select('sent.reference')
            .where('sent.programId', '=', programId)
            .where('sent.providerId', '=', providerId)
            .whereRef('sent.orderId', '=', 'conversion.orderId'),
        ),
      );
    }
    mismatches = mismatches.where(withinRange('mismatch.createdAt', createdFrom, createdTo));
    const { rows, total, nextCursor } = await findPage(mismatches, { ...query, table: 'mismatch' }, (found) =>
      found.selectAll('mismatch').select(columns),
    );
    const expanded = expand.has('conversion') ? rows.map((row) => row.conversionId) : [];
    const conversions = await findConversionReferences(ctx, programId, expanded);
    const orderMismatches = rows.map((row) => ({ ...toOrderMismatch(row), conversion: conversions.get(row.conversionId) }));
    return { orderMismatches, total, limit, offset, nextCursor };
  },
});

export const getOrderMismatch = endpoint({
  id: 'orderMismatches.get',
  route: 'GET /v1/programs/:programId/order-mismatches/:id',
  scope: 'read',
  tag: 'Conversions',
  summary: 'Get an order mismatch',
  path: { id: idSlot('orderMismatches', 'The id of the order mismatch.') },
  query: z.object({ expand: expandable('conversion') }),
  statuses: [200],
  result: OrderMismatchShape,
  async handle(ctx, { actor: { programId }, params: { id }, query: { expand } }) {
    const mismatches = selectMismatches(ctx, programId).selectAll('mismatch').select(columns);
    const mismatch = await mismatches.where('mismatch.id', '=', id).executeTakeFirstOrThrow();
    const conversions = await findConversionReferences(ctx, programId, expand.has('conversion') ? [mismatch.conversionId] : []);
    return { ...toOrderMismatch(mismatch), conversion: conversions.get(mismatch.conversionId) };
  },
});

const columns = ['conversion.orderId', 'conversion.amountCents as recordedCents', 'conversion.currency'] as const;

function selectMismatches(ctx: Pick<Context, 'db'>, programId: string) {
  return ctx.db
    .selectFrom('orderMismatches as mismatch')
    .innerJoin('conversions as conversion', (join) =>
      join.on('conversion.programId', '=', programId).onRef('conversion.id', '=', 'mismatch.conversionId'),
    )
    .where('mismatch.programId', '=', programId);
}

type Row = {
  id: string;
  conversionId: string;
  reported: unknown;
  createdAt: Date;
  orderId: string;
  recordedCents: number;
  currency: string;
};

function toOrderMismatch({ reported, createdAt, ...row }: Row): z.input<typeof OrderMismatchShape> {
  return { ...row, ...StoredReport.parse(reported), createdAt: createdAt.toISOString() };
}
