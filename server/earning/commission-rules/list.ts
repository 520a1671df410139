import { z } from 'zod';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { countOut, optionalLine, page, uuid } from '../../platform/http/declaration/fields.ts';
import { foldCase } from '../../platform/lib/text.ts';
import { RuleShape, toRuleShape } from './rule.ts';

export const listRules = endpoint({
  id: 'commissionRules.list',
  route: 'GET /v1/programs/:programId/commission-rules',
  scope: 'read',
  tag: 'Commission rules',
  summary: 'List commission rules',
  description: 'Newest first.',
  query: z.object({
    status: z.enum(['active', 'archived']).optional(),
    search: optionalLine(200).optional().describe('A part of the name.'),
    productId: uuid.optional(),
    groupId: uuid.optional(),
    affiliateId: uuid.optional(),
    ...page,
  }),
  statuses: [200],
  result: z
    .object({ commissionRules: z.array(RuleShape), total: countOut, limit: countOut, offset: countOut })
    .meta({ id: 'CommissionRuleList' }),
  async handle(ctx, { actor, query: { limit, offset, search, ...filter } }) {
    let rules = ctx.db.selectFrom('commissionRules').where('programId', '=', actor.programId);
    for (const column of ['status', 'productId', 'groupId', 'affiliateId'] as const) {
      const value = filter[column];
      if (value !== undefined) rules = rules.where(column, '=', value);
    }
    if (search) rules = rules.where((where) => where(where.fn('strpos', ['search', where.val(foldCase(search))]), '>', 0));
    const { total } = await rules.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const rows = await rules.selectAll().orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(limit).offset(offset).execute();
    const now = ctx.clock.now();
    return { commissionRules: rows.map((row) => toRuleShape(row, now)), total, limit, offset };
  },
});
