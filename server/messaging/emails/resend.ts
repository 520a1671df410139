// Sending an email again that was not sent, or whose delivery is unknown.

import type { Tx } from '../../context.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { InvalidState, NotFound } from '../../platform/lib/errors.ts';
import { findChoice, findKind } from './kinds/table.ts';
import { EmailShape, toEmail } from './mailbox.ts';
import { clearBounce, readRecipient } from './opt-out/recipient.ts';
import { queueAgain, secretAddress } from './send.ts';

const notResendable = {
  status: 400,
  code: 'not_resendable',
  when: 'The email was sent, is waiting to be sent, or was cancelled; or its text was erased because of its age.',
} as const;
const optedOut = { status: 400, code: 'recipient_opted_out', when: 'The recipient opted out of emails of this kind.' } as const;
const noMailServer = { status: 400, code: 'no_mail_server', when: 'No mail server is configured (SMTP_URL).' } as const;
const unknownAddress = {
  status: 400,
  code: 'address_not_stored',
  when: 'The address is a former payout account, which is not stored.',
} as const;

const resendable = ['failed', 'unconfirmed', 'suppressed', 'stored'];

/** Queues the email again, under its id. An address that did not accept emails gets another attempt. */
export async function resendEmail(tx: Tx, actor: Actor & { programId: string }, id: string) {
  const { programId } = actor;
  const emails = tx.db.selectFrom('emails').selectAll().where('programId', '=', programId).where('id', '=', id);
  const email = await emails.forUpdate().executeTakeFirst();
  if (!email) throw new NotFound();
  const isErased = email.htmlBody === '';
  if (isErased || !resendable.includes(email.status)) throw new InvalidState(notResendable.code, notResendable.when);
  if (email.toAddress === secretAddress) throw new InvalidState(unknownAddress.code, unknownAddress.when);
  if (!tx.mailer) throw new InvalidState(noMailServer.code, noMailServer.when);
  const recipient = { programId, address: email.toAddress };
  const choice = findKind(email.kind).delivery === 'optional' ? findChoice(email.kind) : null;
  const { optedOutKinds } = await readRecipient(tx, recipient);
  if (choice && optedOutKinds.includes(choice)) throw new InvalidState(optedOut.code, optedOut.when);
  await clearBounce(tx, recipient);
  const before = { status: email.status, lastError: email.lastError };
  await recordChange(tx, { programId, actor, action: 'email.resent', subjectId: id, before, after: { status: 'queued' } });
  return queueAgain(tx, { programId, id });
}

export const resendFailedEmail = endpoint({
  id: 'emails.resend',
  route: 'POST /app/programs/:programId/emails/:id/resend',
  scope: 'write',
  requires: 'settings.write',
  isUserOnly: true,
  tag: 'Emails',
  summary: 'Send an email again',
  description:
    'For emails that failed, were suppressed or stored, or whose delivery is unknown. Links that sign in are created again. ' +
    'An address that did not accept emails gets another attempt; one that opted out does not.',
  path: { id: idSlot('emails', 'The email.') },
  statuses: [200],
  result: EmailShape,
  errors: [notResendable, optedOut, noMailServer, unknownAddress],
  handle: async (tx, { actor, params: { id } }) => toEmail(await resendEmail(tx, actor, id)),
});
