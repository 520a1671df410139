// Listing disputes, and reading one by its id.
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { externalIdentifier } from '../../platform/http/declaration/external-identifier.ts';
import { uuid } from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';
import { cursorPage } from '../../platform/http/declaration/list-cursor.ts';
import { cursorListOf, expandable, findPage, oneOf, sortBy, timeRange, withinRange } from '../../platform/http/declaration/lists.ts';
import { findConversionReferences } from '../conversions/reference.ts';
import { DisputeShape, toDispute } from './dispute.ts';
import { DisputeStatus } from './record-dispute.ts';
import { originalCurrency } from './refund.ts';

export const listDisputes = endpoint({
  id: 'disputes.list',
  route: 'GET /v1/programs/:programId/disputes',
  scope: 'read',
  tag: 'Refunds',
  summary: 'List disputes',
  query: z.object({
    status: oneOf(DisputeStatus),
    orderId: externalIdentifier(255).optional(),
    conversionId: uuid.optional(),
    ...timeRange('created'),
    ...cursorPage,
    sort: sortBy('createdAt', 'updatedAt'),
    expand: expandable('conversion'),
  }),
  statuses: [200],
  result: cursorListOf('disputes', DisputeShape, 'DisputeList'),
  async handle(ctx, { actor: { programId, currency }, query }) {
    const { status, orderId, conversionId, createdFrom, createdTo, limit, offset } = query;
    let disputes = findDisputes(ctx, programId);
    if (status) disputes = disputes.where('dispute.status', 'in', status);
    if (orderId) disputes = disputes.where('conversion.orderId', '=', orderId);
    if (conversionId) disputes = disputes.where('dispute.conversionId', '=', conversionId);
    disputes = disputes.where(withinRange('dispute.createdAt', createdFrom, createdTo));
    const { rows, total, nextCursor } = await findPage(disputes, { ...query, table: 'dispute' }, (found) =>
      found.selectAll('dispute').select(columns),
    );
    const conversionIds = query.expand.has('conversion') ? rows.map((row) => row.conversionId) : [];
    const conversions = await findConversionReferences(ctx, programId, conversionIds);
    const found = rows.map((row) => ({
      ...toDispute(row, { orderId: row.orderId, originalCurrency: row.originalCurrency, currency }),
      conversion: conversions.get(row.conversionId),
    }));
    return { disputes: found, total, limit, offset, nextCursor };
  },
});

export const getDispute = endpoint({
  id: 'disputes.get',
  route: 'GET /v1/programs/:programId/disputes/:id',
  scope: 'read',
  tag: 'Refunds',
  summary: 'Get a dispute',
  path: { id: idSlot('disputes', 'The id of the dispute.') },
  statuses: [200],
  result: DisputeShape,
  async handle(ctx, { actor: { programId, currency }, params }) {
    const disputes = findDisputes(ctx, programId).where('dispute.id', '=', params.id);
    const dispute = await disputes.selectAll('dispute').select(columns).executeTakeFirstOrThrow();
    return toDispute(dispute, { orderId: dispute.orderId, originalCurrency: dispute.originalCurrency, currency });
  },
});

const columns = ['conversion.orderId', originalCurrency] as const;

function findDisputes(ctx: Pick<Context, 'db'>, programId: string) {
  return ctx.db
    .selectFrom('disputes as dispute')
    .innerJoin('conversions as conversion', (join) =>
      join.on('conversion.programId', '=', programId).onRef('conversion.id', '=', 'dispute.conversionId'),
    )
    .where('dispute.programId', '=', programId);
}
