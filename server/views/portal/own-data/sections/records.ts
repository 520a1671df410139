// What was emailed to the affiliate, which emails they want, and the audit log about them.
import { sql } from 'kysely';
import { z } from 'zod';
import { timestampOut } from '../../../../platform/http/declaration/fields.ts';
import { createdAfter, type Dated, section } from '../section.ts';

const at = '2026-11-02T09:12:44.000Z';
const fields = z.record(z.string(), z.unknown()).nullable();

const emailChoices = section<object>({
  name: 'emailChoices',
  meaning: 'Which optional emails the address does not get: one row, or none if it gets all.',
  tables: ['email_recipients'],
  row: z.object({
    optedOutKinds: z.array(z.string()).describe('The kinds of emails that it opted out of.'),
    optedOutAt: timestampOut.nullable(),
    bouncedAt: timestampOut.nullable().describe('When a mail server rejected the address permanently.'),
    updatedAt: timestampOut,
  }),
  example: { optedOutKinds: ['statement'], optedOutAt: at, bouncedAt: null, updatedAt: at },
  select: ({ programId, affiliateId }) => sql`
    select recipient.opted_out_kinds, recipient.opted_out_at, recipient.bounced_at, recipient.updated_at
    from email_recipients as recipient
    where recipient.program_id = ${programId} and recipient.email_key = (
      select email_key from affiliates where program_id = ${programId} and id = ${affiliateId})`,
});

const emails = section<Dated>({
  name: 'emails',
  meaning: 'Emails of the program to the affiliate, without their text.',
  tables: ['emails'],
  row: z.object({
    kind: z.string(),
    toAddress: z.string().describe('A payout account is not repeated here.'),
    subject: z.string(),
    status: z.string(),
    sentAt: timestampOut.nullable(),
    createdAt: timestampOut,
  }),
  example: { kind: 'approval', toAddress: 'ada@example.com', subject: 'Welcome', status: 'sent', sentAt: at, createdAt: at },
  select: ({ programId, affiliateId }, last) => sql`
    select id, kind, to_address, subject, status, sent_at, created_at from emails
    where program_id = ${programId} and affiliate_id = ${affiliateId} and ${createdAfter('emails', last)} order by created_at, id`,
});

const auditEvents = section<Dated>({
  name: 'auditEvents',
  meaning: 'The audit log about the account. Who works for the program is not named.',
  tables: ['audit_log'],
  row: z.object({
    action: z.string().describe('Such as `affiliate.updated`.'),
    actor: z.enum(['affiliate', 'program', 'service']).describe('Who did it. `service`: a schedule or a provider.'),
    network: z.string().nullable().describe("The network of the affiliate's request: an IPv4 /24 or IPv6 /48."),
    before: fields.describe('What the affiliate changed, before. Email addresses are masked in the log.'),
    after: fields.describe('What the affiliate changed, after. Email addresses are masked in the log.'),
    createdAt: timestampOut,
  }),
  example: {
    action: 'affiliate.updated',
    actor: 'affiliate',
    network: '192.0.2.0/24',
    before: { firstName: 'Ada L.' },
    after: { firstName: 'Ada' },
    createdAt: at,
  },
  select: ({ programId, affiliateId, userId }, last) => sql`
    select entry.id, entry.action, entry.created_at,
      case when own.is_own then 'affiliate' when entry.actor_kind in ('schedule', 'provider') then 'service' else 'program' end as actor,
      case when own.is_own then entry.network end as network, case when own.is_own then entry.before end as before,
      case when own.is_own then entry.after end as after
    from audit_log as entry
    cross join lateral (select entry.actor_kind = 'user' and entry.actor_id = ${userId} as is_own) as own
    where entry.program_id = ${programId} and entry.subject_id = ${affiliateId} and ${createdAfter('entry', last)}
    order by entry.created_at, entry.id`,
});

export const recordSections = [emailChoices, emails, auditEvents];
