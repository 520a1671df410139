// Everything that the decision about a batch of orders depends on: the program's settings, orders that are already
// recorded, and the rows that the attribution signals name. One query for each kind, however many orders there are.
import { sql } from 'kysely';
import { FlatRefunds } from '../../../accounts/programs/settings.ts';
import type { Context } from '../../../context.ts';
import { canonicalUuid } from '../../../platform/lib/ids.ts';
import { type CouponTerms, findCoupons } from '../../../promotion/coupons/redeem.ts';
import { OrderFacts } from '../../commission-rules/order-facts.ts';
import { type Buyer, identifyBuyer, unknownBuyer } from '../../customers/buyer.ts';
import { findCustomers, type KnownCustomers } from '../../customers/known-customers.ts';
import { FraudSettings } from '../../fraud/detect.ts';
import type { KnownProduct, ReportedOrder } from '../order.ts';
import type { Policy, Visit } from './attribution.ts';

type Db = Pick<Context, 'db'>;

/** The settings by which a program credits and pays. */
export type ProgramSettings = {
  currency: string;
  policy: Policy;
  holdDays: number;
  capPercent: number | null;
  remembersCustomers: boolean;
  hashKey: Uint8Array;
  fraud: FraudSettings;
  flatRefunds: FlatRefunds;
};

export type RecordedOrder = { conversionId: string; facts: OrderFacts };

type AffiliateTerms = { status: string; groupId: string | null; parentId: string | null; type: string | null; rate: number | null };
/** An affiliate as they are now, with the terms that were replaced at `until` (ISO 8601), the earliest first. */
export type KnownAffiliate = AffiliateTerms & {
  id: string;
  email: string;
  /** The hold period of their group; null uses the program's. */
  holdDays: number | null;
  past: (AffiliateTerms & { until: string })[];
};

export type Lookup = {
  settings: ProgramSettings;
  /** By order id. */
  recorded: ReadonlyMap<string, RecordedOrder>;
  /** By referral code or vanity slug, in lower case: the affiliate. */
  links: ReadonlyMap<string, string>;
  /** By the click that an order names: all visits of its visitor. */
  visits: ReadonlyMap<string, readonly Visit[]>;
  coupons: ReadonlyMap<string, CouponTerms>;
  customers: KnownCustomers;
  products: readonly KnownProduct[];
  /** The affiliates that the signals name, and their uplines. */
  affiliates: ReadonlyMap<string, KnownAffiliate>;
};

/** An order to look up. `buyer` is set where the order was reported before and no longer contains the address. */
export type OrderToLookUp = { order: ReportedOrder; buyer?: Buyer | undefined };

/** The program's settings, and what the orders refer to. Statements that don't depend on each other are sent together. */
export async function lookUp(ctx: Pick<Context, 'db' | 'clock'>, programId: string, given: readonly OrderToLookUp[]): Promise<Lookup> {
  return lookUpOrders(ctx, programId, given, await readSettings(ctx, programId));
}

export async function lookUpOrders(
  ctx: Pick<Context, 'db' | 'clock'>,
  programId: string,
  given: readonly OrderToLookUp[],
  settings: ProgramSettings,
): Promise<Lookup> {
  const orders = given.map(({ order }) => order);
  const earliest = Math.min(ctx.clock.now().getTime(), ...orders.flatMap(({ occurredAt }) => occurredAt?.getTime() ?? []));
  const orderIds = collect(orders, ({ orderId }) => orderId);
  const slugs = collect(orders, ({ referralCode }) => referralCode?.toLowerCase());
  const clickIds = collect(orders, ({ clickId }) => canonicalUuid(clickId ?? ''));
  const codes = collect(orders, ({ couponCode }) => couponCode);
  const buyers = given.flatMap((one) => toBuyer(one, settings).customerKeys);
  const [recorded, links, visits, coupons, customers, products] = await Promise.all([
    findRecordedOrders(ctx, programId, orderIds),
    findLinks(ctx, programId, slugs),
    findVisits(ctx, programId, clickIds, new Date(earliest - settings.policy.windowDays * 86_400_000)),
    codes.length === 0 ? new Map<string, CouponTerms>() : findCoupons(ctx, programId, codes),
    findCustomers(ctx, programId, buyers),
    findProducts(ctx, programId, orders),
  ]);
  const affiliateIds = [
    ...collect(orders, ({ affiliateId }) => affiliateId),
    ...links.values(),
    ...[...visits.values()].flat().map(({ affiliateId }) => affiliateId),
    ...[...coupons.values()].map(({ affiliateId }) => affiliateId),
    ...[...customers.bindings.values()].flatMap(({ affiliateId }) => affiliateId ?? []),
  ];
  const affiliates = await findAffiliates(ctx, programId, [...new Set(affiliateIds)], new Date(earliest));
  return { settings, recorded, links, visits, coupons, customers, products, affiliates };
}

export function toBuyer({ order: { customer }, buyer }: OrderToLookUp, { hashKey }: ProgramSettings): Buyer {
  return buyer ?? (customer ? identifyBuyer(customer, hashKey) : unknownBuyer);
}

function collect(orders: readonly ReportedOrder[], pick: (order: ReportedOrder) => string | null | undefined): string[] {
  return [...new Set(orders.flatMap((order) => pick(order) ?? []))];
}

