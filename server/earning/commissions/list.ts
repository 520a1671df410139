// Commissions, filtered, newest first; and one with every change it went through.
import { z } from 'zod';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { countOut, page, timestampIn, timestampOut, uuid, uuidOut } from '../../platform/http/declaration/fields.ts';
import { CommissionShape, CommissionStatus, commissionSlot, readCommission, selectCommissions, toCommission } from './commission.ts';

export const listCommissions = endpoint({
  id: 'commissions.list',
  route: 'GET /v1/programs/:programId/commissions',
  scope: 'read',
  tag: 'Commissions',
  summary: 'List commissions',
  description: 'Newest first.',
  query: z.object({
    status: CommissionStatus.optional(),
    affiliateId: uuid.optional(),
    conversionId: uuid.optional(),
    from: timestampIn.optional().describe('Earned at or after.'),
    to: timestampIn.optional().describe('Earned before.'),
    ...page,
  }),
  statuses: [200],
  result: z
    .object({ commissions: z.array(CommissionShape), total: countOut, limit: countOut, offset: countOut })
    .meta({ id: 'CommissionList' }),
  async handle(ctx, { actor, query: { status, affiliateId, conversionId, from, to, limit, offset } }) {
    let commissions = ctx.db.selectFrom('commissions as commission').where('commission.programId', '=', actor.programId);
    if (status) commissions = commissions.where('commission.status', '=', status);
    if (affiliateId) commissions = commissions.where('commission.affiliateId', '=', affiliateId);
    if (conversionId) commissions = commissions.where('commission.conversionId', '=', conversionId);
    if (from) commissions = commissions.where('commission.createdAt', '>=', from);
    if (to) commissions = commissions.where('commission.createdAt', '<', to);
    const { total } = await commissions.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const ids = commissions.select('commission.id').orderBy('commission.createdAt', 'desc').orderBy('commission.id', 'desc');
    const rows = await selectCommissions(ctx, actor.programId)
      .where('commission.id', 'in', ids.limit(limit).offset(offset))
      .orderBy('commission.createdAt', 'desc')
      .orderBy('commission.id', 'desc')
      .execute();
    return { commissions: rows.map(toCommission), total, limit, offset };
  },
});

const EventShape = z
  .object({
    id: uuidOut,
    fromStatus: CommissionStatus.nullable(),
    toStatus: CommissionStatus,
    reason: z.string().nullable(),
    actorKind: z.string(),
    createdAt: timestampOut,
  })
  .meta({ id: 'CommissionEvent' });

export const getCommission = endpoint({
  id: 'commissions.get',
  route: 'GET /v1/programs/:programId/commissions/:id',
  scope: 'read',
  tag: 'Commissions',
  summary: 'Get a commission with its history',
  path: { id: commissionSlot },
  statuses: [200],
  result: CommissionShape.extend({ history: z.array(EventShape).describe('Each change of its status, oldest first.') }).meta({
    id: 'CommissionWithHistory',
  }),
  async handle(ctx, { actor, params }) {
    const { programId } = actor;
    const events = await ctx.db
      .selectFrom('commissionEvents')
      .select(['id', 'fromStatus', 'toStatus', 'reason', 'actorKind', 'createdAt'])
      .where('programId', '=', programId)
      .where('commissionId', '=', params.id)
      .orderBy('step')
      .execute();
    const history = events.map((event) => ({
      ...event,
      fromStatus: CommissionStatus.nullable().parse(event.fromStatus),
      toStatus: CommissionStatus.parse(event.toStatus),
      createdAt: event.createdAt.toISOString(),
    }));
    return { ...(await readCommission(ctx, programId, params.id)), history };
  },
});
