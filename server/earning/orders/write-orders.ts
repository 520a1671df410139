// Writes what follows from orders: the narrow row of each that lists filter, sort and add up, the totals of its day, the
// totals of its affiliates, and its events. Everything else about an order is in its own row and its commissions.
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../context.ts';
import type { NewEvent } from '../../messaging/events/define.ts';
import { recordEventsOf } from '../../messaging/events/record.ts';
import { type Addition, addToTotals } from '../../partners/affiliates/totals/add-to-totals.ts';
import { insertOfProgram } from '../../platform/db/inserts/insert-of-program.ts';
import { insertRows } from '../../platform/db/inserts/insert-rows.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { localDate, toUtcDay } from '../../platform/lib/zoned-time.ts';
import { type Conversion, statusPrecedence } from './conversion-shape.ts';
import { queueFirstSales } from './email-first-sale.ts';
import { conversionCreated, conversionHeld, type StatusChange } from './events.ts';

/** An order that was just recorded, and the products of its lines. */
export type NewOrder = { conversion: Conversion; productIds: readonly string[]; actor: Actor };

type Ledger = { programId: string; timezone: string };

/** Writes what follows from new orders. `events`: those of their commissions, which are recorded after theirs. */
export async function writeOrders(
  tx: Tx,
  { programId, timezone }: Ledger,
  orders: readonly NewOrder[],
  events: readonly { event: NewEvent; actor: Actor }[],
): Promise<void> {
  const rows = orders.map((order) => toSummary(programId, order));
  const counted = rows.map((row) => ({
    before: null,
    after: { ...row, day: toUtcDay(row.occurredAt), createdDay: toUtcDay(row.createdAt) },
  }));
  const additions = orders.flatMap(({ conversion }) => toAdditions(conversion, timezone));
  const created = orders.flatMap(({ conversion, actor }) => toCreatedEvents(conversion).map((event) => ({ event, actor })));
  const [beginners] = await Promise.all([
    addToTotals(tx, { programId, timezone }, additions),
    insertRows(tx, 'conversionSummaries', rows),
    addToDays(tx, programId, counted),
    recordEventsOf(tx, programId, [...created, ...events]),
  ]);
  if (beginners.length > 0) await queueFirstSales(tx, programId, { beginners, orders: rows });
}

function toSummary(programId: string, { conversion, productIds }: NewOrder) {
  const { id, affiliateId, status, attribution, amountCents, commissionCents, occurredAt, createdAt } = conversion;
  return {
    programId,
    id,
    affiliateId,
    status,
    method: attribution.method,
    hasConflict: attribution.conflict !== null,
    amountCents,
    refundedCents: 0,
    commissionCents,
    reversedCents: 0,
    productIds: [...new Set(productIds)].sort(),
    occurredAt: new Date(occurredAt),
    createdAt: new Date(createdAt),
  };
}

/** Orders and their commissions count on the day of the order. */
function toAdditions({ affiliateId, amountCents, occurredAt, commissions }: Conversion, timezone: string): Addition[] {
  const day = localDate(new Date(occurredAt), timezone);
  return [
    { affiliateId, day, conversions: 1, salesCents: amountCents },
    ...commissions.map((earned) => ({ affiliateId: earned.affiliateId, day, commissionsCents: earned.amountCents })),
  ];
}

function toCreatedEvents(conversion: Conversion): NewEvent[] {
  const occurrence = { objectId: conversion.id, affiliateId: conversion.affiliateId, data: conversion };
  const created = conversionCreated.of(occurrence);
  return conversion.status === 'held' ? [created, conversionHeld.of(occurrence)] : [created];
}

/** The status of an order as an aggregate over its commissions. */
export const orderStatus: RawBuilder<string> = sql.raw(
  `case ${statusPrecedence.map((status) => `when bool_or(status = '${status}') then '${status}'`).join(' ')} end`,
);

/** The products of the lines of `conversion`. */
export const lineProducts = sql`array(select distinct (line ->> 'productId')::uuid as id
  from jsonb_array_elements(conversion.facts -> 'lines') as line where line ->> 'productId' is not null order by id)`;

/** The columns of a summary that change with the order and its commissions. */
const changing = ['affiliateId', 'method', 'amountCents', 'refundedCents', 'productIds', 'status', 'commissionCents', 'reversedCents'];
const columnsOf = (table: string) => sql.join(changing.map((column) => sql.ref(`${table}.${column}`)));

/**
 * Brings what is stored about orders in line with their rows and their commissions, after any of these changed. Each order
 * is looked up on its own, so that the plan is right for a table without statistics too. Returns the orders whose status
 * changed. The ledger must be locked.
 */
export async function updateOrders(tx: Tx, programId: string, ids: readonly string[]): Promise<StatusChange[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<ChangedRow>`
    update conversion_summaries as summary set (${sql.join(changing.map((column) => sql.ref(column)))}) = row(${columnsOf('source')})
    from unnest(${[...new Set(ids)]}::uuid[]) as changed (id)
    join conversion_summaries as before on before.program_id = ${programId} and before.id = changed.id
    cross join lateral (
      select conversion.affiliate_id, conversion.method, conversion.amount_cents, conversion.refunded_cents, ${lineProducts} as product_ids,
        coalesce(earned.status, 'approved') as status, coalesce(earned.amount_cents, 0) as commission_cents,
        coalesce(earned.reversed_cents, 0) as reversed_cents
      from conversions as conversion cross join lateral (
        select ${orderStatus} as status, sum(amount_cents)::bigint as amount_cents, sum(reversed_cents)::bigint as reversed_cents
        from commissions where program_id = ${programId} and conversion_id = changed.id and kind = 'order' and moved_at is null
      ) as earned
      where conversion.program_id = ${programId} and conversion.id = changed.id offset 0
    ) as source
    where summary.program_id = ${programId} and summary.id = changed.id
      and (${columnsOf('summary')}) is distinct from (${columnsOf('source')})
    returning summary.id, ${returned}`.execute(tx.db);
  const changes = rows.map(toChange);
  await addToDays(tx, programId, changes);
  return changes.map(({ id, before, after }) => ({ id, from: before.status, to: after.status })).filter(({ from, to }) => from !== to);
}

