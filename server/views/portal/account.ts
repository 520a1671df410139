// What an affiliate sees first: the state of their account, and why. They change their name here, and which emails they get.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context, Tx } from '../../context.ts';
import { readRecipient, setOptOut } from '../../messaging/emails/opt-out/recipient.ts';
import { AffiliateStatus } from '../../partners/affiliates/affiliate.ts';
import { changeAffiliate } from '../../partners/affiliates/change-affiliate.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { transact } from '../../platform/db/transact.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { lastNameField, nameField } from '../../platform/http/declaration/person-fields.ts';
import type { AffiliatePrincipal } from '../../platform/http/declaration/principal.ts';

const PortalAccount = z
  .object({
    affiliateId: uuidOut,
    programName: z.string(),
    websiteUrl: z.string().nullable(),
    status: AffiliateStatus,
    statusChangedAt: timestampOut.describe('Since when the account has this status.'),
    reason: z.string().nullable().describe('The reason for the status, as the program gave it.'),
    firstName: z.string(),
    lastName: z.string(),
    email: z.string(),
    referralCode: z.string(),
    optionalEmails: z
      .boolean()
      .describe(
        'Whether the program emails news about the page, and invitations. Emails about the account and its security are always sent.',
      ),
    createdAt: timestampOut,
  })
  .meta({
    id: 'PortalAccount',
    example: {
      affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
      programName: 'Fern & Field',
      websiteUrl: 'https://fernandfield.example',
      status: 'active',
      statusChangedAt: '2026-11-02T09:12:44.000Z',
      reason: null,
      firstName: 'Ada',
      lastName: 'Lindqvist',
      email: 'ada@example.com',
      referralCode: 'K7QM3XWP',
      optionalEmails: true,
      createdAt: '2026-11-01T09:12:44.000Z',
    },
  });

export const getPortalAccount = endpoint({
  id: 'portal.account',
  route: 'GET /app/portal/:programId/account',
  scope: 'affiliate',
  affiliateStatuses: AffiliateStatus.options,
  tag: 'Portal',
  summary: "Get the affiliate's account status",
  statuses: [200],
  result: PortalAccount,
  handle: (ctx, { actor }) => readAccount(ctx, actor),
});

export const updatePortalAccount = endpoint({
  id: 'portal.updateAccount',
  route: 'PATCH /app/portal/:programId/account',
  scope: 'affiliate',
  affiliateStatuses: AffiliateStatus.options,
  tag: 'Portal',
  summary: "Change the affiliate's name and email preference",
  description: 'Omitted fields keep their value. The language belongs to the user: `PATCH /app/me`.',
  body: z
    .object({ firstName: nameField.optional(), lastName: lastNameField.optional(), optionalEmails: z.boolean().optional() })
    .meta({ id: 'PortalAccountUpdate', example: { firstName: 'Ada' } }),
  statuses: [200],
  result: PortalAccount,
  handle: (ctx, { actor, body: { optionalEmails, ...names } }) =>
    transact(ctx, async (tx) => {
      const { email: address } = await changeAffiliate(tx, actor, { ...names, id: actor.affiliateId });
      if (optionalEmails !== undefined) await setPreference(tx, actor, { address, optionalEmails });
      return readAccount(tx, actor);
    }),
});

async function setPreference(tx: Tx, actor: AffiliatePrincipal, { address, optionalEmails }: { address: string; optionalEmails: boolean }) {
  const { programId, affiliateId } = actor;
  if (!(await setOptOut(tx, { programId, address, isOptedOut: !optionalEmails }))) return;
  const [before, after] = [{ optionalEmails: !optionalEmails }, { optionalEmails }];
  await recordChange(tx, { programId, actor, action: 'affiliate.email_preference_changed', subjectId: affiliateId, before, after });
}

type Facts = {
  status: z.output<typeof AffiliateStatus>;
  statusNote: string | null;
  statusChangedAt: Date;
  createdAt: Date;
  programName: string;
  websiteUrl: string | null;
  firstName: string;
  lastName: string;
  email: string;
  referralCode: string;
};

async function readAccount(
  ctx: Pick<Context, 'db'>,
  { programId, affiliateId }: AffiliatePrincipal,
): Promise<z.input<typeof PortalAccount>> {
  const { rows } = await sql<Facts>`
    select affiliate.status, affiliate.status_note, coalesce(affiliate.status_changed_at, affiliate.created_at) as status_changed_at,
      affiliate.created_at, program.name as program_name, program.website_url, affiliate.first_name, affiliate.last_name,
      affiliate.email, affiliate.referral_code
    from affiliates as affiliate join programs as program on program.id = affiliate.program_id
    where affiliate.program_id = ${programId} and affiliate.id = ${affiliateId}`.execute(ctx.db);
  const [facts] = rows;
  if (!facts) throw new Error('The affiliate is missing.');
  const { statusNote, statusChangedAt, createdAt, ...account } = facts;
  const { optedOutAt } = await readRecipient(ctx, { programId, address: account.email });
  return {
    ...account,
    affiliateId,
    optionalEmails: optedOutAt === null,
    // The notes of other decisions are for members of the program.
    reason: account.status === 'rejected' || account.status === 'suspended' ? statusNote : null,
    statusChangedAt: statusChangedAt.toISOString(),
    createdAt: createdAt.toISOString(),
  };
}
