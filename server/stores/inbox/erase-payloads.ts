import { sql } from 'kysely';
import { changeInBatches } from '../../platform/queue/change-in-batches.ts';
import { job } from '../../platform/queue/job.ts';

/** How long the body of a processed event is kept: to explain and repeat what it did, and to credit its order late. */
export const payloadRetentionDays = 90;

const eventsPerStatement = 2000;

/** Erases the bodies of old events. Their rows stay: the provider's id of an event shows that it was processed. */
export const eraseEventPayloads = job<Record<string, never>>({
  name: 'inbox.erasePayloads',
  retries: 3,
  cron: '33 3 * * *',
  async run(ctx) {
    const oldest = new Date(ctx.clock.now().getTime() - payloadRetentionDays * 86_400_000);
    await changeInBatches(
      ctx,
      eventsPerStatement,
      sql`
        update provider_events set payload = null where ctid = any(array(
          select ctid from provider_events where payload is not null and status in ('processed', 'ignored', 'failed')
            and created_at < ${oldest} limit ${eventsPerStatement}
        ))`,
    );
  },
});
