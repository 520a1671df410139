import { sql } from 'kysely';
import { changeInBatches } from '../../platform/queue/change-in-batches.ts';
import { job } from '../../platform/queue/job.ts';

const emailsPerStatement = 2000;

/**
 * Erases what emails said after `EMAIL_RETENTION_DAYS`. The row stays: it proves that an approval or a notice was sent, when
 * and to whom. Emails that wait to be sent keep their text.
 */
export const eraseEmailBodies = job<Record<string, never>>({
  name: 'emails.eraseBodies',
  retries: 3,
  cron: '29 3 * * *',
  async run(ctx) {
    const oldest = new Date(ctx.clock.now().getTime() - ctx.config.emailRetentionDays * 86_400_000);
    await changeInBatches(
      ctx,
      emailsPerStatement,
      sql`
        update emails set text_body = '', html_body = '' where ctid = any(array(
          select ctid from emails where html_body <> '' and created_at < ${oldest} and status <> 'queued' limit ${emailsPerStatement}
        ))`,
    );
  },
});
