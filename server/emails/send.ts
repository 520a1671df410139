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
  /** Null for an email to the program itself. */
  affiliateId: string | null;
  kind: 'invitation' | 'approval' | 'payout_details_changed' | 'setting_change';
  to: Recipient;
  letter: Letter;
};

/** An address, or one that is itself a secret: it travels sealed with the job, and stands in no row. */
export type Recipient = string | { secret: string };

/** What stands for a secret address. */
export const secretAddress = '(a former payout address)';

type Delivery = { programId: string; emailId: string; sealedTo?: string };

const owner = (emailId: string) => `emails:${emailId}`;

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
      toAddress: typeof to === 'string' ? to : secretAddress,
      subject: letter.subject,
      textBody: letter.text,
      htmlBody: letter.html,
      status: tx.mailer ? 'queued' : 'kept',
      createdAt: tx.clock.now(),
    })
    .execute();
  if (!tx.mailer) return;
  const sealed = typeof to === 'string' ? {} : { sealedTo: tx.vault.seal(to.secret, owner(emailId)).toString('base64') };
  await tx.jobs.enqueue<Delivery>(tx, { name: 'emails.send' }, { programId, emailId, ...sealed });
}

export const sendEmail = job<Delivery>({
  name: 'emails.send',
  retries: 10,
  async run(ctx, { programId, emailId, sealedTo }, { isLast }) {
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
        to: sealedTo === undefined ? email.toAddress : ctx.vault.open(Buffer.from(sealedTo, 'base64'), owner(emailId)),
        subject: email.subject,
        text: email.textBody,
        html: email.htmlBody,
      });
    } catch (caught) {
      // What a mail server says may repeat the address.
      const error = sealedTo === undefined ? caught : new Error('The mail could not be handed to the mail server.');
      await note({ lastError: error instanceof Error ? error.message : String(error), ...(isLast && { status: 'failed' }) });
      throw error;
    }
    await note({ status: 'sent', sentAt: ctx.clock.now(), lastError: null });
  },
});
