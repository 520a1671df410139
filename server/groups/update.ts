import { z } from 'zod';
import { difference } from '../audit/difference.ts';
import { recordChange } from '../audit/record.ts';
import { endpoint } from '../http/endpoint.ts';
import { foldCase } from '../lib/text.ts';
import { GroupShape, getGroup, groupFields, groupSlot, lockGroup } from './group.ts';

export const updateGroup = endpoint({
  id: 'groups.update',
  route: 'PATCH /v1/programs/:programId/groups/:id',
  scope: 'write',
  tag: 'Groups',
  summary: 'Update a group',
  description: 'Omitted fields are left untouched. What is earned already keeps its hold.',
  path: { id: groupSlot },
  body: z
    .object(groupFields)
    .partial()
    .meta({ id: 'GroupUpdate', example: { name: 'Platinum' } }),
  statuses: [200],
  result: GroupShape,
  refusals: { 409: 'A group with this name already exists in the program.' },
  async handle(tx, { actor, params, body }) {
    const { programId } = actor;
    const before = await lockGroup(tx, programId, params.id);
    const change = difference(before, body);
    if (change) {
      const { name } = change.after;
      await tx.db
        .updateTable('groups')
        .set({ ...change.after, ...(name !== undefined && { nameKey: foldCase(name) }), updatedAt: tx.clock.now() })
        .where('programId', '=', programId)
        .where('id', '=', before.id)
        .execute();
      const doer = { kind: 'api_key' as const, id: actor.keyId };
      await recordChange(tx, { programId, doer, action: 'group.updated', subjectId: before.id, ...change });
    }
    return getGroup(tx, programId, before.id);
  },
});
