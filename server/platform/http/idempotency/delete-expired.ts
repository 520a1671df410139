import { sql } from 'kysely';
import { retentionJob } from '../../queue/retention-job.ts';

/** Deletes idempotency keys after 30 days, program by program. They can then be used for another request. */
export const deleteExpiredIdempotencyKeys = retentionJob({
  name: 'idempotency.forget',
  cron: '17 3 * * *',
  days: 30,
  rowsPerStatement: 5000,
  change: ({ programId, oldest, limit }) => sql`
    delete from idempotency_keys where program_id = ${programId} and ctid = any(array(
      select ctid from idempotency_keys where program_id = ${programId} and created_at < ${oldest} limit ${limit}))`,
});
