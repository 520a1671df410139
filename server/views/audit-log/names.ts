// The names by which the audit log shows the objects of each kind.
import { type RawBuilder, sql } from 'kysely';
import type { SubjectKind } from '../../platform/audit/actions.ts';

/** `name` is null where the object has none. An object that belongs to an affiliate names them and has their id. */
export type Named = {
  id: string;
  name: string | null;
  affiliateId: string | null;
  amountCents: number | null;
  currency: string | null;
  /** Of payout batches only. */
  dispatchedAt: Date | null;
};

const person = sql`trim(affiliate.first_name || ' ' || affiliate.last_name)`;
const noAffiliate = sql`null::uuid as affiliate_id`;
const noAmount = sql`null::bigint as amount_cents, null::text as currency`;
const noBatch = sql`null::timestamptz as dispatched_at`;

/** The objects whose ids fulfil the condition. */
type Query = (programId: string, isWanted: (id: RawBuilder<unknown>) => RawBuilder<boolean>) => RawBuilder<Named>;

const id = sql`id`;

/** Objects with a name in a column of their table. */
const named =
  (table: string, name: RawBuilder<unknown>): Query =>
  (programId, isWanted) =>
    sql`select id, ${name} as name, ${noAffiliate}, ${noAmount}, ${noBatch}
      from ${sql.table(table)} where program_id = ${programId} and ${isWanted(id)}`;

/** Objects of an affiliate, which are known by the affiliate's name or their own. */
const owned =
  (table: string, name: RawBuilder<unknown> = person, amount: RawBuilder<unknown> = noAmount): Query =>
  (programId, isWanted) =>
    sql`select subject.id, ${name} as name, subject.affiliate_id, ${amount}, ${noBatch}
      from ${sql.table(table)} as subject
        left join affiliates as affiliate on affiliate.program_id = ${programId} and affiliate.id = subject.affiliate_id
      where subject.program_id = ${programId} and ${isWanted(sql`subject.id`)}`;

const amount = sql`subject.amount_cents, subject.currency`;

/** The query of each kind's names: what the audit log shows, and what its search finds. */
export const nameQueries: Record<SubjectKind, Query> = {
  affiliate: named('affiliates', sql`trim(first_name || ' ' || last_name)`),
  alert: named('alerts', sql`reason`),
  announcement: named('announcements', sql`coalesce(texts #>> '{en,subject}', texts #>> '{de,subject}')`),
  api_key: named('api_keys', sql`name`),
  application: owned('applications'),
  bounty: named('bounties', sql`name`),
  bounty_submission: owned('bounty_submissions'),
  claim: owned('claims', sql`subject.order_id`),
  commission: owned('commissions', person, amount),
  conversion: owned('conversions', sql`subject.order_id`, amount),
  coupon: owned('coupons', sql`subject.code`),
  customer: named('customers', sql`null::text`),
  discrepancy: owned('payout_discrepancies', sql`subject.reference`, amount),
  domain: named('domains', sql`host`),
  email: named('emails', sql`subject`),
  fraud_alert: owned('fraud_events'),
  group: named('groups', sql`name`),
  invitation: named('member_invitations', sql`coalesce(nullif(name, ''), email)`),
  landing_page: owned('landing_pages', sql`subject.slug`),
  lead: named('leads', sql`coalesce(name, external_id)`),
  link: owned('affiliate_links', sql`subject.name`),
  payout: owned('payouts', person, amount),
  payout_batch: (programId, isWanted) =>
    sql`select batch.id, null::text as name, ${noAffiliate}, batch.total_cents as amount_cents, batch.currency,
        batch.created_at as dispatched_at
      from payout_batches as batch where batch.program_id = ${programId} and ${isWanted(sql`batch.id`)}`,
  product: named('products', sql`name`),
  program: (programId, isWanted) =>
    sql`select id, name, ${noAffiliate}, ${noAmount}, ${noBatch} from programs where id = ${programId} and ${isWanted(id)}`,
  provider: named('providers', sql`name`),
  resource: named('resources', sql`title`),
  rule: named('commission_rules', sql`name`),
  user: (_, isWanted) =>
    sql`select id, coalesce(nullif(name, ''), email) as name, ${noAffiliate}, ${noAmount}, ${noBatch} from users where ${isWanted(id)}`,
  webhook: owned('webhooks', sql`coalesce(nullif(subject.description, ''), substring(subject.url from '://([^/?#]+)'))`),
};
