import { job } from '../../queue/job.ts';

const retentionDays = 30;

/** Deletes idempotency keys after 30 days. They can then be used for another request. */
export const deleteExpiredIdempotencyKeys = job<Record<string, never>>({
  name: 'idempotency.forget',
  retries: 3,
  cron: '17 3 * * *',
  async run(ctx) {
    const oldest = new Date(ctx.clock.now().getTime() - retentionDays * 86_400_000);
    await ctx.db.deleteFrom('idempotencyKeys').where('createdAt', '<', oldest).execute();
  },
});
