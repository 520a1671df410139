import { sql } from 'kysely';
import { retentionJob } from '../../../platform/queue/retention-job.ts';

/** Deletes embeds a week after their creation. Their tokens and sessions have expired long before. */
export const deleteOldEmbeds = retentionJob({
  name: 'embeds.deleteOld',
  cron: '51 3 * * *',
  days: 7,
  rowsPerStatement: 2000,
  change: ({ programId, oldest, limit }) => sql`
    delete from embeds where program_id = ${programId} and ctid = any(array(
      select ctid from embeds where program_id = ${programId} and created_at < ${oldest} limit ${limit}
    ))`,
});
