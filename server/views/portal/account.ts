// What an affiliate sees first: the state of their account, and why. They change their name here, and which emails they get.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context, Tx } from '../../context.ts';
import { type OptionalKind, optionalKinds } from '../../messaging/emails/kinds/table.ts';
import { chooseEmails, readRecipient } from '../../messaging/emails/opt-out/recipient.ts';
import { AffiliateStatus, leftNote } from '../../partners/affiliates/affiliate.ts';
import { changeAffiliate } from '../../partners/affiliates/change-affiliate.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { transact } from '../../platform/db/transact.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { centsOut, currencyOut, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { lastNameField, nameField } from '../../platform/http/declaration/person-fields.ts';
import type { AffiliatePrincipal } from '../../platform/http/declaration/principal.ts';
import { readMoney } from '../affiliate-table/summary.ts';

const optionalEmailsExample = {
  invitations: true,
  pageReviews: true,
  firstSale: true,
  payouts: false,
  payoutFailures: true,
  statements: true,
  announcements: true,
};

const OptionalEmails = z
  .object({
    invitations: z.boolean().describe('Invitations to the program.'),
    pageReviews: z.boolean().describe('News about the page: it was approved, or changes are requested.'),
    firstSale: z.boolean().describe('The first order that was credited to the affiliate.'),
    payouts: z.boolean().describe('Payouts that were paid.'),
    payoutFailures: z.boolean().describe('Payouts that failed or were returned.'),
    statements: z.boolean().describe('The monthly statement.'),
    announcements: z.boolean().describe('What the program announces to its affiliates.'),
  })
  .meta({ id: 'OptionalEmails', example: optionalEmailsExample });
type OptionalEmails = z.output<typeof OptionalEmails>;

const PortalAccount = z
  .object({
    affiliateId: uuidOut,
    programName: z.string(),
    websiteUrl: z.string().nullable(),
    status: AffiliateStatus,
    statusChangedAt: timestampOut.describe('Since when the account has this status.'),
    hasLeft: z.boolean().describe('Whether the affiliate left the program. What they earned is still paid.'),
    reason: z.string().nullable().describe('The reason for the status, as the program gave it.'),
    firstName: z.string(),
    lastName: z.string(),
    email: z.string(),
    referralCode: z.string(),
    currency: currencyOut,
    unpaidCents: centsOut.describe('Pending, on hold, ready to pay and in transit.'),
    optionalEmails: OptionalEmails.describe(
      'Which optional emails of the program the affiliate gets. Emails about the account and its security are always sent.',
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
      hasLeft: false,
      reason: null,
      firstName: 'Ada',
      lastName: 'Lindqvist',
      email: 'ada@example.com',
      referralCode: 'K7QM3XWP',
      currency: 'USD',
      unpaidCents: 41_280,
      optionalEmails: optionalEmailsExample,
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
    .object({
      firstName: nameField.optional(),
      lastName: lastNameField.optional(),
      optionalEmails: OptionalEmails.partial()
        .meta({ id: 'OptionalEmailsUpdate', example: { payouts: false } })
        .optional()
        .describe('Which optional emails the affiliate gets. Omitted kinds keep their value.'),
    })
    .meta({ id: 'PortalAccountUpdate', example: { firstName: 'Ada' } }),
  statuses: [200],
  result: PortalAccount,
  handle: (ctx, { actor, body: { optionalEmails, ...names } }) =>
    transact(ctx, async (tx) => {
      const { email: address } = await changeAffiliate(tx, actor, { ...names, id: actor.affiliateId });
      if (optionalEmails !== undefined) await setPreference(tx, actor, { address, given: optionalEmails });
      return readAccount(tx, actor);
    }),
});

type Preference = { address: string; given: Partial<Record<keyof OptionalEmails, boolean | undefined>> };

async function setPreference(tx: Tx, actor: AffiliatePrincipal, { address, given }: Preference): Promise<void> {
  const { programId, affiliateId } = actor;
  const kinds = optionalKinds.filter((kind) => given[fieldOf[kind]] !== undefined);
  const choices = Object.fromEntries(kinds.map((kind) => [kind, given[fieldOf[kind]]]));
  const changed = await chooseEmails(tx, { programId, address, choices });
  if (changed.length === 0) return;
  const describe = (isAfter: boolean) => Object.fromEntries(changed.map((kind) => [fieldOf[kind], given[fieldOf[kind]] === isAfter]));
  const [before, after] = [{ optionalEmails: describe(false) }, { optionalEmails: describe(true) }];
  await recordChange(tx, { programId, actor, action: 'affiliate.email_preference_changed', subjectId: affiliateId, before, after });
}

const fieldOf = {
  invitation: 'invitations',
  page_review: 'pageReviews',
  first_sale: 'firstSale',
  payout_paid: 'payouts',
  payout_failed: 'payoutFailures',
  statement: 'statements',
  announcement: 'announcements',
} as const satisfies Record<OptionalKind, keyof OptionalEmails>;

function toOptionalEmails(optedOutKinds: readonly OptionalKind[]): OptionalEmails {
  const gets = (kind: OptionalKind): boolean => !optedOutKinds.includes(kind);
  return {
    invitations: gets('invitation'),
    pageReviews: gets('page_review'),
    firstSale: gets('first_sale'),
    payouts: gets('payout_paid'),
    payoutFailures: gets('payout_failed'),
    statements: gets('statement'),
    announcements: gets('announcement'),
  };
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
  ctx: Pick<Context, 'db' | 'clock'>,
  { programId, affiliateId, currency }: AffiliatePrincipal,
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
  const { optedOutKinds } = await readRecipient(ctx, { programId, address: account.email });
  const money = await readMoney(ctx, { programId, id: affiliateId });
  return {
    ...account,
    affiliateId,
    currency,
    unpaidCents: money.pendingCents + money.heldCents + money.approvedCents + money.inTransitCents,
    optionalEmails: toOptionalEmails(optedOutKinds),
    hasLeft: account.status === 'archived' && statusNote === leftNote,
    // The notes of other decisions are for members of the program.
    reason: account.status === 'rejected' || account.status === 'suspended' ? statusNote : null,
    statusChangedAt: statusChangedAt.toISOString(),
    createdAt: createdAt.toISOString(),
  };
}
