import { sql } from 'kysely';
import { z } from 'zod';
import { containsWordsUnfolded, searchField } from '../../accounts/programs/search.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { cursorPage } from '../../platform/http/declaration/list-cursor.ts';
import { cursorListOf, findPage, oneOf, sortBy, timeRange, withinRange } from '../../platform/http/declaration/lists.ts';
import { countMembers, GroupShape, GroupStatus, toGroup } from './group.ts';

export const listGroups = endpoint({
  id: 'groups.list',
  route: 'GET /v1/programs/:programId/groups',
  scope: 'read',
  tag: 'Groups',
  summary: 'List groups',
  query: z.object({
    status: oneOf(GroupStatus),
    search: searchField('Matches part of the name'),
    ...timeRange('created'),
    ...cursorPage,
    sort: sortBy('createdAt', 'name'),
  }),
  statuses: [200],
  result: cursorListOf('groups', GroupShape, 'GroupList'),
  async handle(ctx, { actor: { programId, currency }, query }) {
    const { status, search, createdFrom, createdTo, limit, offset } = query;
    let groups = ctx.db.selectFrom('groups').where('programId', '=', programId);
    if (status) groups = groups.where('status', 'in', status);
    if (search) groups = groups.where(containsWordsUnfolded(sql`name`, search));
    groups = groups.where(withinRange('createdAt', createdFrom, createdTo));
    const { rows, total, nextCursor } = await findPage(groups, query, (found) => found.selectAll());
    const ids = rows.map(({ id }) => id);
    const members = await countMembers(ctx, programId, ids);
    return {
      groups: rows.map((row) => toGroup(row, { currency, affiliateCount: members.get(row.id) ?? 0 })),
      total,
      limit,
      offset,
      nextCursor,
    };
  },
});
