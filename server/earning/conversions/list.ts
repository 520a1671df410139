// Conversions, filtered, newest first, with what they earn.
import { z } from 'zod';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { externalIdentifier } from '../../platform/http/declaration/external-identifier.ts';
import { countOut, page, timestampIn, uuid } from '../../platform/http/declaration/fields.ts';
import { ConversionShape, ConversionStatus, conversionSlot, readConversions } from './conversion.ts';

export const listConversions = endpoint({
  id: 'conversions.list',
  route: 'GET /v1/programs/:programId/conversions',
  scope: 'read',
  tag: 'Conversions',
  summary: 'List conversions',
  description: 'Newest first.',
  query: z.object({
    affiliateId: uuid.optional(),
    couponId: uuid.optional(),
    orderId: externalIdentifier(255).optional(),
    status: ConversionStatus.optional().describe('Conversions with a commission in this status.'),
    conflict: z.enum(['true', 'false']).optional().describe('Orders that somebody else could have been credited for.'),
    from: timestampIn.optional().describe('Ordered at or after.'),
    to: timestampIn.optional().describe('Ordered before.'),
    ...page,
  }),
  statuses: [200],
  result: z
    .object({ conversions: z.array(ConversionShape), total: countOut, limit: countOut, offset: countOut })
    .meta({ id: 'ConversionList' }),
  async handle(ctx, { actor, query: { limit, offset, ...filter } }) {
    const { programId } = actor;
    let found = ctx.db.selectFrom('conversions as conversion').where('conversion.programId', '=', programId);
    for (const column of ['affiliateId', 'couponId', 'orderId'] as const) {
      const value = filter[column];
      if (value !== undefined) found = found.where(`conversion.${column}`, '=', value);
    }
    if (filter.from) found = found.where('conversion.occurredAt', '>=', filter.from);
    if (filter.to) found = found.where('conversion.occurredAt', '<', filter.to);
    if (filter.conflict) found = found.where('conversion.conflict', filter.conflict === 'true' ? 'is not' : 'is', null);
    const { status } = filter;
    if (status)
      found = found.where(({ exists, selectFrom }) =>
        exists(
          selectFrom('commissions as commission')
            .select('commission.id')
            .where('commission.programId', '=', programId)
            .whereRef('commission.conversionId', '=', 'conversion.id')
            .where('commission.status', '=', status),
        ),
      );
    const { total } = await found.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const newest = found.select('conversion.id').orderBy('conversion.createdAt', 'desc').orderBy('conversion.id', 'desc');
    const ids = await newest.limit(limit).offset(offset).execute();
    const conversions = await readConversions(
      ctx,
      programId,
      ids.map(({ id }) => id),
    );
    return { conversions, total, limit, offset };
  },
});

export const getConversion = endpoint({
  id: 'conversions.get',
  route: 'GET /v1/programs/:programId/conversions/:id',
  scope: 'read',
  tag: 'Conversions',
  summary: 'Get a conversion',
  path: { id: conversionSlot },
  statuses: [200],
  result: ConversionShape,
  async handle(ctx, { actor, params }) {
    const [conversion] = await readConversions(ctx, actor.programId, [params.id]);
    if (!conversion) throw new Error('A conversion that was found is gone.');
    return conversion;
  },
});
