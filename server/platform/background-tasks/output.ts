// The file that a background task writes, in parts. A part commits with the progress of its step, so that a task which was
// interrupted neither repeats nor omits one.
import { sql } from 'kysely';
import type { Context, Tx } from '../../context.ts';
import { systemTime } from '../lib/clock.ts';
import { retentionJob } from '../queue/retention-job.ts';

/** How long a file can be downloaded. */
export const outputDays = 7;

type Part = { programId: string; taskId: string; number: number; content: string };

/** Adds the next part. Numbers start at 1. */
export async function addOutput(tx: Tx, part: Part): Promise<void> {
  await tx.db
    .insertInto('backgroundTaskOutputs')
    .values({ ...part, createdAt: systemTime(tx) })
    .execute();
}

/** The parts of a finished file in their order, one in memory at a time. */
export async function* readOutput({ db }: Pick<Context, 'db'>, programId: string, taskId: string): AsyncGenerator<string> {
  for (let number = 1; ; number++) {
    const outputs = db.selectFrom('backgroundTaskOutputs').select('content').where('programId', '=', programId);
    const part = await outputs.where('taskId', '=', taskId).where('number', '=', number).executeTakeFirst();
    if (!part) return;
    yield part.content;
  }
}

export const deleteOldOutputs = retentionJob({
  name: 'backgroundTasks.deleteOldOutputs',
  cron: '23 4 * * *',
  days: outputDays,
  rowsPerStatement: 1_000,
  change: ({ programId, oldest, limit }) => sql`
    delete from background_task_outputs where program_id = ${programId} and ctid = any(array(
      select ctid from background_task_outputs where program_id = ${programId} and created_at < ${oldest} limit ${limit}
    ))`,
});
