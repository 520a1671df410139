import { sql } from 'kysely';
import { changeInBatches } from '../../platform/queue/change-in-batches.ts';
import { job } from '../../platform/queue/job.ts';

const clicksPerStatement = 5000;

/**
 * Erases who clicked after `CLICK_RETENTION_DAYS`: the hash of the address, the user agent, the referrer and the visitor. The
 * click itself stays, so that its affiliate's figures stay exact. A visitor is needed as long as the click can be credited.
 */
export const eraseVisitors = job<Record<string, never>>({
  name: 'tracking.eraseVisitors',
  retries: 3,
  cron: '23 3 * * *',
  async run(ctx) {
    const now = ctx.clock.now();
    const oldest = new Date(now.getTime() - ctx.config.clickRetentionDays * 86_400_000);
    const isCreditable = sql`click.created_at >= ${now}::timestamptz - make_interval(days => program.attribution_window_days)`;
    await changeInBatches(
      ctx,
      clicksPerStatement,
      sql`
        update clicks set ip_hash = null, agent = null, referrer_host = null,
          visitor_id = case when old.is_creditable then visitor_id end
        from (
          select click.program_id, click.id, ${isCreditable} as is_creditable from clicks as click
          join programs as program on program.id = click.program_id
          where click.created_at < ${oldest}
            and (click.visitor_id is not null or click.ip_hash is not null or click.agent is not null or click.referrer_host is not null)
            and (click.ip_hash is not null or click.agent is not null or click.referrer_host is not null or not ${isCreditable})
          limit ${clicksPerStatement}) as old
        where clicks.program_id = old.program_id and clicks.id = old.id`,
    );
  },
});
