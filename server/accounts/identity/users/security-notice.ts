// Notifies users by email that how they sign in has changed, in case it wasn't them. The job is stored in the transaction of
// the change (messaging/emails/kinds/security-notice.ts sends it), so a change that is rolled back sends none.
import type { Tx } from '../../../context.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { jobName } from '../../../platform/queue/job.ts';

export type SecurityEvent =
  | 'passkey_added'
  | 'passkey_removed'
  | 'authenticator_added'
  | 'authenticator_removed'
  | 'recovery_codes_replaced';

export type SecurityNotice = {
  /** Becomes the Message-ID, so that a repetition can be recognized. */
  id: string;
  userId: string;
  event: SecurityEvent;
  /** The name of the passkey, as the user chose it. */
  name: string | null;
  at: string;
};

export const securityNoticeJob = jobName<SecurityNotice>('identity.send_security_notice');

/** Queues the email about one change, unless no mail server is configured. */
export async function notifyUser(tx: Tx, userId: string, event: SecurityEvent, name: string | null = null): Promise<void> {
  if (!tx.mailer) return;
  const notice = { id: tx.ids.uuid(), userId, event, name, at: systemTime(tx).toISOString() };
  await tx.jobs.enqueue(tx, securityNoticeJob, notice);
}
