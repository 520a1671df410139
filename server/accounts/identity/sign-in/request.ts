// A request for an email that proves an identity. The response never depends on the address: the request only stores a
// job. The job (messaging/emails/kinds/sign-in/send.ts) calls `prepareEmail`, which looks up the user, applies the limits per
// address, and creates the link and the code. They are in the email only; the database has their hashes.
import { sql } from 'kysely';
import type { Context, Tx } from '../../../context.ts';
import { transact } from '../../../platform/db/transact.ts';
import type { Site } from '../../../platform/http/sites/site.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { emailKey } from '../../../platform/lib/email-address.ts';
import { toNetwork } from '../../../platform/lib/network/ip-address.ts';
import { jobName } from '../../../platform/queue/job.ts';
import { findClaimable } from '../affiliate-accounts/claim.ts';
import { findAcceptable } from '../invitations/invitation.ts';
import { mustUseSingleSignOn } from '../single-sign-on/find-domain.ts';
import { createVerification, enterUrl, type Purpose } from '../verification/create.ts';
import { createBrowserCookie } from './browser-cookie.ts';
import { areCodesBlocked } from './code-limit.ts';
import { countEmail } from './count-email.ts';
import { type BrowserName, describeBrowser } from './describe-browser.ts';
import { countRequest } from './limits.ts';
import { parseNextPath } from './next-path.ts';

/** What the job stores: nothing that signs in. */
export type EmailRequest = {
  purpose: 'sign_in' | 'confirm';
  email: string;
  /** In base64. */
  browserHash: string;
  next: string | null;
  locale: string;
  requestedBy: BrowserName;
  /** Where it was requested: an IPv4 /24 or IPv6 /48. */
  network: string;
  requestedAt: string;
  /** The custom domain on which it was requested. */
  site: Site | null;
};

/** What the email needs. */
export type PreparedEmail = { to: string; locale: string; url: string | null; code: string | null };

export const signInEmailJob = jobName<EmailRequest>('identity.send_sign_in_email');

const hourMs = 60 * 60_000;
const maxConfirmationsPerHour = 5;
/**
 * Links of unused emails work, so beyond this number of recent ones no further email is needed, and others can't flood the
 * mailbox. Once one is used, they no longer count. For a join form, whose link is about what its sender entered, those of
 * one network leave some for the others.
 */
const [maxUnusedEmails, maxUnusedOfNetwork, recentMs] = [10, 8, 10 * 60_000];

type SignInRequest = {
  email: string;
  next: string | null;
  locale: string;
  ip: string;
  headers: { 'user-agent'?: string | undefined; cookie?: string | undefined };
  site: Site | null;
};

/** Queues the email and returns the cookie for the requesting browser. Without a mail server nothing is queued. */
export async function requestSignIn(
  ctx: Context,
  { email, next, locale, ip, headers, site }: SignInRequest,
): Promise<{ setCookie: string }> {
  await countRequest(ctx, ip, 'requests');
  await countEmail(ctx, { ip, cookies: headers.cookie, email });
  const { setCookie, browserHash } = createBrowserCookie(ctx.config);
  const request: EmailRequest = {
    purpose: 'sign_in',
    email,
    browserHash: browserHash.toString('base64'),
    next: parseNextPath(next),
    locale,
    requestedBy: describeBrowser(headers['user-agent']),
    network: toNetwork(ip),
    requestedAt: systemTime(ctx).toISOString(),
    site,
  };
  if (ctx.mailer) await transact(ctx, (tx) => tx.jobs.enqueue(tx, signInEmailJob, request));
  return { setCookie };
}

/**
 * Creates the link and the code. For an address without an account they are created as well and returned to no caller,
 * so that entering a code does the same work for every address. Null if no email may be sent.
 */
export async function prepareEmail(
  tx: Tx,
  { purpose, email, browserHash, next, locale, network, site }: EmailRequest,
): Promise<PreparedEmail | null> {
  const key = emailKey(email);
  if (key === null) return null;
  const recipient = await findRecipient(tx, key);
  const isAllowed = purpose === 'confirm' ? await mayConfirm(tx, key) : await hasFewUnusedEmails(tx, { purpose, emailKey: key });
  if (!isAllowed) return null;
  const { token, code } = await createVerification(tx, {
    purpose,
    // Never what was typed: another address may have the same key.
    email: recipient?.email ?? email,
    emailKey: key,
    userId: recipient?.userId ?? null,
    browserHash: Buffer.from(browserHash, 'base64'),
    network,
    siteProgramId: site?.programId ?? null,
  });
  if (!recipient) return null;
  if (purpose === 'sign_in' && (await mustUseSingleSignOn(tx, { userId: recipient.userId, emailKey: key }))) return null;
  const url = new URL(enterUrl(tx, token, site?.host));
  if (next !== null) url.searchParams.set('next', next);
  return {
    to: recipient.email,
    locale: recipient.locale ?? locale,
    url: purpose === 'sign_in' ? url.href : null,
    code: (await areCodesBlocked(tx, { emailKey: key, network })) ? null : code,
  };
}

type Recipient = { email: string; userId: string | null; locale: string | null };

/** A user, a person with an open invitation, or an affiliate who has not signed in yet. The rows are locked, so that requests for one address are counted exactly. */
async function findRecipient(tx: Tx, key: string): Promise<Recipient | null> {
  const user = await tx.db.selectFrom('users').selectAll().where('emailKey', '=', key).forNoKeyUpdate().executeTakeFirst();
  if (user) return user.status === 'active' ? { email: user.email, userId: user.id, locale: user.locale } : null;
  const invited = (await findAcceptable(tx, key, { lock: true })) ?? (await findClaimable(tx, key, { lock: true }));
  return invited ? { email: invited.email, userId: null, locale: null } : null;
}

type Requested = { purpose: Purpose; emailKey: string; network?: string };

/** Whether few of the recent emails of this purpose to an address are unused: of all networks, and of this one. */
export async function hasFewUnusedEmails({ db, clock }: Tx, { purpose, emailKey: key, network = '' }: Requested): Promise<boolean> {
  const { all, own } = await db
    .selectFrom('emailVerifications')
    .select([sql<number>`count(*)`.as('all'), sql<number>`count(*) filter (where network = ${network})`.as('own')])
    .where('emailKey', '=', key)
    .where('purpose', '=', purpose)
    .where('usedAt', 'is', null)
    .where('createdAt', '>', new Date(systemTime({ clock }).getTime() - recentMs))
    .executeTakeFirstOrThrow();
  return all < maxUnusedEmails && own < maxUnusedOfNetwork;
}

/** Whether a signed-in user got fewer than five confirmation codes within an hour. */
async function mayConfirm({ db, clock }: Tx, key: string): Promise<boolean> {
  const { count } = await db
    .selectFrom('emailVerifications')
    .select(sql<number>`count(*)`.as('count'))
    .where('emailKey', '=', key)
    .where('purpose', '=', 'confirm')
    .where('createdAt', '>', new Date(systemTime({ clock }).getTime() - hourMs))
    .executeTakeFirstOrThrow();
  return count < maxConfirmationsPerHour;
}
