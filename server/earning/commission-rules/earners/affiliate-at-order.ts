// Affiliates as they were when an order occurred (decision 013): override, group, upline and status of that time. An order
// from before an affiliate was invited uses their terms as of their first reported order: until then they are set up.
import type { Context } from '../../../context.ts';
import { plainSql } from '../../../platform/db/statements/plain-sql.ts';
import type { Earner } from '../order-facts.ts';

type Terms = { status: string; groupId: string | null; parentId: string | null; type: string | null; rate: number | null };

/** An affiliate as they are now, with the terms that were replaced at `until` (ISO 8601), the earliest first. */
export type KnownAffiliate = Terms & {
  id: string;
  email: string;
  /** The hold period of their group; null uses the program's. */
  holdDays: number | null;
  invitedAt: Date;
  /** When their first order was reported; read only for an order from before they were invited. */
  firstOrderAt: Date | null;
  past: (Terms & { until: string })[];
};

/**
 * Why the terms are not those that the affiliate has now, or not those of the time of the order; null if no override,
 * group or upline differs. Times in ISO 8601.
 */
export type TermsNote = { kind: 'before_invitation'; firstOrderAt: string | null } | { kind: 'changed'; changedAt: string };

/** An affiliate at the time of an order, except for `email` and `holdDays` (the hold period of their group). */
export type AffiliateAtOrder = Earner & {
  status: string;
  email: string;
  holdDays: number | null;
  upline: AffiliateAtOrder | null;
  termsNote: TermsNote | null;
};

type Named = { ids: readonly string[]; customerKeys?: readonly string[] };

/**
 * The affiliates with these ids and those that these customers are bound to, with their uplines, past and present, and
 * which of their terms changed since `from`.
 */
export async function findAffiliates(
  ctx: Pick<Context, 'db'>,
  programId: string,
  { ids, customerKeys = [] }: Named,
  from: Date,
): Promise<Map<string, KnownAffiliate>> {
  if (ids.length + customerKeys.length === 0) return new Map();
  const { rows } = await plainSql<KnownAffiliate>`
    with bound as (
      select customer.affiliate_id as id from customer_keys as known
      join customers as customer on customer.program_id = ${programId} and customer.id = known.customer_id
      where known.program_id = ${programId} and known.key = any(${customerKeys}) and customer.affiliate_id is not null
    ), wanted as (
      select ${ids}::uuid[] || array(select id from bound) as ids
    ), named as (
      select id, parent_affiliate_id from affiliates where program_id = ${programId} and id = any((select ids from wanted)::uuid[])
      union all
      select affiliate_id, parent_affiliate_id from affiliate_past_terms
      where program_id = ${programId} and affiliate_id = any((select ids from wanted)::uuid[]) and valid_until > ${from}
    )
    select affiliate.id, affiliate.status, affiliate.email, affiliate.group_id, affiliate.parent_affiliate_id as parent_id,
      affiliate.commission_override_type as type, affiliate.commission_override_rate::float8 as rate, tier.hold_days,
      affiliate.created_at as invited_at,
      case when affiliate.created_at > ${from} then (
        select min(summary.created_at) from conversion_summaries as summary where summary.program_id = ${programId}
          and summary.affiliate_id = affiliate.id and summary.created_at >= affiliate.created_at
      ) end as first_order_at,
      coalesce((
        select json_agg(json_build_object('until', past.valid_until, 'status', past.status, 'groupId', past.group_id,
          'parentId', past.parent_affiliate_id, 'type', past.commission_override_type, 'rate', past.commission_override_rate)
          order by past.valid_until, past.id)
        from affiliate_past_terms as past
        where past.program_id = ${programId} and past.affiliate_id = affiliate.id and past.valid_until > ${from}
      ), '[]'::json) as past
    from affiliates as affiliate left join groups as tier on tier.program_id = ${programId} and tier.id = affiliate.group_id
    where affiliate.program_id = ${programId}
      and affiliate.id in (select id from named union select parent_affiliate_id from named)`.execute(ctx.db);
  // JSON made by PostgreSQL has times in another form of ISO 8601.
  const normalize = (time: string) => new Date(time).toISOString();
  return new Map(rows.map((row) => [row.id, { ...row, past: row.past.map((terms) => ({ ...terms, until: normalize(terms.until) })) }]));
}

/** An affiliate and their upline as they were at that time. */
export function findAffiliateAt(affiliates: ReadonlyMap<string, KnownAffiliate>, id: string, at: Date): AffiliateAtOrder | null {
  const known = affiliates.get(id);
  if (!known) return null;
  const moment = toMoment(known, at);
  const { parentId } = termsAt(known, moment);
  const upline = parentId === null ? undefined : affiliates.get(parentId);
  return {
    ...toAffiliateAt(known, moment),
    termsNote: findTermsNote(known, at),
    upline: upline ? toAffiliateAt(upline, toMoment(upline, at < known.invitedAt ? moment : at)) : null,
  };
}

const endOfTime = '9999-12-31T23:59:59.999Z';

/** The time whose terms apply to an order (ISO 8601). Before their first order is reported, these are the present ones. */
function toMoment({ invitedAt, firstOrderAt }: KnownAffiliate, at: Date | string): string {
  const time = new Date(at).toISOString();
  return time < invitedAt.toISOString() ? (firstOrderAt?.toISOString() ?? endOfTime) : time;
}

function toAffiliateAt(known: KnownAffiliate, moment: string): AffiliateAtOrder {
  const { status, groupId, type, rate } = termsAt(known, moment);
  const override = (type === 'percentage' || type === 'flat') && rate !== null ? ({ type, rate } as const) : null;
  return { id: known.id, email: known.email, holdDays: known.holdDays, status, groupId, override, upline: null, termsNote: null };
}

function termsAt(known: KnownAffiliate, moment: string): Terms {
  return known.past.find(({ until }) => until > moment) ?? known;
}

function isSameTerms(a: Terms, b: Terms): boolean {
  return a.groupId === b.groupId && a.parentId === b.parentId && a.type === b.type && a.rate === b.rate;
}

function findTermsNote(known: KnownAffiliate, at: Date): TermsNote | null {
  const applied = termsAt(known, toMoment(known, at));
  if (at < known.invitedAt) {
    const hasChanged = [...known.past, known].some((terms) => !isSameTerms(terms, applied));
    return hasChanged ? { kind: 'before_invitation', firstOrderAt: known.firstOrderAt?.toISOString() ?? null } : null;
  }
  if (isSameTerms(applied, known)) return null;
  const replaced = known.past.filter(({ until }) => until > at.toISOString());
  const change = replaced.find((_, index) => !isSameTerms(replaced[index + 1] ?? known, applied));
  return change ? { kind: 'changed', changedAt: change.until } : null;
}

/** When the commissions of the affiliate and their upline mature: their groups can have their own hold periods. */
export function findMaturity(
  { affiliate, at }: { affiliate: AffiliateAtOrder; at: Date },
  settings: { holdDays: number },
): Map<string, Date> {
  const addHoldPeriod = (holdDays: number | null) => new Date(at.getTime() + (holdDays ?? settings.holdDays) * 86_400_000);
  const earners = affiliate.upline ? [affiliate, affiliate.upline] : [affiliate];
  return new Map(earners.map(({ id, holdDays }) => [id, addHoldPeriod(holdDays)]));
}
