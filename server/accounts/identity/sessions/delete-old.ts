import { sql } from 'kysely';
import { sharedRetentionJob } from '../../../platform/queue/retention-job.ts';

/** Where a user was signed in is shown to them for this time. */
export const sessionRetentionDays = 30;

/** Deletes sessions thirty days after they expired, with the browser and the network that they name. */
export const deleteOldSessions = sharedRetentionJob({
  name: 'identity.deleteOldSessions',
  cron: '37 3 * * *',
  days: sessionRetentionDays,
  rowsPerStatement: 2000,
  change: ({ oldest, limit }) => sql`
    delete from sessions where ctid = any(array(
      select ctid from sessions where expires_at < ${oldest} limit ${limit}))`,
});
