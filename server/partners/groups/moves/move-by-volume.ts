// Moves affiliates to the groups of their volume, once a day after midnight in the program's time zone, and within an hour of a
// change of the settings. A missed day is caught up by the next run; a run that was interrupted continues.
import { sql } from 'kysely';
import { getProgram } from '../../../accounts/programs/program.ts';
import type { Context, Tx } from '../../../context.ts';
import { transact } from '../../../platform/db/transact.ts';
import { localDate } from '../../../platform/lib/zoned-time.ts';
import { forEachProgram } from '../../../platform/queue/each-program.ts';
import { job } from '../../../platform/queue/job.ts';
import { moveAffiliates } from '../../affiliates/move-group.ts';
import { readGroupMoves } from './group-moves.ts';
import { planMoves } from './plan-moves.ts';

const movesPerTransaction = 200;

const name = 'groups.moveByVolume';

export const moveGroupsByVolume = job<Record<string, never>>({
  name,
  retries: 0,
  cron: '7 * * * *',
  run: (ctx) =>
    forEachProgram(ctx, {
      find: (scope) => sql`select program_id from group_moves where is_enabled and ${scope}`,
      run: moveProgram,
    }),
});

/** Moves the affiliates of one program, unless that was done today. */
export async function moveProgram(programId: string, ctx: Context): Promise<void> {
  while (await transact(ctx, (tx) => moveNext(tx, programId, movesPerTransaction)));
}

/** Moves up to `limit` affiliates. False at the end. Processes take turns; the row of the settings decides which day is done. */
export async function moveNext(tx: Tx, programId: string, limit: number): Promise<boolean> {
  const rows = tx.db.selectFrom('groupMoves').select('programId').where('programId', '=', programId);
  if (!(await rows.forUpdate().executeTakeFirst())) return false;
  const { settings, doneOn } = await readGroupMoves(tx, programId);
  const { timezone } = await getProgram(tx, programId);
  const today = localDate(tx.clock.now(), timezone);
  if (!settings.isEnabled || (doneOn !== null && doneOn >= today)) return false;
  const { moves, count } = await planMoves(tx, settings, { programId, timezone, limit });
  await moveAffiliates(tx, { programId, actor: { kind: 'schedule', id: name }, reachedOn: today }, moves);
  if (count > moves.length) return true;
  await tx.db
    .updateTable('groupMoves')
    .set({ doneOn: sql`${today}::date`, lastRunAt: tx.clock.now() })
    .where('programId', '=', programId)
    .execute();
  return false;
}
