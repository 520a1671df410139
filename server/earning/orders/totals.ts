// The numbers and sums of orders that lists show, stored per UTC day on which the orders occurred, UTC day on which they
// were recorded, and what orders are filtered by most. They change with the orders (write-orders.ts).
import { type RawBuilder, sql } from 'kysely';
import type { Context, Tx } from '../../context.ts';
import { type Period, sumByDay } from '../../platform/db/day-totals.ts';

/** The filters that stored totals cover. */
export type TotalFilters = {
  status?: readonly string[] | undefined;
  method?: readonly string[] | undefined;
  hasConflict?: boolean | undefined;
  /** The time that the period is of. */
  by: OrderTime;
  period: Period;
};

type OrderTime = 'occurredAt' | 'createdAt';

/** The column with the day of each time. */
const dayColumns = { occurredAt: sql`day`, createdAt: sql`created_day` };

const sums = {
  amountCents: sql`amount_cents`,
  refundedCents: sql`refunded_cents`,
  commissionCents: sql`commission_cents`,
  reversedCents: sql`reversed_cents`,
};

/** The number of orders that match. */
export async function countOrders(ctx: Pick<Context, 'db'>, programId: string, filters: TotalFilters): Promise<number> {
  return (await sumByDay(ctx, { ...toTotals(programId, filters), measures: { orders: sql`1` } })).orders;
}

/** The number of orders that match, and their sums. */
export function sumOrders(ctx: Pick<Context, 'db'>, programId: string, filters: TotalFilters) {
  return sumByDay(ctx, { ...toTotals(programId, filters), measures: { orders: sql`1`, ...sums } });
}

function toTotals(programId: string, { by, period, ...filters }: TotalFilters) {
  const matches = toCondition(programId, filters);
  return {
    stored: sql`select ${dayColumns[by]} as day, orders, ${sql.join(Object.values(sums))} from conversion_totals where ${matches}`,
    rows: sql`from conversion_summaries where ${matches}`,
    at: sql.ref(by),
    timezone: 'UTC',
    period,
  };
}

function toCondition(programId: string, { status, method, hasConflict }: Omit<TotalFilters, 'by' | 'period'>): RawBuilder<unknown> {
  return sql.join(
    [
      sql`program_id = ${programId}`,
      ...(status ? [sql`status = any(${[...status]}::text[])`] : []),
      ...(method ? [sql`method = any(${[...method]}::text[])`] : []),
      ...(hasConflict === undefined ? [] : [sql`has_conflict = ${hasConflict}`]),
    ],
    sql` and `,
  );
}

/** The totals as they follow from the rows, for the programs that match `scope` (a condition on program_id). */
export function sumSummaries(scope: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select program_id, (occurred_at at time zone 'UTC')::date as day, status, method, has_conflict, count(*) as orders,
      sum(amount_cents)::bigint as amount_cents, sum(refunded_cents)::bigint as refunded_cents,
      sum(commission_cents)::bigint as commission_cents, sum(reversed_cents)::bigint as reversed_cents,
      (created_at at time zone 'UTC')::date as created_day
    from conversion_summaries where ${scope} group by 1, 2, 3, 4, 5, created_day`;
}

/** Writes the totals of a program again. The ledger must be locked. */
export async function recountConversionTotals(tx: Tx, programId: string): Promise<void> {
  await sql`delete from conversion_totals where program_id = ${programId}`.execute(tx.db);
  await sql`insert into conversion_totals ${sumSummaries(sql`program_id = ${programId}`)}`.execute(tx.db);
}
