// Mails are rows first: written in the transaction of the change they tell of, then sent by a job.
// A crash between the mail server's answer and our commit can repeat one mail, with the same
// Message-ID; everything else happens exactly once.
import type { Tx } from '../context.ts';
import { job } from '../jobs/job.ts';
import type { Letter } from './layout.ts';

type NewEmail = {
  programId: string;
  /** The audit row of the change; one change sends one mail of a kind. */
  changeId: string;
  affiliateId: string;
  kind: 'invitation' | 'approval';
  to: string;
  letter: Letter;
};

/** Writes the mail and asks for it to be sent; without a mail server it is kept to be read. */
export async function queueEmail(tx: Tx, { programId, changeId, affiliateId, kind, to, letter }: NewEmail): Promise<void> {
  const emailId = tx.ids.uuid();
  await tx.db
    .insertInto('emails')
    .values({
      programId,
      id: emailId,
      auditId: changeId,
      affiliateId,
      kind,
      toAddress: to,
      subject: letter.subject,
      textBody: letter.text,
      htmlBody: letter.html,
      status: tx.mailer ? 'queued' : 'kept',
      createdAt: tx.clock.now(),
    })
    .execute();
  if (tx.mailer) await tx.jobs.enqueue(tx, { name: 'emails.send' }, { programId, emailId });
}

export const sendEmail = job<{ programId: string; emailId: string }>({
  name: 'emails.send',
  retries: 10,
  async run(ctx, { programId, emailId }, { isLast }) {
    const email = await ctx.db
      .selectFrom('emails')
      .selectAll()
      .where('programId', '=', programId)
      .where('id', '=', emailId)
      .where('status', '=', 'queued')
      .executeTakeFirst();
    if (!email) return; // Sent by an earlier try.
    if (!ctx.mailer) throw new Error('No mail server is set any more (SMTP_URL).');
    const note = (change: { status?: string; sentAt?: Date; lastError: string | null }) =>
      ctx.db.updateTable('emails').set(change).where('programId', '=', programId).where('id', '=', emailId).execute();
    try {
      await ctx.mailer.send({
        messageId: `<${emailId}@tributary>`,
        from: ctx.config.mailFrom,
        to: email.toAddress,
        subject: email.subject,
        text: email.textBody,
        html: email.htmlBody,
      });
    } catch (error) {
      await note({ lastError: error instanceof Error ? error.message : String(error), ...(isLast && { status: 'failed' }) });
      throw error;
    }
    await note({ status: 'sent', sentAt: ctx.clock.now(), lastError: null });
  },
});
