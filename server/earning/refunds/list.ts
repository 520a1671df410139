// Lists refunds and gets one, each with its effect on the commissions.
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { externalIdentifier } from '../../platform/http/declaration/external-identifier.ts';
import { logged, uuid } from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';
import { cursorPage } from '../../platform/http/declaration/list-cursor.ts';
import { cursorListOf, expandable, findPage, oneOf, sortBy, timeRange, withinRange } from '../../platform/http/declaration/lists.ts';
import { findConversionReferences } from '../conversions/reference.ts';
import { toOriginal } from '../orders/conversion-shape.ts';
import { originalCurrency, RefundReason, RefundShape, readAdjustments } from './refund.ts';

export const listRefunds = endpoint({
  id: 'refunds.list',
  route: 'GET /v1/programs/:programId/refunds',
  scope: 'read',
  tag: 'Refunds',
  summary: 'List refunds',
  query: z.object({
    conversionId: uuid.optional(),
    orderId: logged(externalIdentifier(255)).optional(),
    refundId: logged(externalIdentifier(255)).optional(),
    reason: oneOf(RefundReason),
    ...timeRange('occurred'),
    ...timeRange('created'),
    ...cursorPage,
    sort: sortBy('createdAt', 'occurredAt', 'amountCents'),
    expand: expandable('conversion'),
  }),
  statuses: [200],
  result: cursorListOf('refunds', RefundShape, 'RefundList'),
  async handle(ctx, { actor: { programId }, query }) {
    const { conversionId, orderId, refundId, reason, limit, offset, expand } = query;
    let refunds = selectRefunds(ctx, programId);
    if (conversionId) refunds = refunds.where('refund.conversionId', '=', conversionId);
    if (orderId) refunds = refunds.where('conversion.orderId', '=', orderId);
    if (refundId) refunds = refunds.where('refund.externalId', '=', refundId);
    if (reason) refunds = refunds.where('refund.reason', 'in', reason);
    refunds = refunds.where(withinRange('refund.occurredAt', query.occurredFrom, query.occurredTo));
    refunds = refunds.where(withinRange('refund.createdAt', query.createdFrom, query.createdTo));
    const { rows, total, nextCursor } = await findPage(refunds, { ...query, table: 'refund' }, (found) =>
      found.selectAll('refund').select(columns),
    );
    return { refunds: await toRefunds(ctx, programId, rows, expand), total, limit, offset, nextCursor };
  },
});

export const getRefund = endpoint({
  id: 'refunds.get',
  route: 'GET /v1/programs/:programId/refunds/:id',
  scope: 'read',
  tag: 'Refunds',
  summary: 'Get a refund',
  path: { id: idSlot('refunds', 'The id of the refund.') },
  query: z.object({ expand: expandable('conversion') }),
  statuses: [200],
  result: RefundShape,
  handle: (ctx, { actor: { programId }, params: { id }, query: { expand } }) => readRefund(ctx, programId, id, expand),
});

/** A refund as the API returns it. */
export async function readRefund(ctx: Pick<Context, 'db'>, programId: string, id: string, expand: ReadonlySet<'conversion'> = new Set()) {
  const refunds = selectRefunds(ctx, programId).selectAll('refund').select(columns);
  const row = await refunds.where('refund.id', '=', id).executeTakeFirstOrThrow();
  const [refund] = await toRefunds(ctx, programId, [row], expand);
  if (!refund) throw new Error('A refund has no representation.');
  return refund;
}

const columns = [
  'conversion.orderId',
  'conversion.amountCents as orderCents',
  'conversion.refundedCents as refundedCents',
  'conversion.currency',
  originalCurrency,
] as const;

function selectRefunds(ctx: Pick<Context, 'db'>, programId: string) {
  return ctx.db
    .selectFrom('refunds as refund')
    .innerJoin('conversions as conversion', (join) =>
      join.on('conversion.programId', '=', programId).onRef('conversion.id', '=', 'refund.conversionId'),
    )
    .where('refund.programId', '=', programId);
}

type Row = {
  id: string;
  externalId: string;
  conversionId: string;
  orderId: string;
  amountCents: number;
  orderCents: number;
  refundedCents: number;
  currency: string;
  originalCents: number | null;
  originalCurrency: string | null;
  reason: string;
  note: string | null;
  occurredAt: Date;
  undoneAt: Date | null;
  createdAt: Date;
};

async function toRefunds(
  ctx: Pick<Context, 'db'>,
  programId: string,
  rows: readonly Row[],
  expand: ReadonlySet<'conversion'>,
): Promise<z.input<typeof RefundShape>[]> {
  const ids = rows.map(({ id }) => id);
  const adjustments = await readAdjustments(ctx, programId, ids);
  const expanded = expand.has('conversion') ? rows.map(({ conversionId }) => conversionId) : [];
  const conversions = await findConversionReferences(ctx, programId, expanded);
  return rows.map(({ orderCents, externalId, originalCents, originalCurrency, ...row }) => ({
    ...row,
    refundId: externalId,
    conversion: conversions.get(row.conversionId),
    original: toOriginal(originalCents, originalCurrency),
    reason: RefundReason.parse(row.reason),
    remainingCents: orderCents - row.refundedCents,
    adjustments: adjustments.get(row.id) ?? [],
    occurredAt: row.occurredAt.toISOString(),
    undoneAt: row.undoneAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  }));
}
