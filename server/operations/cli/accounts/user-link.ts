// Prints a link that signs in with an address, for installations without a mail server and for users who lost their mailbox.
import { findClaimable } from '../../../accounts/identity/affiliate-accounts/claim.ts';
import { findAcceptable } from '../../../accounts/identity/invitations/invitation.ts';
import { findUserByEmail, type User } from '../../../accounts/identity/users/user.ts';
import { createVerification, enterUrl, type Purpose } from '../../../accounts/identity/verification/create.ts';
import type { Context, Tx } from '../../../context.ts';
import { createApplicationLink } from '../../../messaging/emails/private-link.ts';
import { transact } from '../../../platform/db/transact.ts';
import { emailKey } from '../../../platform/lib/email-address.ts';
import { CommandError } from '../command-error.ts';
import { formatTime, printField, printJson, printLine } from '../print.ts';
import { withService } from '../run.ts';

type SignInLink = {
  url: string;
  expiresAt: Date;
  /** What opening it does, such as "Signs in Ada (ada@example.com)". */
  does: string;
};

export async function printSignInLink(email: string, { json }: { json?: boolean }): Promise<void> {
  await withService('user link', async ({ ctx }) => {
    const { url, expiresAt, does } = await transact(ctx, (tx) => createSignInLink(tx, email));
    if (json) return printJson({ url });
    printField('Link', url);
    printLine(`  ${does} once, until ${formatTime(expiresAt)}.`);
  });
}

async function createSignInLink(tx: Tx, email: string): Promise<SignInLink> {
  const user = await findUserByEmail(tx, email);
  if (user) return createUserLink(tx, user);
  const link = (await createInvitedLink(tx, email)) ?? (await createApplicantLink(tx, email));
  if (!link) throw new CommandError(`No user, invited affiliate or member, or applicant has the email address ${email}.`);
  return link;
}

async function createUserLink(tx: Tx, { id, name, email, emailKey: key, status }: User): Promise<SignInLink> {
  if (status !== 'active') throw new CommandError(`${email} is disabled. Enable the user first: \`user enable ${email}\`.`);
  const { token, expiresAt } = await createVerification(tx, { purpose: 'command', email, emailKey: key, userId: id });
  return { url: enterUrl(tx, token), expiresAt, does: `Signs in ${name} (${email})` };
}

/** For a person who becomes a user by accepting an invitation, as a member or as an affiliate. */
async function createInvitedLink(tx: Tx, address: string): Promise<SignInLink | null> {
  const key = emailKey(address);
  if (key === null) return null;
  const member = await findAcceptable(tx, key);
  const invited = member ?? (await findClaimable(tx, key));
  if (!invited) return null;
  const purpose: Purpose = member ? 'invitation' : 'affiliate_invitation';
  const { token, expiresAt } = await createVerification(tx, { purpose, email: invited.email, emailKey: key, userId: null });
  return { url: enterUrl(tx, token), expiresAt, does: `Accepts the invitation of ${invited.name} (${invited.email})` };
}

/** For a person whose application awaits the confirmation of the address. */
async function createApplicantLink(tx: Tx, address: string): Promise<SignInLink | null> {
  const application = await findOpenApplication(tx, address);
  const link = application && (await createApplicationLink(tx, { programId: application.programId, address: application.email }));
  if (!application || !link) return null;
  return { ...link, does: `Confirms the application of ${application.firstName} ${application.lastName} (${application.email})` };
}

async function findOpenApplication({ db }: Pick<Context, 'db'>, address: string) {
  const key = emailKey(address);
  if (key === null) return null;
  const applications = db.selectFrom('applications').select(['programId', 'email', 'firstName', 'lastName']);
  const newest = applications.where('emailKey', '=', key).where('confirmedAt', 'is', null).where('verificationId', 'is not', null);
  return (await newest.orderBy('createdAt', 'desc').limit(1).executeTakeFirst()) ?? null;
}
