// Sending the join form. The response never depends on the address: the request stores the application, which has no effect
// yet, and a job. The job creates the link and the code, and sends them.
import { createBrowserCookie } from '../../accounts/identity/sign-in/browser-cookie.ts';
import { areCodesBlocked } from '../../accounts/identity/sign-in/code-limit.ts';
import { countEmail } from '../../accounts/identity/sign-in/count-email.ts';
import { countRequest } from '../../accounts/identity/sign-in/limits.ts';
import { hasFewUnusedEmails } from '../../accounts/identity/sign-in/request.ts';
import { createVerification } from '../../accounts/identity/verification/create.ts';
import { findProgramIds, readInPrograms } from '../../accounts/programs/person-programs.ts';
import type { Context, Tx } from '../../context.ts';
import { renderApplicationConfirmation } from '../../messaging/emails/kinds/affiliates/application-confirmation.ts';
import { loadFrame, parseLocale } from '../../messaging/emails/look/look.ts';
import { readOrigin } from '../../messaging/emails/look/sender.ts';
import { Unconfirmed } from '../../messaging/emails/mailer.ts';
import { hidePrivateLink, privateLink } from '../../messaging/emails/private-link.ts';
import { queueEmail } from '../../messaging/emails/send.ts';
import { showsLinks } from '../../messaging/emails/shows-links.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { transact } from '../../platform/db/transact.ts';
import { emailKey } from '../../platform/lib/email-address.ts';
import { toNetwork } from '../../platform/lib/network/ip-address.ts';
import { job, jobName } from '../../platform/queue/job.ts';
import type { Answer } from './application.ts';
import { joinUrl } from './settings/join-form.ts';

/** What was entered, after validation. */
export type SentForm = {
  email: string;
  firstName: string;
  lastName: string;
  answers: Answer[];
  termsVersion: number | null;
};

type Submission = {
  programId: string;
  form: SentForm;
  /** The affiliate whose recruiting link was used. */
  recruiterId: string | null;
  locale: 'en' | 'de';
  ip: string;
  cookies: string | undefined;
  /** A program filled the hidden field. */
  isSpam: boolean;
};
type ConfirmationJob = {
  programId: string;
  applicationId: string;
  /** In base64. */
  browserHash: string;
  /** Where the form was sent: an IPv4 /24 or IPv6 /48. */
  network: string;
};

const confirmationJob = jobName<ConfirmationJob>('applications.send_confirmation');

/** Stores the application and queues its email. Returns the cookie of the browser, in which the code can be entered. */
export async function submitApplication(ctx: Context, submission: Submission): Promise<{ setCookie: string }> {
  const { programId, form, recruiterId, locale, ip, cookies, isSpam } = submission;
  await countRequest(ctx, ip, 'applications');
  await countEmail(ctx, { ip, cookies, email: form.email });
  const { setCookie, browserHash } = createBrowserCookie(ctx.config);
  if (isSpam || !(await canConfirm(ctx, programId))) return { setCookie };
  await transact(ctx, async (tx) => {
    const applicationId = await insertApplication(tx, { programId, form, recruiterId, locale });
    const network = toNetwork(ip);
    const confirmation: ConfirmationJob = { programId, applicationId, browserHash: browserHash.toString('base64'), network };
    if (tx.mailer) await tx.jobs.enqueue(tx, confirmationJob, confirmation);
    else await storeConfirmation(tx, confirmation);
  });
  return { setCookie };
}

/** Whether applicants can confirm their address: by email, or in test mode with a link that an owner reads in the mailbox. */
export async function canConfirm(ctx: Pick<Context, 'db' | 'mailer'>, programId: string): Promise<boolean> {
  return ctx.mailer !== null || showsLinks(ctx, programId);
}

/** Writes an application that has no effect yet. */
export async function insertApplication(
  tx: Tx,
  {
    programId,
    form,
    recruiterId = null,
    locale,
  }: Pick<Submission, 'programId' | 'form' | 'locale'> & Partial<Pick<Submission, 'recruiterId'>>,
): Promise<string> {
  const id = tx.ids.uuid();
  const { answers, ...fields } = form;
  const key = emailKey(form.email) ?? form.email;
  await tx.db
    .insertInto('applications')
    .values({ ...fields, programId, id, emailKey: key, answers: JSON.stringify(answers), recruiterId, locale, createdAt: tx.clock.now() })
    .execute();
  return id;
}

