// Links that sign a person in are created when the email is sent and are never stored: the stored email has a placeholder
// in their place, so that neither the mailbox nor the database shows them.
import type { Selectable } from 'kysely';
import { createAffiliateLink } from '../../accounts/identity/affiliate-accounts/link.ts';
import { createInvitationLink } from '../../accounts/identity/invitations/link.ts';
import type { Context } from '../../context.ts';
import type { Emails } from '../../platform/db/schema.gen.ts';
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
  const url = await createLink(ctx, email);
  if (url === null) throw new Withdrawn('The invitation was accepted or revoked, or the affiliate archived, before the email was sent.');
  return { text: textBody.replaceAll(hiddenInText, url), html: htmlBody.replaceAll(privateLink, url) };
}

function createLink(ctx: Context, { kind, programId, auditId, affiliateId }: Selectable<Emails>): Promise<string | null> {
  if (kind !== 'member_invitation')
    return affiliateId === null ? Promise.resolve(null) : createAffiliateLink(ctx, { programId, affiliateId });
  return createInvitationLink(ctx, { programId, changeId: auditId });
}
