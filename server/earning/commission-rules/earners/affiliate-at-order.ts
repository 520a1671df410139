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

type FoundAffiliate = Omit<KnownAffiliate, 'holdDays'>;

/** These affiliates with their uplines, past and present, and which of their terms changed since `from`. */
export async function findAffiliates(
  ctx: Pick<Context, 'db'>,
  programId: string,
  ids: readonly string[],
  from: Date,
): Promise<Map<string, KnownAffiliate>> {
  if (ids.length === 0) return new Map();
  const [found, holdDays] = await Promise.all([readAffiliates(ctx, programId, ids, from), readHoldDays(ctx, programId)]);
  const parentIds = found.flatMap(({ parentId, past }) => [parentId, ...past.map((terms) => terms.parentId)]);
  const known = new Set(found.map(({ id }) => id));
  const uplineIds = [...new Set(parentIds.filter((id) => id !== null))].filter((id) => !known.has(id));
  const uplines = await readAffiliates(ctx, programId, uplineIds, from);
  const withHoldDays = (affiliate: FoundAffiliate): KnownAffiliate => ({
    ...affiliate,
    holdDays: holdDays.get(affiliate.groupId ?? '') ?? null,
  });
  return new Map([...found, ...uplines].map((affiliate) => [affiliate.id, withHoldDays(affiliate)]));
}

/** One statement per table: a cluster keeps the plans of such statements, and plans joins each time. */
async function readAffiliates(ctx: Pick<Context, 'db'>, programId: string, ids: readonly string[], from: Date): Promise<FoundAffiliate[]> {
  if (ids.length === 0) return [];
  const [affiliates, past] = await Promise.all([readPresent(ctx, programId, ids), readPast(ctx, programId, ids, from)]);
  return Promise.all(
    affiliates.map(async (affiliate) => ({
      ...affiliate,
      firstOrderAt: affiliate.invitedAt > from ? await readFirstOrder(ctx, programId, affiliate) : null,
      past: past.get(affiliate.id) ?? [],
    })),
  );
}

type Present = Omit<FoundAffiliate, 'firstOrderAt' | 'past'>;

async function readPresent(ctx: Pick<Context, 'db'>, programId: string, ids: readonly string[]): Promise<Present[]> {
  const { rows } = await plainSql<Present>`
    select id, status, email, group_id, parent_affiliate_id as parent_id, commission_override_type as type,
      commission_override_rate::float8 as rate, created_at as invited_at
    from affiliates where program_id = ${programId} and id = any(${ids}::uuid[])`.execute(ctx.db);
  return rows;
}

/** By affiliate, the earliest first. */
async function readPast(ctx: Pick<Context, 'db'>, programId: string, ids: readonly string[], from: Date) {
  const { rows } = await plainSql<Terms & { affiliateId: string; validUntil: Date }>`
    select affiliate_id, valid_until, status, group_id, parent_affiliate_id as parent_id, commission_override_type as type,
      commission_override_rate::float8 as rate
    from affiliate_past_terms where program_id = ${programId} and affiliate_id = any(${ids}::uuid[]) and valid_until > ${from}
    order by valid_until, id`.execute(ctx.db);
  const past = Map.groupBy(rows, ({ affiliateId }) => affiliateId);
  return new Map(
    [...past].map(([id, terms]) => [
      id,
      terms.map(({ affiliateId: _, validUntil, ...replaced }) => ({ ...replaced, until: validUntil.toISOString() })),
    ]),
  );
}

/** The hold periods of the program's groups that have one. */
async function readHoldDays(ctx: Pick<Context, 'db'>, programId: string): Promise<Map<string, number>> {
  const { rows } = await plainSql<{ id: string; holdDays: number }>`
    select id, hold_days from groups where program_id = ${programId} and hold_days is not null`.execute(ctx.db);
  return new Map(rows.map(({ id, holdDays }) => [id, holdDays]));
}

async function readFirstOrder(ctx: Pick<Context, 'db'>, programId: string, { id, invitedAt }: Present): Promise<Date | null> {
  const { rows } = await plainSql<{ firstOrderAt: Date | null }>`
    select min(created_at) as first_order_at from conversion_summaries
    where program_id = ${programId} and affiliate_id = ${id} and created_at >= ${invitedAt}`.execute(ctx.db);
  return rows[0]?.firstOrderAt ?? null;
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
  const override = toOverride(type, rate);
  return { id: known.id, email: known.email, holdDays: known.holdDays, status, groupId, override, upline: null, termsNote: null };
}

/** An override as it is stored. */
export function toOverride(type: string | null, rate: number | null): Earner['override'] {
  return (type === 'percentage' || type === 'flat') && rate !== null ? { type, rate } : null;
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
