import { sql } from 'kysely';
import { changeInBatches } from '../../../platform/queue/change-in-batches.ts';
import { job } from '../../../platform/queue/job.ts';

/** Where a user was signed in is shown to them for this time. */
export const sessionRetentionDays = 30;

const sessionsPerStatement = 2000;

/** Deletes sessions thirty days after they expired, with the browser and the network that they name. */
export const deleteOldSessions = job<Record<string, never>>({
  name: 'identity.deleteOldSessions',
  retries: 3,
  cron: '37 3 * * *',
  async run(ctx) {
    const oldest = new Date(ctx.clock.now().getTime() - sessionRetentionDays * 86_400_000);
    await changeInBatches(
      ctx,
      sessionsPerStatement,
      sql`
        delete from sessions where ctid = any(array(
          select ctid from sessions where expires_at < ${oldest} limit ${sessionsPerStatement}))`,
    );
  },
});
