// Links that sign a person in are created when the email is sent and are never stored: the stored email has a placeholder
// in their place, so that neither the mailbox nor the database shows them.
import type { Selectable } from 'kysely';
import { createAffiliateLink } from '../../accounts/identity/affiliate-accounts/link.ts';
import { createInvitationLink } from '../../accounts/identity/invitations/link.ts';
import type { EmailedLink } from '../../accounts/identity/verification/emailed-link.ts';
import { renewToken } from '../../accounts/identity/verification/renew.ts';
import type { Context, Tx } from '../../context.ts';
import type { Emails } from '../../platform/db/schema.gen.ts';
import { transact } from '../../platform/db/transact.ts';
import { getPublicUrl } from '../../platform/lib/network/public-url.ts';
import { findKind } from './kinds/table.ts';
import type { RenderedEmail } from './layout.ts';

/** The address in a template that is replaced when the email is sent. `.invalid` never resolves (RFC 2606). */
export const privateLink = 'https://link-hidden.invalid/';
const hiddenInText = '(link hidden)';

/** The email was not sent, because its reason no longer exists. */
export class Withdrawn extends Error {}

/** The stored form of an email with a private link. */
export function hidePrivateLink(content: RenderedEmail): RenderedEmail {
  return { ...content, text: content.text.replaceAll(privateLink, hiddenInText) };
}

/** Whether an email contains a link that is not stored. */
export function hasPrivateLink({ kind }: Pick<Selectable<Emails>, 'kind'>): boolean {
  return findKind(kind).hasPrivateLink === true;
}

/** The bodies of an email as they are sent. Throws Withdrawn if its reason no longer exists. */
export async function fillPrivateLink(ctx: Context, email: Selectable<Emails>): Promise<{ text: string; html: string }> {
  const { textBody, htmlBody } = email;
  if (!hasPrivateLink(email)) return { text: textBody, html: htmlBody };
  const link = await transact(ctx, (tx) => createPrivateLink(tx, email));
  if (link === null) throw new Withdrawn('The invitation was accepted or revoked, or the affiliate archived, before the email was sent.');
  return { text: textBody.replaceAll(hiddenInText, link.url), html: htmlBody.replaceAll(privateLink, link.url) };
}

/** A new link for an email that has one. Null if its reason no longer exists. */
export function createPrivateLink(tx: Tx, email: Selectable<Emails>): Promise<EmailedLink | null> {
  const { kind, programId, auditId, affiliateId, toAddress } = email;
  if (kind === 'member_invitation') return createInvitationLink(tx, { programId, changeId: auditId });
  if (kind === 'application_confirmation') return createApplicationLink(tx, { programId, address: toAddress });
  return affiliateId === null ? Promise.resolve(null) : createAffiliateLink(tx, { programId, affiliateId });
}

/** The link that confirms the newest open application of an address; otherwise null. */
export async function createApplicationLink(
  tx: Tx,
  { programId, address }: { programId: string; address: string },
): Promise<EmailedLink | null> {
  const application = await tx.db
    .selectFrom('applications')
    .innerJoin('programs', 'programs.id', 'applications.programId')
    .select(['slug', 'verificationId'])
    .where('applications.programId', '=', programId)
    .where('email', '=', address)
    .where('confirmedAt', 'is', null)
    .where('verificationId', 'is not', null)
    .orderBy('applications.createdAt', 'desc')
    .limit(1)
    .executeTakeFirst();
  const renewed = application?.verificationId ? await renewToken(tx, application.verificationId) : null;
  if (!application || !renewed) return null;
  return { url: `${getPublicUrl(tx.config)}/join/${application.slug}/confirm/${renewed.token}`, expiresAt: renewed.expiresAt };
}
