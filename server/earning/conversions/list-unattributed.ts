// Orders that were reported and credited to nobody: what coverage and claims look at.
import { z } from 'zod';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { externalIdentifier } from '../../platform/http/declaration/external-identifier.ts';
import { centsOut, countOut, page, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';

const Shape = z
  .object({
    orderId: z.string(),
    amountCents: centsOut,
    currency: z.string(),
    reason: z.string().describe('Why nobody was credited; `no_hint` when the report named nobody.'),
    hints: z.array(z.record(z.string(), z.unknown())),
    reports: countOut.describe('How often it was reported so.'),
    conversionId: uuidOut.nullable().describe('Set when it was credited after all.'),
    occurredAt: timestampOut,
    createdAt: timestampOut,
    updatedAt: timestampOut,
  })
  .meta({ id: 'UnattributedOrder' });

export const listUnattributed = endpoint({
  id: 'conversions.unattributed.list',
  route: 'GET /v1/programs/:programId/unattributed-orders',
  scope: 'read',
  tag: 'Conversions',
  summary: 'List orders that nobody was credited for',
  description: 'Newest first.',
  query: z.object({
    orderId: externalIdentifier(255).optional(),
    resolved: z.enum(['true', 'false']).optional().describe('Whether a later report or a claim credited it.'),
    ...page,
  }),
  statuses: [200],
  result: z
    .object({ unattributedOrders: z.array(Shape), total: countOut, limit: countOut, offset: countOut })
    .meta({ id: 'UnattributedOrderList' }),
  async handle(ctx, { actor, query: { orderId, resolved, limit, offset } }) {
    let orders = ctx.db.selectFrom('unattributedOrders').where('programId', '=', actor.programId);
    if (orderId) orders = orders.where('orderId', '=', orderId);
    if (resolved) orders = orders.where('conversionId', resolved === 'true' ? 'is not' : 'is', null);
    const { total } = await orders.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const rows = await orders.selectAll().orderBy('createdAt', 'desc').orderBy('orderId').limit(limit).offset(offset).execute();
    const unattributedOrders = rows.map(({ hints, ...row }) => ({
      ...row,
      hints: hints as Record<string, unknown>[],
      occurredAt: row.occurredAt.toISOString(),
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
    }));
    return { unattributedOrders, total, limit, offset };
  },
});
