import { recordChange } from '../audit/record.ts';
import { endpoint } from '../http/endpoint.ts';
import { GroupShape, getGroup, groupSlot, lockGroup } from './group.ts';

export const restoreGroup = endpoint({
  id: 'groups.restore',
  route: 'POST /v1/programs/:programId/groups/:id/restore',
  scope: 'write',
  tag: 'Groups',
  summary: 'Restore an archived group',
  description: 'It takes affiliates in again. Those that were moved when it was archived stay where they are.',
  path: { id: groupSlot },
  statuses: [200],
  result: GroupShape,
  async handle(tx, { actor: { programId, keyId }, params: { id } }) {
    const { archivedAt } = await lockGroup(tx, programId, id);
    if (archivedAt !== null) {
      const groups = tx.db.updateTable('groups').set({ archivedAt: null, updatedAt: tx.clock.now() }).where('programId', '=', programId);
      await groups.where('id', '=', id).execute();
      await recordChange(tx, { programId, doer: { kind: 'api_key', id: keyId }, action: 'group.restored', subjectId: id });
    }
    return getGroup(tx, programId, id);
  },
});
