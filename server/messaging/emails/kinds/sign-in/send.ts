// Sends sign-in emails directly: unlike other emails they are not stored, because they contain a credential. A freeze doesn't
// stop them: the people who handle the incident must be able to sign in.
import { type EmailRequest, prepareEmail, signInEmailJob } from '../../../../accounts/identity/sign-in/request.ts';
import type { Context } from '../../../../context.ts';
import { transact } from '../../../../platform/db/transact.ts';
import { job } from '../../../../platform/queue/job.ts';
import { type Look, loadFrame, serviceLook } from '../../look/look.ts';
import { type Origin, parseMailFrom, readOrigin } from '../../look/sender.ts';
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
    const { look, ...origin } = await readLook(ctx, request);
    const content = renderSignInEmail({ ...prepared, requestedBy, requestedAt: new Date(requestedAt), look });
    try {
      await mailer.send({
        messageId: `<${ctx.ids.uuid()}@tributary>`,
        ...origin,
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

/** On the custom domain of a program, its emails look like the program, and come from it. */
async function readLook(ctx: Context, { site }: EmailRequest): Promise<Origin & { look: Look }> {
  if (!site) return { look: serviceLook, from: parseMailFrom(ctx.config.mailFrom) };
  const { frame } = await loadFrame(ctx, { programId: site.programId, affiliateId: null });
  return { ...(await readOrigin(ctx, site.programId)), look: frame.look };
}
