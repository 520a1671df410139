// The names of what audit events are about and of who caused them: at most one query for each kind, by primary key.
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { SubjectKind } from '../../platform/audit/actions.ts';
import { maskAddress } from '../../platform/audit/mask.ts';

type Db = Pick<Context, 'db'>;

/** `name` is null where the object has none. An object that belongs to an affiliate names them and has their id. */
export type Named = { id: string; name: string | null; affiliateId: string | null; amountCents: number | null; currency: string | null };

const person = sql`trim(affiliate.first_name || ' ' || affiliate.last_name)`;
const noAffiliate = sql`null::uuid as affiliate_id`;
const noAmount = sql`null::bigint as amount_cents, null::text as currency`;

type Query = (programId: string, ids: readonly string[]) => RawBuilder<Named>;

/** Objects with a name in a column of their table. */
const named =
  (table: string, name: RawBuilder<unknown>): Query =>
  (programId, ids) =>
    sql`select id, ${name} as name, ${noAffiliate}, ${noAmount}
      from ${sql.table(table)} where program_id = ${programId} and id = any(${ids}::uuid[])`;

/** Objects of an affiliate, which are known by the affiliate's name or their own. */
const owned =
  (table: string, name: RawBuilder<unknown> = person, amount: RawBuilder<unknown> = noAmount): Query =>
  (programId, ids) =>
    sql`select subject.id, ${name} as name, subject.affiliate_id, ${amount}
      from ${sql.table(table)} as subject
        left join affiliates as affiliate on affiliate.program_id = ${programId} and affiliate.id = subject.affiliate_id
      where subject.program_id = ${programId} and subject.id = any(${ids}::uuid[])`;

const amount = sql`subject.amount_cents, subject.currency`;

const queries: Record<SubjectKind, Query> = {
  affiliate: named('affiliates', sql`trim(first_name || ' ' || last_name)`),
  alert: named('alerts', sql`reason`),
  api_key: named('api_keys', sql`name`),
  application: owned('applications'),
  claim: owned('claims', sql`subject.order_id`),
  commission: owned('commissions', person, amount),
  conversion: owned('conversions', sql`subject.order_id`, amount),
  coupon: owned('coupons', sql`subject.code`),
  customer: named('customers', sql`null::text`),
  discrepancy: owned('payout_discrepancies', sql`subject.reference`, amount),
  email: named('emails', sql`subject`),
  fraud_alert: owned('fraud_events'),
  group: named('groups', sql`name`),
  invitation: named('member_invitations', sql`coalesce(nullif(name, ''), email)`),
  landing_page: owned('landing_pages', sql`subject.slug`),
  lead: named('leads', sql`coalesce(name, external_id)`),
  link: owned('affiliate_links', sql`subject.name`),
  payout: owned('payouts', person, amount),
  payout_batch: (programId, ids) =>
    sql`select id, null::text as name, ${noAffiliate}, total_cents as amount_cents, currency
      from payout_batches where program_id = ${programId} and id = any(${ids}::uuid[])`,
  product: named('products', sql`name`),
  program: (programId) => sql`select id, name, ${noAffiliate}, ${noAmount} from programs where id = ${programId}`,
  provider: named('providers', sql`name`),
  rule: named('commission_rules', sql`name`),
  user: (_, ids) =>
    sql`select id, coalesce(nullif(name, ''), email) as name, ${noAffiliate}, ${noAmount} from users where id = any(${ids}::uuid[])`,
  webhook: owned('webhooks', sql`coalesce(nullif(subject.description, ''), substring(subject.url from '://([^/?#]+)'))`),
};

/** The objects of the given ids by their ids. Those that were deleted are missing. */
export async function findNames({ db }: Db, programId: string, kind: SubjectKind, ids: ReadonlySet<string>): Promise<Map<string, Named>> {
  if (ids.size === 0) return new Map();
  const { rows } = await queries[kind](programId, [...ids]).execute(db);
  return new Map(rows.map((row) => [row.id, { ...row, name: row.name && maskAddress(row.name) }]));
}
