// Everything that the decision about a batch of orders depends on: the program's settings, orders that are already
// recorded, and the rows that the attribution signals name. One query for each kind, however many orders there are.
import type { Selectable } from 'kysely';
import { ExchangeRateSource, FlatRefunds } from '../../../accounts/programs/settings.ts';
import type { Context } from '../../../context.ts';
import type { Programs } from '../../../platform/db/schema.gen.ts';
import { plainSql } from '../../../platform/db/statements/plain-sql.ts';
import { NotFound } from '../../../platform/lib/errors.ts';
import { canonicalUuid } from '../../../platform/lib/ids.ts';
import { localDate } from '../../../platform/lib/zoned-time.ts';
import { type CouponTerms, findCoupons } from '../../../promotion/coupons/redeem.ts';
import { findAffiliates, type KnownAffiliate } from '../../commission-rules/earners/affiliate-at-order.ts';
import { OrderFacts } from '../../commission-rules/order-facts.ts';
import { type Buyer, findCustomers, identifyBuyer, type KnownCustomers, unknownBuyer } from '../../customers/buyer.ts';
import { type FoundRates, findRates, type WantedRate } from '../../exchange-rates/find-rates.ts';
import { FraudSettings } from '../../fraud/detect.ts';
import { type Browsers, findBrowsers } from '../../fraud/shared-device.ts';
import type { KnownProduct, ReportedOrder } from '../order.ts';
import type { Policy, Visit } from './attribution.ts';

type Db = Pick<Context, 'db'>;

/** The settings by which a program credits and pays. */
export type ProgramSettings = {
  currency: string;
  timezone: string;
  exchangeRateSource: ExchangeRateSource;
  policy: Policy;
  holdDays: number;
  capPercent: number | null;
  remembersCustomers: boolean;
  hashKey: Uint8Array;
  fraud: FraudSettings;
  flatRefunds: FlatRefunds;
};

export type RecordedOrder = { conversionId: string; facts: OrderFacts };

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
  /** Empty unless the program checks for shared devices. */
  browsers: Browsers;
  /** The rates of orders in other currencies, unless the program rejects them. */
  rates: FoundRates;
};

/** An order to look up. `buyer` is set where the order was reported before and no longer contains the address. */
export type OrderToLookUp = { order: ReportedOrder; buyer?: Buyer | undefined };

/**
 * The program's settings, and the rows that the orders refer to. The ledger must be locked, so that no other process
 * records one of these orders in the meantime.
 */
export async function lookUp(ctx: Pick<Context, 'db' | 'clock'>, programId: string, given: readonly OrderToLookUp[]): Promise<Lookup> {
  return lookUpRelated(ctx, programId, given, await lookUpNamed(ctx, programId, given));
}

/** What the orders name themselves. */
export async function lookUpNamed(ctx: Pick<Context, 'db' | 'clock'>, programId: string, given: readonly OrderToLookUp[]) {
  const orders = given.map(({ order }) => order);
  const orderIds = collect(orders, ({ orderId }) => orderId);
  const slugs = collect(orders, ({ referralCode }) => referralCode?.toLowerCase());
  const clickIds = collect(orders, ({ clickId }) => canonicalUuid(clickId ?? ''));
  const codes = collect(orders, ({ couponCode }) => couponCode);
  const from = findEarliest(ctx, orders);
  const [settings, recorded, links, visits, coupons, products] = await Promise.all([
    readSettings(ctx, programId),
    findRecordedOrders(ctx, programId, orderIds),
    findLinks(ctx, programId, slugs),
    findVisits(ctx, programId, clickIds, from),
    codes.length === 0 ? new Map<string, CouponTerms>() : findCoupons(ctx, programId, { codes, from }),
    findProducts(ctx, programId, orders),
  ]);
  return { settings, recorded, links, visits, coupons, products, from };
}

/** Adds the customers of the orders, and the affiliates that they and the signals lead to. */
export async function lookUpRelated(
  ctx: Pick<Context, 'db' | 'clock'>,
  programId: string,
  given: readonly OrderToLookUp[],
  { from, ...named }: Awaited<ReturnType<typeof lookUpNamed>>,
): Promise<Lookup> {
  const affiliateIds = [
    ...given.flatMap(({ order }) => order.affiliateId ?? []),
    ...named.links.values(),
    ...[...named.visits.values()].flat().map(({ affiliateId }) => affiliateId),
    ...[...named.coupons.values()].map(({ affiliateId }) => affiliateId),
  ];
  const customerKeys = given.flatMap((one) => toBuyer(one, named.settings).customerKeys);
  const wanted = listRates(ctx, given, named.settings);
  const [customers, signalled, rates] = await Promise.all([
    findCustomers(ctx, programId, customerKeys),
    findAffiliates(ctx, programId, [...new Set(affiliateIds)], from),
    wanted.length === 0 ? new Map() : findRates(ctx, programId, wanted),
  ]);
  const boundIds = [...customers.bindings.values()].flatMap(({ affiliateId }) => affiliateId ?? []);
  const bound = await findAffiliates(
    ctx,
    programId,
    [...new Set(boundIds)].filter((id) => !signalled.has(id)),
    from,
  );
  const affiliates = new Map([...signalled, ...bound]);
  const browsers = await findBrowsersOf(ctx, programId, { named, affiliateIds: [...affiliates.keys()] });
  return { ...named, customers, affiliates, browsers, rates };
}

