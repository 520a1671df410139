import { transact } from '../../../platform/db/transact.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { job } from '../../../platform/queue/job.ts';

/** As long as the limits of addresses look back, with a margin. */
const keptForMs = 2 * 24 * 60 * 60_000;

/** Deletes links, codes and challenges that can no longer be used, and counts of past hours. */
export const deleteExpiredVerifications = job({
  name: 'identity.delete_expired',
  retries: 2,
  cron: '17 * * * *',
  async run(ctx) {
    const now = systemTime(ctx);
    const before = new Date(now.getTime() - keptForMs);
    await transact(ctx, async ({ db }) => {
      await db.deleteFrom('emailVerifications').where('expiresAt', '<', before).execute();
      await db.deleteFrom('emailRequestCounts').where('endsAt', '<=', now).execute();
      await db.deleteFrom('passkeyChallenges').where('expiresAt', '<', now).execute();
      await db.deleteFrom('singleSignOnAttempts').where('expiresAt', '<', now).execute();
    });
  },
});
