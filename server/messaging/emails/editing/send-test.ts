// Sends an email with sample contents to the member who edits it.
import { z } from 'zod';
import { lockPrograms } from '../../../accounts/programs/lock-program.ts';
import type { Tx } from '../../../context.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import type { Actor } from '../../../platform/lib/actor.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { Invalid, RateLimited } from '../../../platform/lib/errors.ts';
import { getPublicUrl } from '../../../platform/lib/network/public-url.ts';
import type { RenderedEmail } from '../layout.ts';
import { loadFrame } from '../look/look.ts';
import { unsubscribeLink } from '../opt-out/link.ts';
import { renderSample } from '../previews/samples.ts';
import { privateLink } from '../private-link.ts';
import { queueEmail } from '../send.ts';
import { editableEmails } from './editable.ts';
import { checkText, EmailAddress, EmailTextFields } from './fields.ts';

const testsPerHour = 20;
const hourMs = 60 * 60_000;

export const TestEmailSent = z
  .object({
    to: z.string().describe('Your address.'),
    status: z.enum(['queued', 'stored']).describe('`stored`: no mail server is configured, so the email is only in the mailbox.'),
  })
  .meta({ id: 'EmailTestSent', example: { to: 'dana@fernandfield.example', status: 'queued' } });

export const testEmailErrors = [
  { status: 429, code: 'rate_limited', when: `More than ${testsPerHour} test emails were sent within an hour.` },
] as const;

export const sendTestEmail = endpoint({
  id: 'emailTexts.test',
  route: 'POST /app/programs/:programId/email-texts/test',
  scope: 'write',
  requires: 'settings.write',
  isUserOnly: true,
  tag: 'Emails',
  summary: 'Send a test email to yourself',
  description: `Sends this text with sample contents to your address; it is not stored as the text of the email. At most ${testsPerHour} an hour.`,
  body: EmailAddress.extend(EmailTextFields).meta({
    id: 'EmailTest',
    example: { email: 'first_sale', locale: 'en', subject: 'Hooray', heading: 'Well done, {firstName}', body: 'You earned {amount}.' },
  }),
  statuses: [200],
  result: TestEmailSent,
  errors: testEmailErrors,
  async handle(tx, { actor, body: { email, locale, subject, heading, body } }) {
    const { programId } = actor;
    const edited = { subject, heading, body };
    const faults = checkText(editableEmails[email], edited);
    if (faults.length > 0) throw new Invalid(faults);
    const { frame, sender } = await loadFrame(tx, { programId, affiliateId: null, locale });
    const content = renderSample(email, { frame: { look: frame.look, locale, edited }, sender, origin: getPublicUrl(tx.config) });
    return queueTestEmail(tx, actor, { content, described: { email, locale, subject } });
  },
});

/** `described`: what the audit log says about it. */
type TestEmail = { content: RenderedEmail; described: { email: string; locale: string; subject: string } };

/** Queues an email with sample contents to the user. Throws RateLimited. */
export async function queueTestEmail(
  tx: Tx,
  actor: Actor & { programId: string },
  { content, described }: TestEmail,
): Promise<z.output<typeof TestEmailSent>> {
  const { programId, id: userId } = actor;
  // Tests of one program wait for each other, so that they are counted.
  await lockPrograms(tx, [programId]);
  const { email: to } = await tx.db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirstOrThrow();
  await countTests(tx, { programId, userId });
  const changeId = await recordChange(tx, { programId, actor, action: 'email.test_sent', subjectId: programId, after: described });
  const sent = withoutLinks(content, getPublicUrl(tx.config));
  await queueEmail(tx, { programId, changeId, affiliateId: null, kind: 'test', to, content: sent });
  return { to, status: tx.mailer ? 'queued' : 'stored' };
}

async function countTests(tx: Tx, { programId, userId }: { programId: string; userId: string }): Promise<void> {
  const tests = tx.db.selectFrom('auditLog').select('createdAt').where('programId', '=', programId).where('actorId', '=', userId);
  const since = new Date(systemTime(tx).getTime() - hourMs);
  const recent = await tests.where('action', '=', 'email.test_sent').where('createdAt', '>', since).orderBy('createdAt').execute();
  const [first] = recent;
  if (first && recent.length >= testsPerHour)
    throw new RateLimited(Math.max(1, Math.ceil((first.createdAt.getTime() - since.getTime()) / 1000)));
}

/** Personal links lead to the start page instead: a test must not sign in or unsubscribe the recipient. */
function withoutLinks({ subject, text, html }: RenderedEmail, url: string): RenderedEmail {
  const replace = (content: string) => content.replaceAll(privateLink, `${url}/`).replaceAll(unsubscribeLink, `${url}/`);
  return { subject, text: replace(text), html: replace(html) };
}
