import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { GroupShape, getGroup, groupSlot } from './group.ts';

export const readGroup = endpoint({
  id: 'groups.get',
  route: 'GET /v1/programs/:programId/groups/:id',
  scope: 'read',
  tag: 'Groups',
  summary: 'Get a group',
  path: { id: groupSlot },
  statuses: [200],
  result: GroupShape,
  handle: (ctx, { actor, params }) => getGroup(ctx, actor, params.id),
});
