// Commission rules, filtered by what they apply to and by when they are effective.
import { sql } from 'kysely';
import { z } from 'zod';
import { containsWords, searchField } from '../../accounts/programs/search.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { uuid } from '../../platform/http/declaration/fields.ts';
import { cursorPage } from '../../platform/http/declaration/list-cursor.ts';
import { cursorListOf, findPage, oneOf, sortBy, timeRange, withinRange } from '../../platform/http/declaration/lists.ts';
import { expand, findReferences } from './references.ts';
import { EffectiveStatus, RuleShape, RuleStatus, toRuleShape } from './rule.ts';

export const listRules = endpoint({
  id: 'commissionRules.list',
  route: 'GET /v1/programs/:programId/commission-rules',
  scope: 'read',
  tag: 'Commission rules',
  summary: 'List commission rules',
  query: z.object({
    status: oneOf(RuleStatus),
    effectiveStatus: oneOf(EffectiveStatus),
    level: z.enum(['1', '2']).optional(),
    productId: uuid.optional(),
    groupId: uuid.optional(),
    affiliateId: uuid.optional(),
    search: searchField('Matches part of the name'),
    ...timeRange('created'),
    ...cursorPage,
    sort: sortBy('createdAt', 'updatedAt', 'name'),
    expand,
  }),
  statuses: [200],
  result: cursorListOf('commissionRules', RuleShape, 'CommissionRuleList'),
  async handle(ctx, { actor: { programId, currency }, query }) {
    const { status, effectiveStatus, level, search, createdFrom, createdTo, limit, offset } = query;
    const at = ctx.clock.now();
    let rules = ctx.db.selectFrom('commissionRules').where('programId', '=', programId);
    for (const column of ['productId', 'groupId', 'affiliateId'] as const) {
      const id = query[column];
      if (id !== undefined) rules = rules.where(column, '=', id);
    }
    if (status) rules = rules.where('status', 'in', status);
    if (effectiveStatus) rules = rules.where(currentEffectiveStatus(at), 'in', effectiveStatus);
    if (level) rules = rules.where('level', '=', Number(level));
    if (search) rules = rules.where(containsWords(sql`search`, search));
    rules = rules.where(withinRange('createdAt', createdFrom, createdTo));
    const { rows, total, nextCursor } = await findPage(rules, query, (found) => found.selectAll());
    const references = await findReferences(ctx, programId, rows, query.expand);
    return {
      commissionRules: rows.map((row) => ({ ...toRuleShape(row, { currency, at }), ...references(row) })),
      total,
      limit,
      offset,
      nextCursor,
    };
  },
});

/** The same rule as `toEffectiveStatus` in rule.ts. */
function currentEffectiveStatus(at: Date) {
  return sql<string>`case when effective_from > ${at} then 'scheduled' when effective_to <= ${at} then 'ended' else 'effective' end`;
}
