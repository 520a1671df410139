// Inviting an affiliate (Contract §4.2): an affiliate without a user, who claims the account by signing up with the same
// email address. The unique email decides between simultaneous invites.
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { sendInvitation } from '../../messaging/emails/kinds/affiliates/invitation.ts';
import { endpoint, Reply } from '../../platform/http/declaration/endpoint.ts';
import { uuid, uuidOut } from '../../platform/http/declaration/fields.ts';
import { emailField, lastNameField, nameField } from '../../platform/http/declaration/person-fields.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { addAffiliates } from './add/add-affiliates.ts';
import { AffiliateStatus, emailTaken, externalIdTaken, requireGroup, unknownGroupOrUpline } from './affiliate.ts';
import { expandAffiliate, expandDetails, expandedDetails } from './expand/affiliate-details.ts';
import { profileInput } from './profile.ts';
import { requireUpline, warnOfUpline } from './upline.ts';

export const Invite = z
  .object({
    email: emailField.describe('Unique in the program, ignoring case.'),
    firstName: nameField,
    lastName: nameField,
    groupId: uuid.optional().describe('Commission tier. Must belong to this program.'),
    parentAffiliateId: uuid.optional().describe('Upline for 2-tier commissions. Must belong to this program.'),
    autoApprove: z.boolean().default(false).describe('Skips the pending queue: the affiliate is `active` immediately.'),
    sendInvite: z.boolean().default(true).describe('Emails an invitation.'),
  })
  .extend(profileInput)
  .meta({ id: 'Invite', example: { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' } });

/** An invitation by people rather than by an integration: a last name is optional. The contract requires one of API callers. */
export const PersonInvite = Invite.extend({ lastName: lastNameField.default('') });

export const inviteAffiliate = endpoint({
  id: 'affiliates.invite',
  route: 'POST /v1/programs/:programId/affiliates',
  scope: 'write',
  requires: 'affiliates.write',
  tag: 'Affiliates',
  summary: 'Invite an affiliate',
  description: 'Creates an affiliate without a user. The affiliate accepts the invitation by signing up with the same email address.',
  query: expandDetails,
  body: Invite,
  statuses: [201],
  warns: true,
  result: z.object({ id: uuidOut, email: z.string(), referralCode: z.string(), status: AffiliateStatus, ...expandedDetails }).meta({
    id: 'InvitedAffiliate',
    example: { id: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f', email: 'ada@example.com', referralCode: 'K7QM3XWP', status: 'pending' },
  }),
  errors: [unknownGroupOrUpline, emailTaken, externalIdTaken],
  async handle(tx, { actor, body, query: { expand } }) {
    const affiliate = await invite(tx, { programId: actor.programId, actor }, body);
    const details = await expandAffiliate(tx, actor, { id: affiliate.id, expand });
    const headers = await warnOfUpline(tx, actor.programId, { id: affiliate.id, parentAffiliateId: body.parentAffiliateId });
    return new Reply(201, { ...affiliate, ...details }, headers);
  },
});

/** Creates the affiliate with its referral code, audit row and, unless disabled, its invitation, in one transaction. */
export async function invite(
  tx: Tx,
  { programId, actor }: { programId: string; actor: Actor },
  given: z.output<typeof Invite>,
  { message }: { message?: string | null | undefined } = {},
) {
  if (given.groupId) await requireGroup(tx, programId, given.groupId);
  if (given.parentAffiliateId) await requireUpline(tx, programId, given.parentAffiliateId);
  const origin = { programId, actor, action: 'affiliate.invited' as const };
  const [added] = await addAffiliates(tx, origin, [{ given }], async ({ changeId, ...affiliate }) => {
    if (given.sendInvite) await sendInvitation(tx, { programId, changeId, affiliate, message });
  });
  if (!added) throw new Error('The affiliate was not created.');
  return added;
}
