import { sql } from 'kysely';
import { outdateErased } from '../../partners/affiliates/totals/finished-spans.ts';
import { retentionJob } from '../../platform/queue/retention-job.ts';

/**
 * Erases who clicked after `CLICK_RETENTION_DAYS`: the hash of the address, the user agent, the referrer and the visitor. The
 * click itself stays, so that its affiliate's figures stay exact. A visitor is needed as long as the click can be credited.
 */
export const eraseVisitors = retentionJob({
  name: 'tracking.eraseVisitors',
  cron: '23 3 * * *',
  days: (ctx) => ctx.config.clickRetentionDays,
  rowsPerStatement: 5000,
  change({ programId, oldest, limit, now }) {
    const isCreditable = sql`click.created_at >= ${now}::timestamptz - make_interval(days => program.attribution_window_days)`;
    return sql`
      with old as materialized (
        select click.id, click.created_at, ${isCreditable} as is_creditable from clicks as click
        join programs as program on program.id = ${programId}
        where click.program_id = ${programId} and click.created_at < ${oldest}
          and (click.visitor_id is not null or click.ip_hash is not null or click.agent is not null or click.referrer_host is not null)
          and (click.ip_hash is not null or click.agent is not null or click.referrer_host is not null or not ${isCreditable})
        limit ${limit}
      ), outdated as (${outdateErased(programId)})
      update clicks set ip_hash = null, agent = null, referrer_host = null,
        visitor_id = case when old.is_creditable then visitor_id end
      from old
      where clicks.program_id = ${programId} and clicks.id = old.id`;
  },
});
