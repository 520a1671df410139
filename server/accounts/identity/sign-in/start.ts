// Starts the session of a user who followed a link or entered a code, and accepts what the address was invited to.
import type { Tx } from '../../../context.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { claimAffiliates } from '../affiliate-accounts/claim.ts';
import { acceptInvitations } from '../invitations/accept.ts';
import { endSessions, startSession, type UsedFactor } from '../sessions/session.ts';
import { hashToken } from '../sessions/token.ts';
import { findOrCreateUser } from '../users/user.ts';
import type { SigningIn } from './user.ts';
import type { Verification } from './verification.ts';

/** The browser in which a sign-in is completed. */
export type Browser = {
  ip: string;
  userAgent: string | undefined;
  /** The hash of the cookie that it got when it requested the email. */
  browserHash: Buffer | null;
  /** The session that it has already, which the new one replaces. */
  sessionToken: string | null;
  locale: 'en' | 'de';
  /** The program on whose custom domain it is. */
  siteProgramId: string | null;
};

export type SignedIn = { kind: 'signed_in'; setCookie: string; userId: string; siteProgramId: string | null; isFirst: boolean };

type Start = { signingIn: SigningIn; verification: Verification; usedFactor: UsedFactor | null; browser: Browser };

/** Whether a link was requested in another browser than this one. Links of commands and invitations have none. */
export function isOtherBrowser({ purpose, browserHash }: Verification, current: Buffer | null): boolean {
  return purpose === 'sign_in' && browserHash !== null && !(current?.equals(browserHash) ?? false);
}

/** Starts the session of a user who has proved to control the email address. */
export async function startUserSession(tx: Tx, { signingIn, verification, usedFactor, browser }: Start): Promise<SignedIn> {
  const { purpose, email } = verification;
  const newUser = { email, name: signingIn.invitedName ?? '', locale: browser.locale };
  const user = signingIn.user ?? (await findOrCreateUser(tx, newUser)).user;
  // The owner of the mailbox may not know of sessions in other browsers.
  if (isOtherBrowser(verification, browser.browserHash)) await endSessions(tx, user.id);
  await endReplacedSession(tx, browser);
  // A command's link proves nothing about the mailbox.
  if (purpose !== 'command') {
    await acceptInvitations(tx, user);
    await claimAffiliates(tx, user);
  }
  const { ip, userAgent } = browser;
  const siteProgramId = verification.siteProgramId ?? browser.siteProgramId;
  // Without a mail server, the link was shown by an owner or a command, and proves nothing about the mailbox either.
  const method = purpose === 'command' || !tx.mailer ? 'link' : 'email';
  const { setCookie } = await startSession(tx, {
    userId: user.id,
    method,
    secondFactor: usedFactor,
    isFromCommand: purpose === 'command',
    siteProgramId,
    device: { ip, userAgent },
  });
  return { kind: 'signed_in', setCookie, userId: user.id, siteProgramId, isFirst: user.lastSignInAt === null && purpose !== 'command' };
}

/** A browser has one session: the token that it had before the sign-in is worth nothing afterwards. */
export async function endReplacedSession(tx: Tx, { sessionToken }: Pick<Browser, 'sessionToken'>): Promise<void> {
  if (sessionToken === null) return;
  await tx.db
    .updateTable('sessions')
    .set({ endedAt: systemTime(tx) })
    .where('tokenHash', '=', hashToken(sessionToken))
    .where('endedAt', 'is', null)
    .execute();
}
