import type { Context } from '../../../context.ts';
import { transact } from '../../../platform/db/transact.ts';
import { createVerification, enterUrl } from '../verification/create.ts';

type Sent = { programId: string; changeId: string };

/** A new sign-in link for the invitation that an audit event concerns; null if the invitation is no longer open. */
export async function createInvitationLink(ctx: Context, { programId, changeId }: Sent): Promise<string | null> {
  return transact(ctx, async (tx) => {
    const invitation = await tx.db
      .selectFrom('memberInvitations')
      .innerJoin('auditLog', 'auditLog.subjectId', 'memberInvitations.id')
      .select(['email', 'emailKey'])
      .where('auditLog.programId', '=', programId)
      .where('auditLog.id', '=', changeId)
      .where('memberInvitations.programId', '=', programId)
      .where('acceptedAt', 'is', null)
      .where('revokedAt', 'is', null)
      .where('expiresAt', '>', tx.clock.now())
      .executeTakeFirst();
    if (!invitation) return null;
    const { token } = await createVerification(tx, { ...invitation, purpose: 'invitation', userId: null });
    return enterUrl(tx, token);
  });
}
