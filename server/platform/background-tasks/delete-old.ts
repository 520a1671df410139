import { sql } from 'kysely';
import { retentionJob } from '../queue/retention-job.ts';

/** How long the outcome of a task is shown. Its file is deleted earlier. */
const taskRetentionDays = 30;

/** Deletes tasks that ended. Their input and result can name people, such as the filters of an export and the failed lines of an import. */
export const deleteOldTasks = retentionJob({
  name: 'backgroundTasks.deleteOld',
  cron: '41 4 * * *',
  days: taskRetentionDays,
  rowsPerStatement: 2_000,
  change: ({ programId, oldest, limit }) => sql`
    delete from background_tasks where program_id = ${programId} and ctid = any(array(
      select ctid from background_tasks where program_id = ${programId} and finished_at < ${oldest} limit ${limit}))`,
});
