import { z } from 'zod';
import { recordChange } from '../audit/record.ts';
import { endpoint } from '../http/endpoint.ts';
import { foldCase } from '../lib/text.ts';
import { GroupShape, groupFields, groupSlot, toGroup } from './group.ts';

export const updateGroup = endpoint({
  id: 'groups.update',
  route: 'PATCH /v1/programs/:programId/groups/:id',
  scope: 'write',
  tag: 'Groups',
  summary: 'Update a group',
  path: { id: groupSlot },
  body: z
    .object(groupFields)
    .partial()
    .meta({ id: 'GroupUpdate', example: { name: 'Platinum' } }),
  statuses: [200],
  result: GroupShape,
  refusals: { 409: 'A group with this name already exists in the program.' },
  async handle(tx, { actor, params, body }) {
    const group = await tx.db
      .updateTable('groups')
      .set({
        ...(body.name !== undefined && { name: body.name, nameKey: foldCase(body.name) }),
        ...(body.description !== undefined && { description: body.description }),
        updatedAt: tx.clock.now(),
      })
      .where('programId', '=', actor.programId)
      .where('id', '=', params.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordChange(tx, {
      programId: actor.programId,
      doer: { kind: 'api_key', id: actor.keyId },
      action: 'group.updated',
      subjectId: group.id,
      after: body,
    });
    return toGroup(group);
  },
});
