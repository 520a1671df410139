// Fetching what the hints of orders name: one query for each kind of hint, however many orders wait.
import { sql } from 'kysely';
import type { Tx } from '../../../context.ts';
import { canonicalUuid } from '../../../platform/lib/ids.ts';
import { foldCase } from '../../../platform/lib/text.ts';
import { type CouponTerms, findCoupons } from '../../../promotion/coupons/redeem.ts';
import type { KnownProduct } from '../lines.ts';
import type { ReportedOrder } from '../order.ts';
import type { Visit } from './attribution.ts';
import { buyerOf, type OrderOfBuyer } from './buyer.ts';
import { findPeople, type People } from './people.ts';

export type Customer = { affiliateId: string; firstOrderAt: Date; orders: number };

export type Found = {
  links: Map<string, string>;
  /** By the named click: all visits of its visitor. */
  visits: Map<string, Visit[]>;
  coupons: Map<string, CouponTerms>;
  customers: Map<string, Customer>;
  products: KnownProduct[];
  people: People;
};

type Look = { hashKey: Buffer; windowDays: number };

/** Everything that these orders name. */
export async function lookUp(tx: Tx, programId: string, orders: readonly OrderOfBuyer[], { hashKey, windowDays }: Look): Promise<Found> {
  const links = await findLinks(
    tx,
    programId,
    present(orders, ({ referralCode }) => referralCode?.toLowerCase()),
  );
  const first = Math.min(tx.clock.now().getTime(), ...orders.flatMap(({ occurredAt }) => occurredAt?.getTime() ?? []));
  const clickIds = present(orders, ({ clickId }) => canonicalUuid(clickId ?? ''));
  const visits = await findVisits(tx, programId, clickIds, new Date(first - windowDays * 86_400_000));
  const coupons = await couponsOf(
    tx,
    programId,
    present(orders, ({ couponCode }) => couponCode),
  );
  const customers = await findCustomers(
    tx,
    programId,
    orders.flatMap((order) => buyerOf(order, hashKey).customerKeys),
  );
  const products = await findProducts(tx, programId, orders);
  const affiliateIds = [
    ...present(orders, ({ affiliateId }) => affiliateId),
    ...links.values(),
    ...[...visits.values()].flatMap((of) => of.map(({ affiliateId }) => affiliateId)),
    ...[...coupons.values()].map(({ affiliateId }) => affiliateId),
    ...[...customers.values()].map(({ affiliateId }) => affiliateId),
  ];
  const people = await findPeople(tx, programId, { ids: [...new Set(affiliateIds)], from: new Date(first) });
  return { links, visits, coupons, customers, products, people };
}

function present(orders: readonly ReportedOrder[], pick: (order: ReportedOrder) => string | null | undefined): string[] {
  return [...new Set(orders.flatMap((order) => pick(order) ?? []))];
}

async function findLinks(tx: Tx, programId: string, slugs: string[]): Promise<Map<string, string>> {
  if (slugs.length === 0) return new Map();
  const { rows } = await sql<{ slug: string; affiliateId: string }>`
    select slug, affiliate_id from short_links where program_id = ${programId} and slug = any(${slugs})`.execute(tx.db);
  return new Map(rows.map(({ slug, affiliateId }) => [slug, affiliateId]));
}

async function findVisits(tx: Tx, programId: string, clickIds: string[], since: Date): Promise<Map<string, Visit[]>> {
  if (clickIds.length === 0) return new Map();
  const { rows } = await sql<{ named: string; id: string; affiliateId: string; at: Date; action: Visit['action'] }>`
    select named.id as named, visit.id, visit.affiliate_id, visit.created_at as at, visit.action
    from clicks as named join clicks as visit on visit.program_id = named.program_id
      and (visit.id = named.id or (visit.visitor_id = named.visitor_id and visit.created_at >= ${since}))
    where named.program_id = ${programId} and named.id = any(${clickIds}::uuid[])`.execute(tx.db);
  return Map.groupBy(rows, ({ named }) => named);
}

async function couponsOf(tx: Tx, programId: string, codes: string[]): Promise<Map<string, CouponTerms>> {
  return codes.length === 0 ? new Map() : findCoupons(tx, programId, codes);
}

/** The key of a coupon code, as the map of coupons has it. */
export function couponKey(code: string): string {
  return foldCase(code.trim());
}

async function findCustomers(tx: Tx, programId: string, keys: string[]): Promise<Map<string, Customer>> {
  if (keys.length === 0) return new Map();
  const { rows } = await sql<Customer & { key: string }>`
    select key, affiliate_id, first_order_at, orders from customers
    where program_id = ${programId} and key = any(${keys})`.execute(tx.db);
  return new Map(rows.map(({ key, ...customer }) => [key, customer]));
}

async function findProducts(tx: Tx, programId: string, orders: readonly ReportedOrder[]): Promise<KnownProduct[]> {
  const items = orders.flatMap((order) => order.items);
  const ids = items.flatMap(({ productId }) => productId ?? []);
  const externalIds = items.flatMap(({ externalProductId }) => externalProductId ?? []);
  const skus = items.flatMap(({ sku }) => sku ?? []);
  if (ids.length + externalIds.length + skus.length === 0) return [];
  const { rows } = await sql<KnownProduct>`
    select id, external_id, sku, name, category from products where program_id = ${programId}
      and (id = any(${ids}::uuid[]) or external_id = any(${externalIds}) or sku = any(${skus}))
    order by created_at, id`.execute(tx.db);
  return rows;
}
