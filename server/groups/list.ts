import { z } from 'zod';
import { endpoint } from '../http/endpoint.ts';
import { countOut, page } from '../http/fields.ts';
import { GroupShape, toGroup } from './group.ts';

export const listGroups = endpoint({
  id: 'groups.list',
  route: 'GET /v1/programs/:programId/groups',
  scope: 'read',
  tag: 'Groups',
  summary: 'List groups',
  description: 'Newest first.',
  query: z.object(page),
  statuses: [200],
  result: z.object({ groups: z.array(GroupShape), total: countOut, limit: countOut, offset: countOut }).meta({ id: 'GroupList' }),
  async handle(ctx, { actor, query: { limit, offset } }) {
    const groups = ctx.db.selectFrom('groups').where('programId', '=', actor.programId);
    const { total } = await groups.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const rows = await groups.selectAll().orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(limit).offset(offset).execute();
    return { groups: rows.map(toGroup), total, limit, offset };
  },
});
