// What became of the emails of announcements.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { optedOutReason } from '../../messaging/emails/opt-out/may-send.ts';
import { countOut } from '../../platform/http/declaration/fields.ts';

export const AnnouncementResults = z
  .object({
    queued: countOut.describe('Emails that wait to be sent.'),
    sent: countOut.describe('Emails that the mail server accepted.'),
    optedOut: countOut.describe('Affiliates who opted out of announcements, and got none.'),
    failed: countOut.describe('Emails that were rejected or not confirmed, and addresses that do not accept emails.'),
    cancelled: countOut.describe('Emails that were cancelled before they were sent.'),
    stored: countOut.describe('Emails that were not sent, because no mail server is configured.'),
  })
  .meta({ id: 'AnnouncementResults' });
export type Results = z.output<typeof AnnouncementResults>;

export const noResults: Results = { queued: 0, sent: 0, optedOut: 0, failed: 0, cancelled: 0, stored: 0 };

type Row = { auditId: string; outcome: keyof Results; emails: number };
type Started = { auditId: string | null };

/** The results of one announcement; all are zero before it is started. */
export async function readResults(ctx: Pick<Context, 'db'>, programId: string, announcement: Started): Promise<Results> {
  return (await findResults(ctx, programId, [announcement]))(announcement);
}

/** The results of these announcements, in one query. */
export async function findResults(
  { db }: Pick<Context, 'db'>,
  programId: string,
  announcements: readonly Started[],
): Promise<(announcement: Started) => Results> {
  const changeIds = announcements.flatMap(({ auditId }) => auditId ?? []);
  if (changeIds.length === 0) return () => noResults;
  const { rows } = await sql<Row>`
    select audit_id, case
        when status = 'suppressed' and last_error = ${optedOutReason} then 'optedOut'
        when status in ('suppressed', 'unconfirmed') then 'failed'
        else status end as outcome, count(*) as emails
    from emails
    where program_id = ${programId} and audit_id = any(${changeIds}::uuid[]) and kind = 'announcement'
    group by audit_id, outcome`.execute(db);
  const found = Map.groupBy(rows, ({ auditId }) => auditId);
  return ({ auditId }) => {
    const counted = (found.get(auditId ?? '') ?? []).map(({ outcome, emails }) => [outcome, emails]);
    return { ...noResults, ...Object.fromEntries(counted) };
  };
}
