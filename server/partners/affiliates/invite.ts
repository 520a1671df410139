// Inviting an affiliate (Contract §4.2): a person without a user yet, who claims the account later by
// signing up with the same address. The unique email decides between simultaneous invites.
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { sendInvitation } from '../../messaging/emails/invitation.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { line, uuid, uuidOut } from '../../platform/http/declaration/fields.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { emailKey } from '../../platform/lib/email-address.ts';
import { foldCase } from '../../platform/lib/text.ts';
import { AffiliateStatus, addToCount, requireGroup } from './affiliate.ts';
import { assignReferralCode, linkCode } from './short-link.ts';
import { requireUpline } from './upline.ts';

const email = z
  .string()
  .transform((text) => text.trim())
  .refine((text) => emailKey(text) !== null, { error: 'must be an email address' })
  .meta({ json: { type: 'string', format: 'email', maxLength: 254 } });

/** Angle brackets have no place in a name and would end up in mail headers. */
const personName = line(100)
  .refine((text) => !/[<>]/.test(text), { error: 'must not contain < or >' })
  .meta({ json: { type: 'string', minLength: 1, maxLength: 100 } });

export const Invite = z
  .object({
    email: email.describe('Unique in the program, without regard to case.'),
    firstName: personName,
    lastName: personName,
    groupId: uuid.optional().describe('Commission tier. Must belong to this program.'),
    parentAffiliateId: uuid.optional().describe('Upline for 2-tier commissions. Must belong to this program.'),
    autoApprove: z.boolean().default(false).describe('Skips the pending queue: the affiliate is `active` at once.'),
    sendInvite: z.boolean().default(true).describe('Emails an invitation.'),
  })
  .meta({ id: 'Invite', example: { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' } });

export const inviteAffiliate = endpoint({
  id: 'affiliates.invite',
  route: 'POST /v1/programs/:programId/affiliates',
  scope: 'write',
  tag: 'Affiliates',
  summary: 'Invite an affiliate',
  description: 'Creates an affiliate that has no user yet. The person claims the account by signing up with the same email address.',
  body: Invite,
  statuses: [201],
  result: z.object({ id: uuidOut, email: z.string(), referralCode: z.string(), status: AffiliateStatus }).meta({ id: 'InvitedAffiliate' }),
  refusals: {
    404: '`groupId` or `parentAffiliateId` was not found in this program.',
    409: 'An affiliate with this email already exists in the program.',
  },
  handle: (tx, { actor, body }) => invite(tx, { programId: actor.programId, actor }, body),
});

/** Creates the affiliate, its code, its audit row and, unless switched off, its invitation, all or nothing. */
export async function invite(tx: Tx, { programId, actor }: { programId: string; actor: Actor }, given: z.output<typeof Invite>) {
  if (given.groupId) await requireGroup(tx, programId, given.groupId);
  if (given.parentAffiliateId) await requireUpline(tx, programId, given.parentAffiliateId);
  const affiliate = await insertAffiliate(tx, programId, given);
  await linkCode(tx, { programId, affiliateId: affiliate.id }, affiliate.referralCode);
  const changeId = await recordChange(tx, {
    programId,
    actor,
    action: 'affiliate.invited',
    subjectId: affiliate.id,
    after: { status: affiliate.status, groupId: affiliate.groupId, parentAffiliateId: affiliate.parentAffiliateId },
  });
  if (given.sendInvite) await sendInvitation(tx, { programId, changeId, affiliate });
  await addToCount(tx, programId, affiliate.status, 1); // Last: this row is shared by all invites of the program.
  return { ...affiliate, status: AffiliateStatus.parse(affiliate.status) };
}

async function insertAffiliate(tx: Tx, programId: string, given: z.output<typeof Invite>) {
  const id = tx.ids.uuid();
  const referralCode = await assignReferralCode(tx, programId, id);
  const now = tx.clock.now();
  return tx.db
    .insertInto('affiliates')
    .values({
      programId,
      id,
      firstName: given.firstName,
      lastName: given.lastName,
      email: given.email,
      emailKey: emailKey(given.email) ?? given.email,
      referralCode,
      status: given.autoApprove ? 'active' : 'pending',
      groupId: given.groupId ?? null,
      parentAffiliateId: given.parentAffiliateId ?? null,
      search: searchText(given.firstName, given.lastName, given.email, referralCode),
      createdAt: now,
      updatedAt: now,
    })
    .returning(['id', 'email', 'firstName', 'lastName', 'referralCode', 'status', 'groupId', 'parentAffiliateId'])
    .executeTakeFirstOrThrow();
}

/** What the list searches. The separator can't be typed, so a match never spans two fields. */
export function searchText(firstName: string, lastName: string, address: string, referralCode: string): string {
  return foldCase([`${firstName} ${lastName}`, address, referralCode].join('\u001f'));
}