/** The rates that orders in other currencies need; none in most programs, whose orders don't search for rates. */
function listRates({ clock }: Pick<Context, 'clock'>, given: readonly OrderToLookUp[], settings: ProgramSettings): WantedRate[] {
  if (settings.exchangeRateSource === 'off') return [];
  return given.flatMap(({ order }) => findWantedRate(order, settings, clock.now()) ?? []);
}

/** The rate that an order is converted at; null for an order in the currency of the program. */
export function findWantedRate(
  { currency, occurredAt }: Pick<ReportedOrder, 'currency' | 'occurredAt'>,
  settings: Pick<ProgramSettings, 'currency' | 'timezone'>,
  now: Date,
): WantedRate | null {
  if (currency === undefined || currency === settings.currency) return null;
  return { currency, day: localDate(occurredAt ?? now, settings.timezone) };
}

type Candidates = { named: Pick<Lookup, 'settings' | 'visits'>; affiliateIds: readonly string[] };

async function findBrowsersOf(ctx: Db, programId: string, { named, affiliateIds }: Candidates): Promise<Browsers> {
  if (named.settings.fraud.sharedDevice === 'off' || affiliateIds.length === 0) return new Map();
  const visitorIds = [...named.visits.values()].flat().flatMap(({ visitorId }) => visitorId ?? []);
  return findBrowsers(ctx, programId, { visitorIds: [...new Set(visitorIds)], affiliateIds });
}

/** The time of the earliest order, at most now. */
function findEarliest({ clock }: Pick<Context, 'clock'>, orders: readonly ReportedOrder[]): Date {
  return new Date(Math.min(clock.now().getTime(), ...orders.flatMap(({ occurredAt }) => occurredAt?.getTime() ?? [])));
}

export function toBuyer({ order: { customer }, buyer }: OrderToLookUp, { hashKey }: ProgramSettings): Buyer {
  return buyer ?? (customer ? identifyBuyer(customer, hashKey) : unknownBuyer);
}

function collect(orders: readonly ReportedOrder[], pick: (order: ReportedOrder) => string | null | undefined): string[] {
  return [...new Set(orders.flatMap((order) => pick(order) ?? []))];
}

export async function readSettings(ctx: Db, programId: string): Promise<ProgramSettings> {
  const { rows } = await plainSql<Selectable<Programs>>`select * from programs where id = ${programId}`.execute(ctx.db);
  const [row] = rows;
  if (!row) throw new NotFound();
  return {
    currency: row.currency,
    timezone: row.timezone,
    exchangeRateSource: ExchangeRateSource.parse(row.exchangeRateSource),
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

async function findRecordedOrders(ctx: Db, programId: string, orderIds: readonly string[]): Promise<Map<string, RecordedOrder>> {
  const { rows } = await plainSql<{ id: string; orderId: string; facts: unknown }>`
    select id, order_id, facts from conversions where program_id = ${programId} and order_id = any(${orderIds})`.execute(ctx.db);
  return new Map(rows.map(({ id, orderId, facts }) => [orderId, { conversionId: id, facts: OrderFacts.parse(facts) }]));
}

async function findLinks(ctx: Db, programId: string, slugs: readonly string[]): Promise<Map<string, string>> {
  if (slugs.length === 0) return new Map();
  const { rows } = await plainSql<{ slug: string; affiliateId: string }>`
    select slug, affiliate_id from short_links where program_id = ${programId} and slug = any(${slugs})`.execute(ctx.db);
  return new Map(rows.map(({ slug, affiliateId }) => [slug, affiliateId]));
}

/** The clicks that orders since `from` name, with the earlier ones of their visitors within the program's window. */
async function findVisits(ctx: Db, programId: string, clickIds: readonly string[], from: Date): Promise<Map<string, Visit[]>> {
  if (clickIds.length === 0) return new Map();
  const { rows } = await plainSql<Visit & { clickId: string }>`
    select named.id as click_id, visit.id, visit.affiliate_id, visit.created_at as at, visit.action, visit.sub_ids,
      visit.referrer_host, visit.destination, visit.ad_parameter, visit.visitor_id
    from clicks as named join programs as program on program.id = ${programId}
    join clicks as visit on visit.program_id = ${programId} and (visit.id = named.id or (visit.visitor_id = named.visitor_id
      and visit.created_at >= ${from}::timestamptz - make_interval(hours => 24 * program.attribution_window_days)))
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
  const { rows } = await plainSql<KnownProduct>`
    select id, external_id, sku, name, category from products where program_id = ${programId}
      and (id = any(${ids}::uuid[]) or external_id = any(${externalIds}) or sku = any(${skus}))
    order by created_at, id`.execute(ctx.db);
  return rows;
}
