import { sql } from 'kysely';
import { z } from 'zod';
import { containsWordsUnfolded, searchField } from '../../accounts/programs/search.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { uuid } from '../../platform/http/declaration/fields.ts';
import { cursorPage } from '../../platform/http/declaration/list-cursor.ts';
import { cursorListOf, findPage, oneOf, severalOf, sortBy, timeRange, withinRange } from '../../platform/http/declaration/lists.ts';
import { ResourceKind, ResourceShape, ResourceStatus, readResource, resourceSlot, toResource } from './resource.ts';

export const listResources = endpoint({
  id: 'resources.list',
  route: 'GET /v1/programs/:programId/resources',
  scope: 'read',
  tag: 'Resources',
  summary: 'List resources',
  query: z.object({
    kind: oneOf(ResourceKind),
    status: oneOf(ResourceStatus),
    groupId: severalOf(uuid).describe('Only resources that are restricted to one of these groups.'),
    search: searchField('Matches part of the title'),
    ...timeRange('created'),
    ...cursorPage,
    sort: sortBy('createdAt', 'title', 'position'),
  }),
  statuses: [200],
  result: cursorListOf('resources', ResourceShape, 'ResourceList'),
  async handle(ctx, { actor: { programId }, query }) {
    const { kind, status, groupId, search, createdFrom, createdTo, limit, offset } = query;
    let resources = ctx.db.selectFrom('resources').where('programId', '=', programId);
    if (kind) resources = resources.where('kind', 'in', kind);
    if (status) resources = resources.where('status', 'in', status);
    if (groupId) resources = resources.where(sql<boolean>`group_ids && ${groupId}::uuid[]`);
    if (search) resources = resources.where(containsWordsUnfolded(sql`title`, search));
    resources = resources.where(withinRange('createdAt', createdFrom, createdTo));
    const { rows, total, nextCursor } = await findPage(resources, query, (found) => found.selectAll());
    return { resources: rows.map(toResource), total, limit, offset, nextCursor };
  },
});

export const getResource = endpoint({
  id: 'resources.get',
  route: 'GET /v1/programs/:programId/resources/:id',
  scope: 'read',
  tag: 'Resources',
  summary: 'Get a resource',
  path: { id: resourceSlot },
  statuses: [200],
  result: ResourceShape,
  handle: (ctx, { actor: { programId }, params: { id } }) => readResource(ctx, programId, id),
});
