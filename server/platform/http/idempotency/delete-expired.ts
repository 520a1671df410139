import { job } from '../../queue/job.ts';

const keepDays = 30;

/** Answers are kept for 30 days; after that a key may be used anew. */
export const deleteExpiredIdempotencyKeys = job<Record<string, never>>({
  name: 'idempotency.forget',
  retries: 3,
  cron: '17 3 * * *',
  async run(ctx) {
    const oldest = new Date(ctx.clock.now().getTime() - keepDays * 86_400_000);
    await ctx.db.deleteFrom('idempotencyKeys').where('createdAt', '<', oldest).execute();
  },
});