const ordersPerStatement = 5000;

/** Brings all orders of a program in line, for a repair. The ledger must be locked. */
export async function rebuildOrders(tx: Tx, programId: string): Promise<void> {
  const rows = await tx.db.selectFrom('conversionSummaries').select('id').where('programId', '=', programId).execute();
  const ids = rows.map(({ id }) => id);
  for (let from = 0; from < ids.length; from += ordersPerStatement)
    await updateOrders(tx, programId, ids.slice(from, from + ordersPerStatement));
}

/** What the totals of an order's day depend on, and a change of an order changes. */
type Amounts = {
  status: string;
  method: string;
  hasConflict: boolean;
  amountCents: number;
  refundedCents: number;
  commissionCents: number;
  reversedCents: number;
};

type Counted = Amounts & { day: string; createdDay: string };

const amounts = ['status', 'method', 'hasConflict', 'amountCents', 'refundedCents', 'commissionCents', 'reversedCents'] as const;

type ChangedRow = Prefixed<'before'> & Prefixed<'after'> & { id: string; occurredAt: Date; createdAt: Date };
type Prefixed<Prefix extends string> = { [Name in keyof Amounts as `${Prefix}${Capitalize<Name>}`]: Amounts[Name] };

/** The columns of a `ChangedRow`, one by one: a cluster rejects functions that build JSON in RETURNING. */
const returned = sql.join([
  sql`summary.occurred_at, summary.created_at`,
  ...amounts.map((name) => sql`${sql.ref(`before.${name}`)} as ${sql.ref(`before_${name}`)}`),
  ...amounts.map((name) => sql`${sql.ref(`summary.${name}`)} as ${sql.ref(`after_${name}`)}`),
]);

function toChange(row: ChangedRow): { id: string; before: Counted; after: Counted } {
  const days = { day: toUtcDay(row.occurredAt), createdDay: toUtcDay(row.createdAt) };
  const before = {
    ...days,
    status: row.beforeStatus,
    method: row.beforeMethod,
    hasConflict: row.beforeHasConflict,
    amountCents: row.beforeAmountCents,
    refundedCents: row.beforeRefundedCents,
    commissionCents: row.beforeCommissionCents,
    reversedCents: row.beforeReversedCents,
  };
  const after = {
    ...days,
    status: row.afterStatus,
    method: row.afterMethod,
    hasConflict: row.afterHasConflict,
    amountCents: row.afterAmountCents,
    refundedCents: row.afterRefundedCents,
    commissionCents: row.afterCommissionCents,
    reversedCents: row.afterReversedCents,
  };
  return { id: row.id, before, after };
}

/** Adds changes of orders to the totals of their days; `before` is null for a new order. */
async function addToDays(tx: Tx, programId: string, changes: readonly { before: Counted | null; after: Counted }[]): Promise<void> {
  const signed = changes.flatMap(({ before, after }) => [...(before ? [{ ...before, sign: -1 }] : []), { ...after, sign: 1 }]);
  const days = Map.groupBy(signed, ({ day, createdDay, status, method, hasConflict }) =>
    [day, createdDay, status, method, hasConflict].join(' '),
  );
  const sums = [...days.values()].flatMap((ofDay) => sumDay(ofDay) ?? []);
  await insertDays(tx, programId, sums);
}

/** The row of a day; null if nothing changes. */
function sumDay(counted: readonly (Counted & { sign: number })[]) {
  const [first] = counted;
  const add = (of: (one: Counted) => number) => counted.reduce((sum, one) => sum + one.sign * of(one), 0);
  const sums = {
    orders: add(() => 1),
    amount_cents: add((one) => one.amountCents),
    refunded_cents: add((one) => one.refundedCents),
    commission_cents: add((one) => one.commissionCents),
    reversed_cents: add((one) => one.reversedCents),
  };
  if (!first || Object.values(sums).every((sum) => sum === 0)) return null;
  const { day, createdDay, status, method, hasConflict } = first;
  return { day, created_day: createdDay, status, method, has_conflict: hasConflict, ...sums };
}

const insertDays = insertOfProgram({
  into: 'conversion_totals as total',
  columns: {
    day: 'date',
    created_day: 'date',
    status: 'text',
    method: 'text',
    has_conflict: 'boolean',
    orders: 'bigint',
    amount_cents: 'bigint',
    refunded_cents: 'bigint',
    commission_cents: 'bigint',
    reversed_cents: 'bigint',
  },
  onConflict: `(program_id, day, created_day, status, method, has_conflict) do update set orders = total.orders + excluded.orders,
    amount_cents = total.amount_cents + excluded.amount_cents, refunded_cents = total.refunded_cents + excluded.refunded_cents,
    commission_cents = total.commission_cents + excluded.commission_cents,
    reversed_cents = total.reversed_cents + excluded.reversed_cents`,
});
