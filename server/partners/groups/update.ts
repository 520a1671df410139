// Updating a group. Archiving it is a change of `status`, and can move its affiliates to another group.

import { z } from 'zod';
import { outdatedError, readVersion, requireVersion, versionHint } from '../../accounts/programs/version.ts';
import type { Tx } from '../../context.ts';
import { recordEvent } from '../../messaging/events/record.ts';
import { difference } from '../../platform/audit/difference.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { recordValues } from '../../platform/db/recorded-values.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { uuid } from '../../platform/http/declaration/fields.ts';
import { Invalid, NotFound } from '../../platform/lib/errors.ts';
import { foldCase } from '../../platform/lib/text.ts';
import { moveMembers } from '../affiliates/move-group.ts';
import { groupExists } from './create.ts';
import { groupChanged } from './events.ts';
import { GroupShape, GroupStatus, getGroup, groupFields, groupSlot, lockGroup, versionOf } from './group.ts';

const Change = z
  .object({
    ...groupFields,
    status: GroupStatus.describe('`archived`: the group accepts no new affiliates.'),
    moveToGroupId: uuid
      .nullable()
      .describe(
        'Only with `status: "archived"`: the group that the affiliates move to; null for none. By default, they stay in the ' +
          'archived group.',
      ),
  })
  .partial()
  .meta({ id: 'GroupUpdate', example: { name: 'Platinum' } });

export const updateGroup = endpoint({
  id: 'groups.update',
  route: 'PATCH /v1/programs/:programId/groups/:id',
  scope: 'write',
  requires: 'terms.write',
  tag: 'Groups',
  summary: 'Update a group',
  description: `Omitted fields keep their value. Existing commissions keep their hold period. ${versionHint}`,
  path: { id: groupSlot },
  body: Change,
  statuses: [200],
  result: GroupShape,
  errors: [
    groupExists,
    { status: 404, code: 'not_found', when: '`moveToGroupId` was not found in this program, or is archived.' },
    outdatedError('stale_group', 'group'),
  ],
  async handle(tx, { actor, caller, params: { id }, body: { moveToGroupId, ...given } }) {
    const { programId } = actor;
    checkMove(id, given.status, moveToGroupId);
    if (given.status === 'archived') await lockAgainstNewMembers(tx, programId, { id, target: moveToGroupId ?? null });
    const before = await lockGroup(tx, programId, id);
    const object = { programId, id, version: versionOf(before), noun: 'group', code: 'stale_group' };
    await requireVersion(tx, object, readVersion(caller.headers['if-match']));
    const change = difference(before, given);
    if (change) {
      const nameKey = change.after.name === undefined ? {} : { nameKey: foldCase(change.after.name) };
      const groups = tx.db.updateTable('groups').set({ ...change.after, ...nameKey, updatedAt: tx.clock.now() });
      await groups.where('programId', '=', programId).where('id', '=', id).execute();
      await recordValues(tx, 'groups', programId, [id]);
      await recordChange(tx, { programId, actor, action: 'group.updated', subjectId: id, ...change });
    }
    if (moveToGroupId !== undefined) await moveMembers(tx, { programId, actor }, { from: id, to: moveToGroupId });
    const group = await getGroup(tx, actor, id);
    if (change) await recordEvent(tx, { programId, actor }, groupChanged.of({ objectId: id, data: group, previous: change.before }));
    return group;
  },
});

function checkMove(id: string, status: string | undefined, moveToGroupId: string | null | undefined): void {
  if (moveToGroupId === undefined) return;
  const message = moveToGroupId === id ? 'must not be the group itself' : 'is only allowed when `status` is `archived`';
  if (moveToGroupId === id || status !== 'archived') throw new Invalid([{ path: ['moveToGroupId'], message }]);
}

/**
 * Locks the group, and the one its affiliates move to, against new affiliates until the commit: one that is joining
 * right now has either joined before or is rejected after.
 */
async function lockAgainstNewMembers(tx: Tx, programId: string, { id, target }: { id: string; target: string | null }): Promise<void> {
  const groups = tx.db.selectFrom('groups').select(['id', 'status']).where('programId', '=', programId);
  const rows = await groups
    .where('id', 'in', target === null ? [id] : [id, target])
    .orderBy('id')
    .forUpdate()
    .execute();
  const destination = rows.find((row) => row.id === target);
  if (target !== null && destination?.status !== 'active') throw new NotFound('moveToGroupId');
}
