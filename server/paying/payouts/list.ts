// Payouts: all of a program's, and one of them with the commissions it is made of and every change it went through.
import { z } from 'zod';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { centsOut, countOut, page, timestampIn, timestampOut, uuid, uuidOut } from '../../platform/http/declaration/fields.ts';
import { keptStatuses, PayoutShape, PayoutStatus, payoutSlot, shownStatus, toPayout } from './payout.ts';

export const listPayouts = endpoint({
  id: 'payouts.list',
  route: 'GET /v1/programs/:programId/payouts',
  scope: 'read',
  tag: 'Payouts',
  summary: 'List payouts',
  description: 'Newest first.',
  query: z.object({
    affiliateId: uuid.optional(),
    batchId: uuid.optional(),
    status: PayoutStatus.optional(),
    from: timestampIn.optional().describe('Made at or after this moment.'),
    to: timestampIn.optional().describe('Made before this moment.'),
    ...page,
  }),
  statuses: [200],
  result: z.object({ payouts: z.array(PayoutShape), total: countOut, limit: countOut, offset: countOut }).meta({ id: 'PayoutList' }),
  async handle(ctx, { actor: { programId }, query: { affiliateId, batchId, status, from, to, limit, offset } }) {
    let payouts = ctx.db.selectFrom('payoutItems').where('programId', '=', programId);
    if (affiliateId) payouts = payouts.where('affiliateId', '=', affiliateId);
    if (batchId) payouts = payouts.where('batchId', '=', batchId);
    if (status) payouts = payouts.where('status', 'in', keptStatuses(status));
    if (from) payouts = payouts.where('createdAt', '>=', from);
    if (to) payouts = payouts.where('createdAt', '<', to);
    const { total } = await payouts.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const rows = await payouts.selectAll().orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(limit).offset(offset).execute();
    return { payouts: rows.map(toPayout), total, limit, offset };
  },
});

const Line = z.object({ commissionId: uuidOut, cents: centsOut.describe('Below 0 where a debt was netted.') });
const Step = z.object({
  at: timestampOut,
  status: PayoutStatus,
  source: z.string().describe('Who said so: a key, a schedule, the rail, an event of it.'),
  reason: z.string().nullable(),
});

export const getPayout = endpoint({
  id: 'payouts.get',
  route: 'GET /v1/programs/:programId/payouts/:id',
  scope: 'read',
  tag: 'Payouts',
  summary: 'Get a payout, what it is made of, and its history',
  path: { id: payoutSlot },
  statuses: [200],
  result: PayoutShape.extend({ lines: z.array(Line), history: z.array(Step) }).meta({ id: 'PayoutDetail' }),
  async handle(ctx, { actor: { programId }, params: { id } }) {
    const items = ctx.db.selectFrom('payoutItems').selectAll().where('programId', '=', programId);
    const item = await items.where('id', '=', id).executeTakeFirstOrThrow();
    const lines = ctx.db.selectFrom('payoutLines').select(['commissionId', 'cents']).where('programId', '=', programId);
    const steps = ctx.db.selectFrom('payoutEvents').selectAll().where('programId', '=', programId).where('itemId', '=', id).orderBy('step');
    return {
      ...toPayout(item),
      lines: await lines.where('itemId', '=', id).orderBy('commissionId').execute(),
      history: (await steps.execute()).map(({ createdAt, toStatus, source, reason }) => ({
        ...{ at: createdAt.toISOString(), status: shownStatus(toStatus), source, reason },
      })),
    };
  },
});
