import { sql } from 'kysely';
import { retentionJob } from '../../platform/queue/retention-job.ts';

/** How long events can be read and sent again. */
export const eventRetentionDays = 90;

/**
 * Deletes events after 90 days. The newest event of each program stays, so that a reader who starts later gets a
 * cursor. The numbers of an object's events continue.
 */
export const deleteOldEvents = retentionJob({
  name: 'events.deleteOld',
  cron: '41 3 * * *',
  days: eventRetentionDays,
  rowsPerStatement: 10_000,
  // The oldest are at the start of the log, so nothing else is read.
  change: ({ programId, oldest, limit }) => sql`
    delete from events where program_id = ${programId} and ctid = any(array(
      select ctid from (
        select ctid, created_at from events where program_id = ${programId}
          and position < (select max(position) from events where program_id = ${programId}) order by position limit ${limit}
      ) as first where created_at < ${oldest}
    ))`,
});
