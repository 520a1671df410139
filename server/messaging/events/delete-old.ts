import { sql } from 'kysely';
import { changeInBatches } from '../../platform/queue/change-in-batches.ts';
import { job } from '../../platform/queue/job.ts';

/** How long events can be read and sent again. */
export const eventRetentionDays = 90;

const eventsPerStatement = 10_000;

/**
 * Deletes events after 90 days. The newest event of each program stays, so that the cursor of a reader who has read
 * everything stays valid. The numbers of an object's events continue.
 */
export const deleteOldEvents = job<Record<string, never>>({
  name: 'events.deleteOld',
  retries: 3,
  cron: '41 3 * * *',
  async run(ctx) {
    const oldest = new Date(ctx.clock.now().getTime() - eventRetentionDays * 86_400_000);
    await changeInBatches(
      ctx,
      eventsPerStatement,
      sql`
        delete from events where ctid = any(array(
          select event.ctid from events as event where created_at < ${oldest} and exists (
            select from events as newer
            where newer.program_id = event.program_id and (newer.position, newer.id) > (event.position, event.id)
          ) limit ${eventsPerStatement}
        ))`,
    );
  },
});
