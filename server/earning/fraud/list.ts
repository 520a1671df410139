import { z } from 'zod';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { countOut, page, uuid } from '../../platform/http/declaration/fields.ts';
import { FraudEventShape, FraudStatus, toFraudEvent } from './fraud-event.ts';

export const listFraudEvents = endpoint({
  id: 'fraudEvents.list',
  route: 'GET /v1/programs/:programId/fraud-events',
  scope: 'read',
  tag: 'Fraud',
  summary: 'List fraud events',
  description: 'Newest first.',
  query: z.object({ status: FraudStatus.optional(), affiliateId: uuid.optional(), conversionId: uuid.optional(), ...page }),
  statuses: [200],
  result: z
    .object({ fraudEvents: z.array(FraudEventShape), total: countOut, limit: countOut, offset: countOut })
    .meta({ id: 'FraudEventList' }),
  async handle(ctx, { actor, query: { limit, offset, ...filter } }) {
    let events = ctx.db.selectFrom('fraudEvents').where('programId', '=', actor.programId);
    for (const column of ['status', 'affiliateId', 'conversionId'] as const) {
      const value = filter[column];
      if (value !== undefined) events = events.where(column, '=', value);
    }
    const { total } = await events.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const rows = await events.selectAll().orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(limit).offset(offset).execute();
    return { fraudEvents: rows.map(toFraudEvent), total, limit, offset };
  },
});
