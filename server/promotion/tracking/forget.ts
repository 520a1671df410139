import { sql } from 'kysely';
import { job } from '../../platform/queue/job.ts';
import { dayOf } from './recording/addresses.ts';

const saltDays = 2;

/** Throws away keys of past days, so that no hash leads back to an address, and windows that are over. */
export const forgetVisitors = job<Record<string, never>>({
  name: 'tracking.forget',
  retries: 3,
  cron: '7 * * * *',
  async run(ctx) {
    const now = ctx.clock.now();
    const oldestDay = dayOf(new Date(now.getTime() - saltDays * 86_400_000));
    await sql`delete from tracking_salts where day <= ${oldestDay}::date`.execute(ctx.db);
    await sql`delete from click_windows where window_start < ${new Date(now.getTime() - 2 * 3_600_000)}`.execute(ctx.db);
    await sql`delete from click_repeats where expires_at < ${now}`.execute(ctx.db);
  },
});
