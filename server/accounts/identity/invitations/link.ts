import type { Tx } from '../../../context.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { createVerification, enterUrl } from '../verification/create.ts';
import type { EmailedLink } from '../verification/emailed-link.ts';

type Sent = { programId: string; changeId: string };

/** A new sign-in link for the invitation that an audit event concerns; null if the invitation is no longer open. */
export async function createInvitationLink(tx: Tx, { programId, changeId }: Sent): Promise<EmailedLink | null> {
  const invitation = await tx.db
    .selectFrom('memberInvitations')
    .innerJoin('auditLog', 'auditLog.subjectId', 'memberInvitations.id')
    .select(['email', 'emailKey'])
    .where('auditLog.programId', '=', programId)
    .where('auditLog.id', '=', changeId)
    .where('memberInvitations.programId', '=', programId)
    .where('acceptedAt', 'is', null)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', systemTime(tx))
    .executeTakeFirst();
  if (!invitation) return null;
  const { token, expiresAt } = await createVerification(tx, { ...invitation, purpose: 'invitation', userId: null });
  return { url: enterUrl(tx, token), expiresAt };
}
