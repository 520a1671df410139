import { sql } from 'kysely';
import { retentionJob } from '../queue/retention-job.ts';

/** Deletes logged requests after the days of `REQUEST_LOG_DAYS`. */
export const deleteOldRequests = retentionJob({
  name: 'requests.deleteOld',
  cron: '23 * * * *',
  days: ({ config }) => config.requestLogDays,
  rowsPerStatement: 5000,
  change: ({ programId, oldest, limit }) => sql`
    delete from logged_requests where program_id = ${programId} and ctid = any(array(
      select ctid from logged_requests where program_id = ${programId} and created_at < ${oldest} order by created_at limit ${limit}
    ))`,
});