export async function readSettings(ctx: Db, programId: string): Promise<ProgramSettings> {
  const row = await ctx.db.selectFrom('programs').selectAll().where('id', '=', programId).executeTakeFirstOrThrow();
  return {
    currency: row.currency,
    policy: {
      model: row.attributionModel === 'first_click' ? 'first_click' : 'last_click',
      priority: row.attributionPriority === 'click_first' ? 'click_first' : 'coupon_first',
      windowDays: row.attributionWindowDays,
      hijackGuardSeconds: row.hijackGuardSeconds,
    },
    holdDays: row.holdDays,
    capPercent: row.commissionCapPercent === null ? null : Number(row.commissionCapPercent),
    remembersCustomers: row.remembersCustomers,
    hashKey: row.hashKey,
    fraud: FraudSettings.parse(row.fraudSettings),
    flatRefunds: FlatRefunds.parse(row.flatRefunds),
  };
}

/** The ledger must be locked, so that no other process records one of these orders in the meantime. */
async function findRecordedOrders(ctx: Db, programId: string, orderIds: readonly string[]): Promise<Map<string, RecordedOrder>> {
  const conversions = ctx.db.selectFrom('conversions').select(['id', 'orderId', 'facts']).where('programId', '=', programId);
  const rows = await conversions.where('orderId', '=', sql<string>`any(${orderIds})`).execute();
  return new Map(rows.map(({ id, orderId, facts }) => [orderId, { conversionId: id, facts: OrderFacts.parse(facts) }]));
}

async function findLinks(ctx: Db, programId: string, slugs: readonly string[]): Promise<Map<string, string>> {
  if (slugs.length === 0) return new Map();
  const { rows } = await sql<{ slug: string; affiliateId: string }>`
    select slug, affiliate_id from short_links where program_id = ${programId} and slug = any(${slugs})`.execute(ctx.db);
  return new Map(rows.map(({ slug, affiliateId }) => [slug, affiliateId]));
}

async function findVisits(ctx: Db, programId: string, clickIds: readonly string[], since: Date): Promise<Map<string, Visit[]>> {
  if (clickIds.length === 0) return new Map();
  const { rows } = await sql<Visit & { clickId: string }>`
    select named.id as click_id, visit.id, visit.affiliate_id, visit.created_at as at, visit.action, visit.sub_ids
    from clicks as named join clicks as visit on visit.program_id = named.program_id
      and (visit.id = named.id or (visit.visitor_id = named.visitor_id and visit.created_at >= ${since}))
    where named.program_id = ${programId} and named.id = any(${clickIds}::uuid[])`.execute(ctx.db);
  return Map.groupBy(rows, ({ clickId }) => clickId);
}

/** The products that the items of these orders name. */
export async function findProducts(ctx: Db, programId: string, orders: readonly Pick<ReportedOrder, 'items'>[]): Promise<KnownProduct[]> {
  const items = orders.flatMap((order) => order.items);
  const ids = items.flatMap(({ productId }) => productId ?? []);
  const externalIds = items.flatMap(({ externalProductId }) => externalProductId ?? []);
  const skus = items.flatMap(({ sku }) => sku ?? []);
  if (ids.length + externalIds.length + skus.length === 0) return [];
  const { rows } = await sql<KnownProduct>`
    select id, external_id, sku, name, category from products where program_id = ${programId}
      and (id = any(${ids}::uuid[]) or external_id = any(${externalIds}) or sku = any(${skus}))
    order by created_at, id`.execute(ctx.db);
  return rows;
}

/** These affiliates and their uplines, past and present, and which of their terms changed since `from`. */
export async function findAffiliates(ctx: Db, programId: string, ids: readonly string[], from: Date): Promise<Map<string, KnownAffiliate>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<KnownAffiliate>`
    with named as (
      select id, parent_affiliate_id from affiliates where program_id = ${programId} and id = any(${ids}::uuid[])
      union all
      select affiliate_id, parent_affiliate_id from affiliate_past_terms
      where program_id = ${programId} and affiliate_id = any(${ids}::uuid[]) and valid_until > ${from}
    )
    select affiliate.id, affiliate.status, affiliate.email, affiliate.group_id, affiliate.parent_affiliate_id as parent_id,
      affiliate.commission_override_type as type, affiliate.commission_override_rate::float8 as rate, tier.hold_days,
      coalesce((
        select json_agg(json_build_object('until', past.valid_until, 'status', past.status, 'groupId', past.group_id,
          'parentId', past.parent_affiliate_id, 'type', past.commission_override_type, 'rate', past.commission_override_rate)
          order by past.valid_until, past.id)
        from affiliate_past_terms as past
        where past.program_id = affiliate.program_id and past.affiliate_id = affiliate.id and past.valid_until > ${from}
      ), '[]'::json) as past
    from affiliates as affiliate left join groups as tier on tier.program_id = affiliate.program_id and tier.id = affiliate.group_id
    where affiliate.program_id = ${programId}
      and affiliate.id in (select id from named union select parent_affiliate_id from named)`.execute(ctx.db);
  // JSON made by PostgreSQL has times in another form of ISO 8601.
  const normalize = (time: string) => new Date(time).toISOString();
  return new Map(rows.map((row) => [row.id, { ...row, past: row.past.map((terms) => ({ ...terms, until: normalize(terms.until) })) }]));
}
