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
  change: ({ oldest, limit }) => sql`
    delete from events where ctid = any(array(
      select event.ctid from events as event where created_at < ${oldest} and exists (
        select from events as newer
        where newer.program_id = event.program_id and newer.position > event.position
      ) limit ${limit}
    ))`,
});
