// Changes how affiliates move between groups. The next run, within an hour, moves them by the new settings.
import { getProgram } from '../../../accounts/programs/program.ts';
import { outdatedError, readVersion, requireVersion, versionHint } from '../../../accounts/programs/version.ts';
import type { Tx } from '../../../context.ts';
import { difference } from '../../../platform/audit/difference.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { insertRows } from '../../../platform/db/inserts/insert-rows.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import {
  applyChange,
  defaults,
  type GroupMoves,
  GroupMovesChange,
  GroupMovesShape,
  groupNotFound,
  readGroupMoves,
  toGroupMoves,
  versionOf,
} from './group-moves.ts';

export const updateGroupMoves = endpoint({
  id: 'groupMoves.update',
  route: 'PATCH /v1/programs/:programId/group-moves',
  scope: 'write',
  requires: 'terms.write',
  tag: 'Groups',
  summary: 'Update how affiliates move between groups',
  description:
    'Omitted fields keep their value; `steps` replaces all steps. Affiliates are moved within an hour of a change, and then once a ' +
    'day: each active affiliate to the highest group whose volume it reached. An affiliate whose group was chosen by a person can ' +
    'move up from it, but not down. Existing commissions do not change. ' +
    versionHint,
  body: GroupMovesChange,
  statuses: [200],
  result: GroupMovesShape,
  errors: [groupNotFound, outdatedError('stale_group_moves', 'configuration')],
  async handle(tx, { actor, caller, body }) {
    const { programId } = actor;
    await lockSettings(tx, programId);
    const { settings: stored, lastRunAt } = await readGroupMoves(tx, programId);
    const object = { programId, id: programId, version: versionOf(stored), noun: 'group_moves', code: 'stale_group_moves' };
    await requireVersion(tx, { ...object, subject: 'These settings were' }, readVersion(caller.headers['if-match']));
    const settings = await applyChange(tx, { programId, stored }, body);
    const change = difference(stored, settings);
    if (change) {
      await storeSettings(tx, programId, settings);
      await recordChange(tx, { programId, actor, action: 'group_moves.updated', subjectId: programId, ...change });
    }
    return toGroupMoves(settings, { ...(await getProgram(tx, programId)), lastRunAt });
  },
});

/** Changes and runs wait for each other, even before the program has a row. */
async function lockSettings(tx: Tx, programId: string): Promise<void> {
  const { steps: _, ...initial } = defaults;
  await tx.db
    .insertInto('groupMoves')
    .values({ programId, ...initial, updatedAt: tx.clock.now() })
    .onConflict((conflict) => conflict.column('programId').doNothing())
    .execute();
  await tx.db.selectFrom('groupMoves').select('programId').where('programId', '=', programId).forUpdate().executeTakeFirstOrThrow();
}

/** The present day counts as not done, so that what was previewed happens with the next run. */
async function storeSettings(tx: Tx, programId: string, { steps, ...settings }: GroupMoves): Promise<void> {
  const moves = tx.db.updateTable('groupMoves').set({ ...settings, doneOn: null, updatedAt: tx.clock.now() });
  await moves.where('programId', '=', programId).execute();
  await tx.db.deleteFrom('groupMoveSteps').where('programId', '=', programId).execute();
  const rows = steps.map(({ groupId, from }) => ({ programId, groupId, reachedFrom: from }));
  await insertRows(tx, 'groupMoveSteps', rows);
}
