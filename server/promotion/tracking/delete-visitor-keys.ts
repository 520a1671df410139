import { sql } from 'kysely';
import { toUtcDay } from '../../platform/lib/zoned-time.ts';
import { forEachProgram } from '../../platform/queue/each-program.ts';
import { job } from '../../platform/queue/job.ts';

const saltDays = 2;

/** Deletes the keys of past days, so that hashes can't be traced back to addresses, and expired rate-limit windows. */
export const deleteVisitorKeys = job<Record<string, never>>({
  name: 'tracking.deleteVisitorKeys',
  retries: 3,
  cron: '7 * * * *',
  async run(ctx) {
    const now = ctx.clock.now();
    const oldestDay = toUtcDay(new Date(now.getTime() - saltDays * 86_400_000));
    await sql`delete from tracking_salts where day <= ${oldestDay}::date`.execute(ctx.db);
    const oldestStart = new Date(now.getTime() - 2 * 3_600_000);
    await forEachProgram(ctx, {
      async run(programId) {
        await sql`delete from click_windows where program_id = ${programId} and window_start < ${oldestStart}`.execute(ctx.db);
        await sql`delete from click_repeats where program_id = ${programId} and expires_at < ${now}`.execute(ctx.db);
      },
    });
  },
});
