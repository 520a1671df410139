// Sends sign-in emails directly: unlike other emails they are not stored, because they contain a credential. A freeze doesn't
// stop them: the people who handle the incident must be able to sign in.
import { type EmailRequest, prepareEmail, signInEmailJob } from '../../../../accounts/identity/sign-in/request.ts';
import { transact } from '../../../../platform/db/transact.ts';
import { job } from '../../../../platform/queue/job.ts';
import { parseMailFrom } from '../../look/sender.ts';
import { Unconfirmed } from '../../mailer.ts';
import { renderSignInEmail } from './content.ts';

export const sendSignInEmail = job<EmailRequest>({
  ...signInEmailJob,
  // Each attempt creates a new link and counts towards the limit per address.
  retries: 3,
  async run(ctx, request) {
    const { mailer } = ctx;
    if (!mailer) return;
    const prepared = await transact(ctx, (tx) => prepareEmail(tx, request));
    if (!prepared) return;
    const { requestedBy, requestedAt } = request;
    const content = renderSignInEmail({ ...prepared, requestedBy, requestedAt: new Date(requestedAt) });
    try {
      await mailer.send({
        messageId: `<${ctx.ids.uuid()}@tributary>`,
        from: parseMailFrom(ctx.config.mailFrom),
        to: prepared.to,
        ...content,
      });
    } catch (error) {
      // It may have arrived; the user can request another one.
      if (!(error instanceof Unconfirmed)) throw error;
      ctx.log.warn({ job: signInEmailJob.name }, 'the mail server did not confirm a sign-in email');
    }
  },
});
