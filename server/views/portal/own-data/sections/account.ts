// Who the affiliate is, how they sign in, and what they applied with.
import { sql } from 'kysely';
import { z } from 'zod';
import { Answer } from '../../../../partners/applications/application.ts';
import { countOut, timestampOut, uuidOut } from '../../../../platform/http/declaration/fields.ts';
import { createdAfter, type Dated, section } from '../section.ts';

const at = '2026-11-02T09:12:44.000Z';
const id = '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f';

const profile = section<object>({
  name: 'profile',
  meaning: 'The account in this program: one row.',
  tables: ['affiliates', 'affiliate_accounts'],
  row: z.object({
    affiliateId: uuidOut,
    firstName: z.string(),
    lastName: z.string(),
    email: z.string(),
    referralCode: z.string(),
    vanitySlug: z.string().nullable(),
    status: z.string(),
    statusChangedAt: timestampOut.nullable(),
    note: z.string().nullable().describe('The reason for a rejection or suspension, as the program gave it.'),
    commissionOverrideType: z.string().nullable().describe('`percentage` or `flat`; null without an individual rate.'),
    commissionOverrideRate: z.number().nullable().describe('The individual rate: a percentage, or cents.'),
    uplineFirstName: z.string().nullable().describe('The first name of the affiliate who recruited this one.'),
    invitedAt: timestampOut.nullable(),
    claimedAt: timestampOut.nullable().describe('When the user connected the account with their sign-in.'),
    createdAt: timestampOut,
    updatedAt: timestampOut,
  }),
  example: {
    affiliateId: id,
    firstName: 'Ada',
    lastName: 'Lindqvist',
    email: 'ada@example.com',
    referralCode: 'K7QM3XWP',
    vanitySlug: 'ada',
    status: 'active',
    statusChangedAt: at,
    note: null,
    commissionOverrideType: null,
    commissionOverrideRate: null,
    uplineFirstName: null,
    invitedAt: null,
    claimedAt: at,
    createdAt: at,
    updatedAt: at,
  },
  select: ({ programId, affiliateId }) => sql`
    select own.id as affiliate_id, own.first_name, own.last_name, own.email, own.referral_code, own.vanity_slug, own.status,
      own.status_changed_at, case when own.status in ('rejected', 'suspended') then own.status_note end as note,
      own.commission_override_type, own.commission_override_rate::float8 as commission_override_rate,
      upline.first_name as upline_first_name, own.invited_at, account.claimed_at, own.created_at, own.updated_at
    from affiliates as own
    left join affiliates as upline on upline.program_id = ${programId} and upline.id = own.parent_affiliate_id
    left join affiliate_accounts as account on account.program_id = ${programId} and account.affiliate_id = own.id
    where own.program_id = ${programId} and own.id = ${affiliateId}`,
});

const pastTerms = section<{ id: string; validUntil: Date }>({
  name: 'pastTerms',
  meaning: 'Earlier states of the account, each with when it ended.',
  tables: ['affiliate_past_terms'],
  row: z.object({
    status: z.string(),
    commissionOverrideType: z.string().nullable().describe('`percentage` or `flat`; null without an individual rate.'),
    commissionOverrideRate: z.number().nullable().describe('The individual rate: a percentage, or cents.'),
    endedAt: timestampOut.describe('When the state ended.'),
  }),
  example: { status: 'pending', commissionOverrideType: null, commissionOverrideRate: null, endedAt: at },
  select: ({ programId, affiliateId }, last) => sql`
    select id, status, commission_override_type, commission_override_rate::float8 as commission_override_rate, valid_until,
      valid_until as ended_at
    from affiliate_past_terms where program_id = ${programId} and affiliate_id = ${affiliateId}
      and ${last ? sql`(valid_until, id) > (${last.validUntil}::timestamptz, ${last.id}::uuid)` : sql`true`}
    order by valid_until, id`,
});

const applications = section<Dated>({
  name: 'applications',
  meaning: 'What was sent with the join form.',
  tables: ['applications'],
  row: z.object({
    firstName: z.string(),
    lastName: z.string(),
    email: z.string(),
    answers: z.array(Answer).describe('Questions without an answer are not listed.'),
    termsVersion: countOut.nullable().describe('The version of the terms that was accepted.'),
    createdAt: timestampOut,
    confirmedAt: timestampOut.nullable().describe('When the address was confirmed.'),
  }),
  example: {
    firstName: 'Ada',
    lastName: 'Lindqvist',
    email: 'ada@example.com',
    answers: [{ questionId: 'website', kind: 'url', question: 'Your website', answer: 'https://ada.example' }],
    termsVersion: 3,
    createdAt: at,
    confirmedAt: at,
  },
  select: ({ programId, affiliateId }, last) => sql`
    select id, first_name, last_name, email, answers, terms_version, created_at, confirmed_at from applications
    where program_id = ${programId} and affiliate_id = ${affiliateId} and ${createdAfter('applications', last)}
    order by created_at, id`,
});

