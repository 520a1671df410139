// Inviting an affiliate (Contract §4.2): an affiliate without a user, who claims the account by signing up with the same
// email address. The unique email decides between simultaneous invites.
import { z } from 'zod';
import { registerPerson } from '../../accounts/programs/person-programs.ts';
import type { Tx } from '../../context.ts';
import { sendInvitation } from '../../messaging/emails/kinds/invitation.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { recordValues } from '../../platform/db/recorded-values.ts';
import { endpoint, Reply } from '../../platform/http/declaration/endpoint.ts';
import { uuid, uuidOut } from '../../platform/http/declaration/fields.ts';
import { emailField, lastNameField, nameField } from '../../platform/http/declaration/person-fields.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { emailKey } from '../../platform/lib/email-address.ts';
import { AffiliateStatus, addToCount, emailTaken, externalIdTaken, requireGroup, unknownGroupOrUpline } from './affiliate.ts';
import { recordAffiliateEvents } from './events.ts';
import { expandAffiliate, expandDetails, expandedDetails } from './expand/affiliate-details.ts';
import { assignReferralCode, linkCode } from './links/short-link.ts';
import { applyProfile, buildSearchText, profileInput, toProfileColumns } from './profile.ts';
import { createFigures } from './totals/figures.ts';
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
  return addAffiliate(tx, { programId, actor, action: 'affiliate.invited' }, given, async (affiliate, changeId) => {
    if (given.sendInvite) await sendInvitation(tx, { programId, changeId, affiliate, message });
  });
}

type Origin = {
  programId: string;
  actor: Actor;
  action: 'affiliate.invited' | 'affiliate.applied';
  /** Further facts for the audit log. */
  facts?: Record<string, unknown>;
  /** Of an affiliate who comes from another system: their status and the time since when they have been an affiliate. */
  past?: { status: AffiliateStatus; createdAt: Date };
};
type NewAffiliate = Awaited<ReturnType<typeof insertAffiliate>>;

/** Creates an affiliate with its referral code and audit row. `notify` queues the email that follows from the audit row. */
export async function addAffiliate(
  tx: Tx,
  { programId, actor, action, facts = {}, past }: Origin,
  given: z.output<typeof Invite>,
  notify: (affiliate: NewAffiliate, changeId: string) => Promise<void>,
) {
  const affiliate = await insertAffiliate(tx, programId, given, past);
  await recordValues(tx, 'affiliates', programId, [affiliate.id]);
  await createFigures(tx, { programId, affiliateId: affiliate.id }, affiliate.status);
  await linkCode(tx, { programId, affiliateId: affiliate.id }, affiliate.referralCode);
  const changeId = await recordChange(tx, {
    programId,
    actor,
    action,
    subjectId: affiliate.id,
    after: { status: affiliate.status, groupId: affiliate.groupId, parentAffiliateId: affiliate.parentAffiliateId, ...facts },
  });
  await notify(affiliate, changeId);
  await recordAffiliateEvents(tx, { programId, actor }, [{ id: affiliate.id, status: affiliate.status, previous: null }]);
  await addToCount(tx, programId, affiliate.status, 1); // Last, because all invites of the program lock this row.
  return { ...affiliate, status: AffiliateStatus.parse(affiliate.status) };
}

async function insertAffiliate(tx: Tx, programId: string, given: z.output<typeof Invite>, past?: Origin['past']) {
  const id = tx.ids.uuid();
  const referralCode = await assignReferralCode(tx, programId, id);
  const now = tx.clock.now();
  const key = emailKey(given.email) ?? given.email;
  const affiliate = await tx.db
    .insertInto('affiliates')
    .values({
      programId,
      id,
      firstName: given.firstName,
      lastName: given.lastName,
      email: given.email,
      emailKey: key,
      referralCode,
      status: past?.status ?? (given.autoApprove ? 'active' : 'pending'),
      groupId: given.groupId ?? null,
      parentAffiliateId: given.parentAffiliateId ?? null,
      invitedAt: given.sendInvite ? now : null,
      statusChangedAt: now,
      ...toProfileColumns(applyProfile(null, given)),
      search: buildSearchText({ ...given, referralCode }),
      createdAt: past?.createdAt ?? now,
      updatedAt: now,
    })
    .returning(['id', 'email', 'firstName', 'lastName', 'referralCode', 'status', 'groupId', 'parentAffiliateId'])
    .executeTakeFirstOrThrow();
  await registerPerson(tx, { kind: 'affiliate', person: key }, programId);
  return affiliate;
}
