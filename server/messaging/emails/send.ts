// Emails are rows first: written in the transaction of the change they report, then sent by a job. The row is marked
// before an email leaves, so that an attempt whose outcome is unknown (no response after the content was handed over, a
// killed process) is never repeated immediately: it is retried after an hour, under the same Message-ID.
import type { Selectable } from 'kysely';
import type { Context, Tx } from '../../context.ts';
import type { Emails } from '../../platform/db/schema.gen.ts';
import { transact } from '../../platform/db/transact.ts';
import { job, jobName } from '../../platform/queue/job.ts';
import { createReportUrl, fillReportLink, hideReportLink } from './kinds/payouts/report-link.ts';
import { type EmailKind, findChoice, findKind } from './kinds/table.ts';
import type { RenderedEmail } from './layout.ts';
import { readOriginOf } from './look/sender.ts';
import { AddressRejected, Unconfirmed } from './mailer.ts';
import { createUnsubscribeUrl, fillUnsubscribeUrl, hideUnsubscribeLink } from './opt-out/link.ts';
import { findObstacle } from './opt-out/may-send.ts';
import { clearBounce, recordBounce } from './opt-out/recipient.ts';
import { fillPrivateLink, Withdrawn } from './private-link.ts';
import { isSwitchedOff } from './settings/switches.ts';

type NewEmail = {
  programId: string;
  /** The audit row of the change; one change sends one email of a kind. */
  changeId: string;
  /** Null for an email to the program itself. */
  affiliateId: string | null;
  kind: EmailKind;
  to: Recipient;
  content: RenderedEmail;
  /** Sent after this time at the earliest, so that the change can be undone until then. */
  notBefore?: Date | undefined;
};

/** An address. A secret address is only stored encrypted, in the job. */
export type Recipient = string | { secret: string };

/** Stored in place of a secret address. */
export const secretAddress = '(a former payout address)';

/** Attempts without an outcome, each of which may have delivered a copy. */
const maxUnconfirmed = 2;
// The job runs a little later than the email may be sent, because it uses the database's clock.
const delayMarginSeconds = 5;
const [quietSeconds, unconfirmedPauseSeconds] = [3300, 3600];

type Delivery = { programId: string; emailId: string; encryptedTo?: string };

const deliverEmailJob = jobName<Delivery>('emails.send');

const owner = (emailId: string) => `emails:${emailId}`;

/** Writes the email and queues its delivery, unless the program switched its kind off. Without a mail server it is only stored. */
export async function queueEmail(tx: Tx, { programId, changeId, affiliateId, kind, to, content, notBefore }: NewEmail): Promise<void> {
  if (await isSwitchedOff(tx, programId, kind)) return;
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
      subject: content.subject,
      textBody: hideReportLink(hideUnsubscribeLink(content)).text,
      htmlBody: content.html,
      status: tx.mailer ? 'queued' : 'stored',
      notBefore: notBefore ?? null,
      createdAt: tx.clock.now(),
    })
    .execute();
  if (!tx.mailer) return;
  const delivery: Delivery = { programId, emailId };
  if (typeof to !== 'string') delivery.encryptedTo = tx.vault.encrypt(to.secret, owner(emailId)).toString('base64');
  const delaySeconds = notBefore ? Math.ceil((notBefore.getTime() - tx.clock.now().getTime()) / 1000) + delayMarginSeconds : 0;
  await tx.jobs.enqueue(tx, deliverEmailJob, delivery, { delaySeconds });
}

/** Queues an email again, unless it is already queued. */
export async function queueAgain(tx: Tx, { programId, id }: { programId: string; id: string }): Promise<Selectable<Emails>> {
  const fresh = { status: 'queued', lastError: null, sendingAt: null, notBefore: null, unconfirmed: 0 };
  const emails = tx.db.updateTable('emails').set(fresh).where('programId', '=', programId).where('id', '=', id);
  const email = await emails.returningAll().executeTakeFirstOrThrow();
  await tx.jobs.enqueue(tx, deliverEmailJob, { programId, emailId: id });
  return email;
}

/** Cancels the emails that these changes would send, unless one is being sent already. */
export async function cancelEmails(tx: Tx, programId: string, changeIds: readonly string[]): Promise<void> {
  if (changeIds.length === 0) return;
  const emails = tx.db.updateTable('emails').set({ status: 'cancelled' }).where('programId', '=', programId);
  await emails
    .where('auditId', 'in', changeIds)
    .where('status', 'in', ['queued', 'stored'])
    .where('notBefore', '>', tx.clock.now())
    .execute();
}

/** Cancels the emails of a change that wait to be sent. One that is being sent is sent. */
export async function cancelQueuedEmails(tx: Tx, programId: string, changeId: string): Promise<void> {
  const emails = tx.db.updateTable('emails').set({ status: 'cancelled' }).where('programId', '=', programId);
  await emails.where('auditId', '=', changeId).where('status', '=', 'queued').where('sendingAt', 'is', null).execute();
}