export const sendApplicationConfirmation = job<ConfirmationJob>({
  ...confirmationJob,
  isOutgoing: true,
  // Each attempt creates a new link and counts towards the limit per address.
  retries: 3,
  async run(ctx, given) {
    const { mailer } = ctx;
    if (!mailer) return;
    const prepared = await transact(ctx, (tx) => prepareConfirmation(tx, given));
    if (!prepared) return;
    const { to, link, render } = prepared;
    const origin = await readOrigin(ctx, given.programId);
    try {
      await mailer.send({ messageId: `<${ctx.ids.uuid()}@tributary>`, to, ...origin, ...render(link) });
    } catch (error) {
      // It may have arrived; the applicant can send the form again.
      if (!(error instanceof Unconfirmed)) throw error;
      ctx.log.warn({ job: confirmationJob.name }, 'the mail server did not confirm an email about an application');
    }
  },
});

/** Stores the email for the mailbox, where an owner can show its link. */
async function storeConfirmation(tx: Tx, given: ConfirmationJob): Promise<void> {
  const prepared = await prepareConfirmation(tx, given);
  if (!prepared) return;
  const { programId, applicationId: subjectId } = given;
  const actor = { kind: 'schedule' as const, id: confirmationJob.name };
  const changeId = await recordChange(tx, { programId, actor, action: 'application.confirmation_stored', subjectId });
  const { to, render } = prepared;
  const content = hidePrivateLink(render({ url: privateLink, code: null }));
  await queueEmail(tx, { programId, changeId, affiliateId: null, kind: 'application_confirmation', to, content });
}

/** A new link and code, with the email that shows them. Null if many are unused, or the application is confirmed. */
async function prepareConfirmation(tx: Tx, { programId, applicationId, browserHash, network }: ConfirmationJob) {
  const { slug } = await tx.db.selectFrom('programs').select('slug').where('id', '=', programId).executeTakeFirstOrThrow();
  // Emails about one program's form are counted one after the other, so that the limit is exact.
  await tx.db.selectFrom('joinForms').select('programId').where('programId', '=', programId).forUpdate().execute();
  const applications = tx.db.selectFrom('applications').selectAll().where('programId', '=', programId).where('id', '=', applicationId);
  const application = await applications.where('confirmedAt', 'is', null).forNoKeyUpdate().executeTakeFirst();
  if (!application) return null;
  const { emailKey: key, firstName } = application;
  if (!(await hasFewUnusedEmails(tx, { purpose: 'application', emailKey: key, network }))) return null;
  const to = await findStoredAddress(tx, application);
  const { id, token, code } = await createVerification(tx, {
    purpose: 'application',
    email: to,
    emailKey: key,
    userId: null,
    browserHash: Buffer.from(browserHash, 'base64'),
    network,
  });
  await tx.db
    .updateTable('applications')
    // The affiliate gets the address that is proved.
    .set({ verificationId: id, email: to })
    .where('programId', '=', programId)
    .where('id', '=', applicationId)
    .execute();
  const { frame, sender } = await loadFrame(tx, { programId, affiliateId: null, locale: parseLocale(application.locale) ?? 'en' });
  const url = `${joinUrl(tx, slug)}/confirm/${token}`;
  const render = (link: { url: string; code: string | null }) => renderApplicationConfirmation(frame, sender, { firstName, ...link });
  return { to, link: { url, code: (await areCodesBlocked(tx, { emailKey: key, network })) ? null : code }, render };
}

/** For a known user or affiliate the stored address, never what was typed: another address may have the same key. */
async function findStoredAddress(tx: Tx, { email, emailKey: key }: { email: string; emailKey: string }): Promise<string> {
  const user = await tx.db.selectFrom('users').select('email').where('emailKey', '=', key).executeTakeFirst();
  if (user) return user.email;
  const programIds = await findProgramIds(tx, { kind: 'affiliate', person: key });
  const affiliates = await readInPrograms(tx, programIds, (db, programId) =>
    db.selectFrom('affiliates').select(['email', 'createdAt']).where('programId', '=', programId).where('emailKey', '=', key).execute(),
  );
  return affiliates.flat().sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())[0]?.email ?? email;
}
