import { sql } from 'kysely';
import { retentionJob } from '../../platform/queue/retention-job.ts';

/** How long the body of a processed event is kept: to explain and repeat what it did, and to credit its order late. */
export const payloadRetentionDays = 90;

/** Erases the bodies of old events. Their rows stay: the provider's id of an event shows that it was processed. */
export const eraseEventPayloads = retentionJob({
  name: 'inbox.erasePayloads',
  cron: '33 3 * * *',
  days: payloadRetentionDays,
  rowsPerStatement: 2000,
  change: ({ programId, oldest, limit }) => sql`
    update provider_events set payload = null where program_id = ${programId} and ctid = any(array(
      select ctid from provider_events where program_id = ${programId} and payload is not null and status in ('processed', 'ignored', 'failed')
        and created_at < ${oldest} limit ${limit}
    ))`,
});
