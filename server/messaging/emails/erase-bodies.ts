import { sql } from 'kysely';
import { retentionJob } from '../../platform/queue/retention-job.ts';

/**
 * Erases what emails said after `EMAIL_RETENTION_DAYS`. The row stays: it proves that an approval or a notice was sent, when
 * and to whom. Emails that wait to be sent keep their text.
 */
export const eraseEmailBodies = retentionJob({
  name: 'emails.eraseBodies',
  cron: '29 3 * * *',
  days: (ctx) => ctx.config.emailRetentionDays,
  rowsPerStatement: 2000,
  change: ({ programId, oldest, limit }) => sql`
    update emails set text_body = '', html_body = '' where program_id = ${programId} and ctid = any(array(
      select ctid from emails where program_id = ${programId} and html_body <> '' and created_at < ${oldest} and status <> 'queued' limit ${limit}
    ))`,
});
