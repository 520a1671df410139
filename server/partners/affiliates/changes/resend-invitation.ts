// Sending an invitation again, to an affiliate who has not accepted it.
import { z } from 'zod';
import type { Tx } from '../../../context.ts';
import { sendInvitation } from '../../../messaging/emails/kinds/affiliates/invitation.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { paragraph, timestampOut, uuidOut } from '../../../platform/http/declaration/fields.ts';
import type { Actor } from '../../../platform/lib/actor.ts';
import { InvalidState } from '../../../platform/lib/errors.ts';
import { affiliateSlot, lockAffiliate } from '../affiliate.ts';

const pauseMs = 60_000;

/** Emails the invitation again. Throws unless the affiliate is pending and the last invitation is a minute old. */
export async function resendInvitation(
  tx: Tx,
  actor: Actor & { programId: string },
  { id, message }: { id: string; message?: string | null | undefined },
): Promise<Date> {
  const { programId } = actor;
  const affiliate = await lockAffiliate(tx, programId, id);
  const now = tx.clock.now();
  if (affiliate.status !== 'pending')
    throw new InvalidState('not_pending', `This affiliate is ${affiliate.status}; only pending affiliates can be invited again.`);
  if (affiliate.invitedAt && now.getTime() - affiliate.invitedAt.getTime() < pauseMs)
    throw new InvalidState('invited_recently', 'This affiliate was invited less than a minute ago.');
  await tx.db
    .updateTable('affiliates')
    .set({ invitedAt: now, updatedAt: now })
    .where('programId', '=', programId)
    .where('id', '=', id)
    .execute();
  const after = { invitedAt: now.toISOString() };
  const changeId = await recordChange(tx, { programId, actor, action: 'affiliate.invitation_resent', subjectId: id, after });
  await sendInvitation(tx, { programId, changeId, affiliate, message });
  return now;
}

export const resendAffiliateInvitation = endpoint({
  id: 'affiliates.resendInvitation',
  route: 'POST /app/programs/:programId/affiliates/:id/invitation',
  scope: 'write',
  requires: 'affiliates.write',
  isUserOnly: true,
  tag: 'Affiliate table',
  summary: 'Resend an invitation',
  path: { id: affiliateSlot },
  body: z
    .object({ message: paragraph(2000).nullable().optional().describe('A personal message, above the text of the invitation.') })
    .meta({ id: 'InvitationMessage', example: { message: 'We met at the fair in Berlin.' } }),
  statuses: [200],
  result: z
    .object({ id: uuidOut, invitedAt: timestampOut })
    .meta({ id: 'ResentInvitation', example: { id: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f', invitedAt: '2026-11-20T09:00:00.000Z' } }),
  errors: [
    { status: 400, code: 'not_pending', when: 'The affiliate is not pending.' },
    { status: 400, code: 'invited_recently', when: 'The last invitation is less than a minute old.' },
  ],
  async handle(tx, { actor, params: { id }, body: { message } }) {
    return { id, invitedAt: (await resendInvitation(tx, actor, { id, message })).toISOString() };
  },
});
