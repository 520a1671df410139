import { z } from 'zod';
import { endpoint } from '../http/endpoint.ts';
import { countOut, page } from '../http/fields.ts';
import { anywhere, searchField } from '../programs/search.ts';
import { countMembers, GroupShape, toGroup } from './group.ts';

const Query = z.object({
  search: searchField('Part of the name'),
  archived: z.enum(['true', 'false']).default('false').describe('`true` also lists archived groups.'),
  ...page,
});

export const listGroups = endpoint({
  id: 'groups.list',
  route: 'GET /v1/programs/:programId/groups',
  scope: 'read',
  tag: 'Groups',
  summary: 'List groups',
  description: 'Newest first.',
  query: Query,
  statuses: [200],
  result: z.object({ groups: z.array(GroupShape), total: countOut, limit: countOut, offset: countOut }).meta({ id: 'GroupList' }),
  async handle(ctx, { actor: { programId }, query: { search, archived, limit, offset } }) {
    let groups = ctx.db.selectFrom('groups').where('programId', '=', programId);
    if (archived === 'false') groups = groups.where('archivedAt', 'is', null);
    if (search) groups = groups.where('nameKey', 'like', anywhere(search));
    const { total } = await groups.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const rows = await groups.selectAll().orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(limit).offset(offset).execute();
    const ids = rows.map(({ id }) => id);
    const members = await countMembers(ctx, programId, ids);
    return { groups: rows.map((row) => toGroup(row, members.get(row.id) ?? 0)), total, limit, offset };
  },
});