export const sendEmail = job<Delivery>({
  ...deliverEmailJob,
  isOutgoing: async (ctx, { programId, emailId }) => {
    const emails = ctx.db.selectFrom('emails').select('kind').where('programId', '=', programId).where('id', '=', emailId);
    const email = await emails.executeTakeFirst();
    return email !== undefined && !findKind(email.kind).isSecurity;
  },
  retries: 10,
  async run(ctx, delivery, { isLast }) {
    const email = await claimEmail(ctx, delivery);
    if (!email) return transact(ctx, (tx) => recordUnconfirmed(tx, delivery));
    const { encryptedTo } = delivery;
    try {
      const obstacle = await findObstacle(ctx, email);
      if (obstacle !== null) return await recordAttempt(ctx, delivery, { sendingAt: null, lastError: obstacle, status: 'suppressed' });
      await deliver(ctx, email, encryptedTo);
    } catch (caught) {
      if (caught instanceof Withdrawn)
        return recordAttempt(ctx, delivery, { sendingAt: null, lastError: caught.message, status: 'failed' });
      if (caught instanceof Unconfirmed) return transact(ctx, (tx) => recordUnconfirmed(tx, delivery));
      const isRejected = caught instanceof AddressRejected;
      // A mail server's response may repeat the address.
      const error = encryptedTo === undefined ? caught : new Error('The mail server did not accept the email.');
      const lastError = error instanceof Error ? error.message : String(error);
      if (isRejected && encryptedTo === undefined) await recordBounce(ctx, addressOf(email), lastError);
      const change = isLast || isRejected ? ({ sendingAt: null, lastError, status: 'failed' } as const) : { sendingAt: null, lastError };
      await recordAttempt(ctx, delivery, change);
      if (isRejected) return;
      throw error;
    }
    await recordAttempt(ctx, delivery, { sendingAt: null, lastError: null, status: 'sent', sentAt: ctx.clock.now() });
    if (encryptedTo === undefined) await clearBounce(ctx, addressOf(email));
  },
});

const addressOf = ({ programId, toAddress }: Selectable<Emails>) => ({ programId, address: toAddress });

/** Hands the email to the mail server, with the links that are not stored. */
async function deliver(ctx: Context, email: Selectable<Emails>, encryptedTo: string | undefined): Promise<void> {
  if (!ctx.mailer) throw new Error('No mail server is configured (SMTP_URL).');
  const emailKind = findKind(email.kind);
  const kind = emailKind.delivery === 'optional' ? findChoice(email.kind) : null;
  const origin = await readOriginOf(ctx, email.programId, emailKind);
  const unsubscribeUrl = kind && createUnsubscribeUrl(ctx, { ...addressOf(email), kind });
  const { text, html } = fillReport(ctx, email, fillUnsubscribeUrl(await fillPrivateLink(ctx, email), unsubscribeUrl));
  const message = { ...origin, messageId: `<${email.id}@tributary>`, subject: email.subject, text, html };
  const to = encryptedTo === undefined ? email.toAddress : ctx.vault.decrypt(Buffer.from(encryptedTo, 'base64'), owner(email.id));
  await ctx.mailer.send(unsubscribeUrl === null ? { ...message, to } : { ...message, to, unsubscribeUrl });
}

/** The link that reports a change of payout details is created for the email about it. */
function fillReport(ctx: Context, email: Selectable<Emails>, bodies: { text: string; html: string }): { text: string; html: string } {
  const { kind, programId, affiliateId, auditId: changeId, createdAt: changedAt } = email;
  if (kind !== 'payout_details_changed' || affiliateId === null) return bodies;
  return fillReportLink(bodies, createReportUrl(ctx, { programId, affiliateId, changeId, changedAt }));
}

/** Marks the email as being sent and returns it; null if it is sent already, or an attempt has no outcome yet. */
async function claimEmail({ db, clock }: Context, { programId, emailId }: Delivery): Promise<Selectable<Emails> | null> {
  const emails = db.updateTable('emails').set({ sendingAt: clock.now() }).where('programId', '=', programId).where('id', '=', emailId);
  const claimed = await emails
    .where('status', '=', 'queued')
    .where('sendingAt', 'is', null)
    .where((where) => where.or([where('notBefore', 'is', null), where('notBefore', '<=', clock.now())]))
    .returningAll()
    .executeTakeFirst();
  return claimed ?? null;
}

/** Counts an attempt without an outcome, and schedules a retry, or marks the email as failed. Does nothing for an email that was sent. */
async function recordUnconfirmed(tx: Tx, delivery: Delivery): Promise<void> {
  const { programId, emailId } = delivery;
  const notBefore = new Date(tx.clock.now().getTime() + quietSeconds * 1000);
  const lastError = 'The mail server did not confirm the email.';
  const counted = await tx.db
    .updateTable('emails')
    .set((row) => ({ sendingAt: null, notBefore, unconfirmed: row('unconfirmed', '+', 1), lastError }))
    .where('programId', '=', programId)
    .where('id', '=', emailId)
    .where('status', '=', 'queued')
    .where('sendingAt', 'is not', null)
    .returning('unconfirmed')
    .executeTakeFirst();
  if (!counted) return;
  if (counted.unconfirmed >= maxUnconfirmed) await recordAttempt(tx, delivery, { status: 'unconfirmed' });
  else await tx.jobs.enqueue(tx, deliverEmailJob, delivery, { delaySeconds: unconfirmedPauseSeconds });
}

type Attempt = {
  sendingAt?: Date | null;
  status?: 'sent' | 'failed' | 'unconfirmed' | 'suppressed';
  sentAt?: Date;
  lastError?: string | null;
};

async function recordAttempt({ db }: Pick<Context, 'db'>, { programId, emailId }: Delivery, change: Attempt): Promise<void> {
  await db.updateTable('emails').set(change).where('programId', '=', programId).where('id', '=', emailId).execute();
}