const user = section<object>({
  name: 'user',
  meaning: 'The user who signs in: one row.',
  tables: ['users', 'second_factors'],
  row: z.object({
    userId: uuidOut,
    name: z.string(),
    email: z.string(),
    locale: z.string().describe('The language: `en` or `de`.'),
    lastSignInAt: timestampOut.nullable().describe('When the user last signed in.'),
    authenticatorAddedAt: timestampOut.nullable().describe('When an authenticator app was set up; null without one.'),
    createdAt: timestampOut,
  }),
  example: {
    userId: '01980a4e-8c11-7f02-b3a5-6d0e9a7c2f14',
    name: 'Ada Lindqvist',
    email: 'ada@example.com',
    locale: 'en',
    lastSignInAt: at,
    authenticatorAddedAt: null,
    createdAt: at,
  },
  select: ({ userId }) => sql`
    select users.id as user_id, users.name, users.email, users.locale, users.last_sign_in_at,
      factor.confirmed_at as authenticator_added_at, users.created_at
    from users left join second_factors as factor on factor.user_id = users.id where users.id = ${userId}`,
});

const passkeys = section<Dated>({
  name: 'passkeys',
  meaning: 'The passkeys of the user.',
  tables: ['passkeys'],
  row: z.object({ name: z.string(), lastUsedAt: timestampOut.nullable(), createdAt: timestampOut }),
  example: { name: 'Laptop', lastUsedAt: at, createdAt: at },
  select: ({ userId }, last) => sql`
    select id, name, last_used_at, created_at from passkeys where user_id = ${userId} and ${createdAfter('passkeys', last)}
    order by created_at, id`,
});

const sessions = section<Dated>({
  name: 'sessions',
  meaning: 'Where the user signed in, including in other programs, until 30 days after the session expired.',
  tables: ['sessions'],
  row: z.object({
    method: z.string().describe('`email`, `link` or `passkey`.'),
    userAgent: z.string(),
    network: z.string().describe('An IPv4 /24 or IPv6 /48.'),
    createdAt: timestampOut,
    lastSeenAt: timestampOut.describe('Updated at most once a minute.'),
    endedAt: timestampOut.nullable().describe('When the session was ended before it expired.'),
    expiresAt: timestampOut,
  }),
  example: {
    method: 'email',
    userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)',
    network: '192.0.2.0/24',
    createdAt: at,
    lastSeenAt: at,
    endedAt: null,
    expiresAt: '2026-11-02T21:12:44.000Z',
  },
  select: ({ userId }, last) => sql`
    select id, method, user_agent, ip_prefix as network, created_at, last_seen_at, ended_at, expires_at from sessions
    where user_id = ${userId} and ${createdAfter('sessions', last)} order by created_at, id`,
});

const signInEmails = section<Dated>({
  name: 'signInEmails',
  meaning: 'Links and codes that were emailed to the address of the user, until two days after they expired.',
  tables: ['email_verifications', 'email_request_counts'],
  row: z.object({
    purpose: z.string().describe('What the email was for, such as `sign_in`.'),
    email: z.string(),
    network: z.string().nullable().describe('From where it was requested: an IPv4 /24 or IPv6 /48.'),
    createdAt: timestampOut,
    usedAt: timestampOut.nullable().describe('When the link or code was used.'),
  }),
  example: { purpose: 'sign_in', email: 'ada@example.com', network: '192.0.2.0/24', createdAt: at, usedAt: at },
  select: ({ userId }, last) => sql`
    select sent.id, sent.purpose, sent.email, sent.network, sent.created_at, sent.used_at from email_verifications as sent
    where sent.email_key = (select email_key from users where id = ${userId}) and ${createdAfter('sent', last)}
    order by sent.created_at, sent.id`,
});

const erasureRequests = section<Dated>({
  name: 'erasureRequests',
  meaning: 'When the affiliate asked for the erasure of their data, and what became of it.',
  tables: ['erasure_requests'],
  row: z.object({
    status: z.string(),
    decisionNote: z.string().nullable().describe('The reason of a rejection.'),
    createdAt: timestampOut,
    decidedAt: timestampOut.nullable(),
  }),
  example: { status: 'withdrawn', decisionNote: null, createdAt: at, decidedAt: at },
  select: ({ programId, affiliateId }, last) => sql`
    select id, status, decision_note, created_at, decided_at from erasure_requests
    where program_id = ${programId} and affiliate_id = ${affiliateId} and ${createdAfter('erasure_requests', last)}
    order by created_at, id`,
});

export const accountSections = [profile, pastTerms, applications, user, passkeys, sessions, signInEmails, erasureRequests];
