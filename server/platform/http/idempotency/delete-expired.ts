import { sql } from 'kysely';
import { job } from '../../queue/job.ts';
import { changeInBatches } from '../../queue/retention-job.ts';

const retentionDays = 30;
const keysPerStatement = 5000;

/** Deletes idempotency keys after 30 days, program by program. They can then be used for another request. */
export const deleteExpiredIdempotencyKeys = job<Record<string, never>>({
  name: 'idempotency.forget',
  retries: 3,
  cron: '17 3 * * *',
  async run(ctx) {
    const oldest = new Date(ctx.clock.now().getTime() - retentionDays * 86_400_000);
    for (const { id } of await ctx.db.selectFrom('programs').select('id').execute()) {
      await changeInBatches(
        ctx,
        keysPerStatement,
        sql`
          delete from idempotency_keys where ctid = any(array(
            select ctid from idempotency_keys where program_id = ${id} and created_at < ${oldest} limit ${keysPerStatement}))`,
      );
    }
  },
});
