// Showing the link of an email that can't be delivered, so that a program in test mode can be tried without a mail server.
import { z } from 'zod';
import { hasAccessElsewhere } from '../../accounts/identity/users/has-access-elsewhere.ts';
import type { Tx } from '../../context.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { timestampOut } from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';
import { emailKey } from '../../platform/lib/email-address.ts';
import { InvalidState } from '../../platform/lib/errors.ts';
import { createPrivateLink, hasPrivateLink } from './private-link.ts';
import { showsLinks } from './shows-links.ts';

const unavailable = {
  status: 400,
  code: 'link_unavailable',
  when: 'Links are shown only in test mode, and only while no mail server is configured (SMTP_URL).',
} as const;
const noLink = { status: 400, code: 'no_private_link', when: 'This email contains no link that signs in.' } as const;
const accessElsewhere = {
  status: 400,
  code: 'recipient_has_access_elsewhere',
  when: 'The address also gives access to another program or an organization. An operator can print a link with `bin/tributary user link`.',
} as const;
const withdrawn = {
  status: 400,
  code: 'link_withdrawn',
  when: 'The invitation was accepted or revoked, the application was confirmed or has expired, or the affiliate was archived.',
} as const;

const EmailLink = z
  .object({
    url: z.string().describe('Signs in with the address of the recipient, once.'),
    expiresAt: timestampOut,
  })
  .meta({
    id: 'EmailLink',
    example: { url: 'https://partners.example/enter/Xb2…', expiresAt: '2026-12-20T09:00:00.000Z' },
  });

export const showEmailLink = endpoint({
  id: 'emails.showLink',
  route: 'POST /app/programs/:programId/emails/:id/link',
  scope: 'write',
  requires: 'owners.write',
  isUserOnly: true,
  hasSecretResponse: true,
  tag: 'Emails',
  summary: 'Show the link of an email',
  description:
    'For programs in test mode on an installation without a mail server: creates a new link for an invitation, an approval or ' +
    'an application, and records it in the audit log. Never for an address that gives access to another program.',
  path: { id: idSlot('emails', 'The email.') },
  statuses: [200],
  result: EmailLink,
  errors: [unavailable, noLink, accessElsewhere, withdrawn],
  async handle(tx, { actor, params: { id } }) {
    const { programId } = actor;
    if (!(await showsLinks(tx, programId))) throw new InvalidState(unavailable.code, unavailable.when);
    const emails = tx.db.selectFrom('emails').selectAll().where('programId', '=', programId).where('id', '=', id);
    const email = await emails.forUpdate().executeTakeFirstOrThrow();
    if (!hasPrivateLink(email)) throw new InvalidState(noLink.code, noLink.when);
    if (!(await isShowable(tx, { programId, address: email.toAddress, ownerId: actor.id })))
      throw new InvalidState(accessElsewhere.code, accessElsewhere.when);
    const link = await createPrivateLink(tx, email);
    if (!link) throw new InvalidState(withdrawn.code, withdrawn.when);
    await recordChange(tx, {
      programId,
      actor,
      action: 'email.link_shown',
      subjectId: id,
      after: { to: email.toAddress, kind: email.kind },
    });
    return { url: link.url, expiresAt: link.expiresAt.toISOString() };
  },
});

type Shown = { programId: string; address: string; ownerId: string };

/** Whether the link gives an owner no access that they don't have: within this program, or with their own address. */
async function isShowable(tx: Tx, { programId, address, ownerId }: Shown): Promise<boolean> {
  const key = emailKey(address);
  if (key === null) return false;
  const owner = await tx.db.selectFrom('users').select('emailKey').where('id', '=', ownerId).executeTakeFirst();
  return owner?.emailKey === key || !(await hasAccessElsewhere(tx, { programId, emailKey: key }));
}
