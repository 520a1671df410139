// A commission with every change of its status.
import { z } from 'zod';
import { ActorShape, actorExample } from '../../platform/http/declaration/actor-shape.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { expandable } from '../../platform/http/declaration/lists.ts';
import { CommissionStatus } from '../orders/conversion-shape.ts';
import { CommissionShape, commissionExample, commissionSlot, readCommission, readReferences } from './commission.ts';

const EventShape = z
  .object({
    id: uuidOut,
    fromStatus: CommissionStatus.nullable(),
    toStatus: CommissionStatus,
    reason: z.string().nullable(),
    note: z.string().nullable(),
    actor: ActorShape,
    createdAt: timestampOut,
  })
  .meta({ id: 'CommissionEvent' });

const eventExample = {
  id: '01980a53-8e12-7c63-8d5e-2b3c4d5e6f70',
  fromStatus: null,
  toStatus: 'pending',
  reason: null,
  note: null,
  actor: actorExample,
  createdAt: '2026-11-02T09:30:00.000Z',
};

export const getCommission = endpoint({
  id: 'commissions.get',
  route: 'GET /v1/programs/:programId/commissions/:id',
  scope: 'read',
  tag: 'Commissions',
  summary: 'Get a commission with its history',
  path: { id: commissionSlot },
  query: z.object({ expand: expandable('affiliate', 'product', 'rule') }),
  statuses: [200],
  result: CommissionShape.extend({ history: z.array(EventShape).describe('Every change of status, oldest first.') }).meta({
    id: 'CommissionWithHistory',
    example: { ...commissionExample, history: [eventExample] },
  }),
  async handle(ctx, { actor: { programId }, params, query: { expand } }) {
    const events = await ctx.db
      .selectFrom('commissionEvents')
      .select(['id', 'fromStatus', 'toStatus', 'reason', 'note', 'actorKind', 'actorId', 'createdAt'])
      .where('programId', '=', programId)
      .where('commissionId', '=', params.id)
      .orderBy('step')
      .execute();
    const history = events.map(({ actorKind, actorId, ...event }) => ({
      ...event,
      fromStatus: CommissionStatus.nullable().parse(event.fromStatus),
      toStatus: CommissionStatus.parse(event.toStatus),
      actor: ActorShape.parse({ kind: actorKind, id: actorId }),
      createdAt: event.createdAt.toISOString(),
    }));
    const commission = await readCommission(ctx, programId, params.id);
    return { ...commission, ...(await readReferences(ctx, programId, [commission], expand)).get(commission.id), history };
  },
});
