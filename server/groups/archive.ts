// Archiving a group: it takes nobody in any more. Its members stay under its terms unless they are moved.
import { z } from 'zod';
import { moveMembers } from '../affiliates/move-group.ts';
import { recordChange } from '../audit/record.ts';
import type { Tx } from '../context.ts';
import { endpoint } from '../http/endpoint.ts';
import { uuid } from '../http/fields.ts';
import { Invalid, NotFound } from '../lib/errors.ts';
import { GroupShape, getGroup, groupSlot } from './group.ts';

const Archival = z
  .object({
    moveToGroupId: uuid
      .nullable()
      .optional()
      .describe('Where its affiliates go; null is no group. When it is omitted they stay, under its terms.'),
  })
  .meta({ id: 'GroupArchival', example: { moveToGroupId: null } });

export const archiveGroup = endpoint({
  id: 'groups.archive',
  route: 'POST /v1/programs/:programId/groups/:id/archive',
  scope: 'write',
  tag: 'Groups',
  summary: 'Archive a group',
  description: 'An archived group takes nobody in and is left out of the list. Its name stays taken; it can be restored.',
  path: { id: groupSlot },
  body: Archival.optional(),
  statuses: [200],
  result: GroupShape,
  refusals: { 404: 'No such group, or `moveToGroupId` names none in this program that takes affiliates in.' },
  async handle(tx, { actor: { programId, keyId }, params: { id }, body }) {
    const target = body?.moveToGroupId;
    if (target === id) throw new Invalid([{ path: ['moveToGroupId'], message: 'must not be the group itself' }]);
    const archivedAt = await close(tx, programId, { id, target: target ?? null });
    const doer = { kind: 'api_key' as const, id: keyId };
    if (archivedAt === null) {
      const now = tx.clock.now();
      const groups = tx.db.updateTable('groups').set({ archivedAt: now, updatedAt: now }).where('programId', '=', programId);
      await groups.where('id', '=', id).execute();
      await recordChange(tx, { programId, doer, action: 'group.archived', subjectId: id });
    }
    if (target !== undefined) await moveMembers(tx, { programId, doer }, { from: id, to: target });
    return getGroup(tx, programId, id);
  },
});

/**
 * Locks the group, and the one its members go to, against newcomers until the commit: whoever is being
 * taken in at this moment is in before, or refused after. Returns since when it is archived.
 */
async function close(tx: Tx, programId: string, { id, target }: { id: string; target: string | null }): Promise<Date | null> {
  const groups = tx.db.selectFrom('groups').select(['id', 'archivedAt']).where('programId', '=', programId);
  const rows = await groups
    .where('id', 'in', target === null ? [id] : [id, target])
    .orderBy('id')
    .forUpdate()
    .execute();
  const goal = rows.find((row) => row.id === target);
  if (target !== null && (!goal || goal.archivedAt !== null)) throw new NotFound('moveToGroupId');
  return rows.find((row) => row.id === id)?.archivedAt ?? null;
}
