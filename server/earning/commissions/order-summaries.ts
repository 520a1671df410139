// The narrow row of each order that lists filter, sort and add up: its figures and the status of its commissions. Every
// operation that changes one of them updates the row in the same transaction, and the totals of its day.
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../context.ts';
import { insertRows } from '../../platform/db/insert-rows.ts';
import { toUtcDay } from '../../platform/lib/zoned-time.ts';
import { addToConversionTotals, type Counted, countedOf } from './counts/conversion-totals.ts';

/** The status of an order is the first of these that one of its commissions has; without a commission, `approved`. */
export const statusPrecedence = ['held', 'pending', 'approved', 'paid', 'reversed', 'rejected'] as const;

export type OrderSummary = {
  id: string;
  affiliateId: string;
  status: (typeof statusPrecedence)[number];
  method: string;
  hasConflict: boolean;
  amountCents: number;
  commissionCents: number;
  productIds: readonly string[];
  occurredAt: Date;
  createdAt: Date;
};

/** Writes the rows of new orders. */
export async function insertSummaries(tx: Tx, programId: string, summaries: readonly OrderSummary[]): Promise<void> {
  const rows = summaries.map(({ productIds, ...summary }) => ({
    ...summary,
    programId,
    productIds: [...productIds],
    refundedCents: 0,
    reversedCents: 0,
  }));
  const changes = rows.map((row) => ({
    before: null,
    after: { ...row, day: toUtcDay(row.occurredAt), createdDay: toUtcDay(row.createdAt) },
  }));
  await Promise.all([insertRows(tx, 'conversionSummaries', rows), addToConversionTotals(tx, programId, changes)]);
}

type Changed = { id: string; before: Counted; after: Counted };

/** The row that an update of `summary` replaces, as `before`. */
const rowBefore = (programId: string, id: RawBuilder<unknown>) =>
  sql`(select * from conversion_summaries where program_id = ${programId} and id = ${id}) as before`;

const returningBoth = sql`returning summary.id, ${countedOf('before')} as before, ${countedOf('summary')} as after`;

/** Stores the total refunded amount of an order. */
export async function setSummaryRefunded(
  tx: Tx,
  programId: string,
  { conversionId, refundedCents }: { conversionId: string; refundedCents: number },
): Promise<void> {
  const { rows } = await sql<Changed>`
    update conversion_summaries as summary set refunded_cents = ${refundedCents}
    from ${rowBefore(programId, sql`${conversionId}`)}
    where summary.program_id = ${programId} and summary.id = ${conversionId} ${returningBoth}`.execute(tx.db);
  await addToConversionTotals(tx, programId, rows);
}

/** Writes the row of an order again, after it was moved to another affiliate or increased. */
export async function rewriteSummary(tx: Tx, programId: string, conversionId: string, productIds: readonly string[]): Promise<void> {
  const { rows } = await sql<Changed>`
    update conversion_summaries as summary set affiliate_id = conversion.affiliate_id, method = conversion.method,
      amount_cents = conversion.amount_cents, product_ids = ${[...productIds]}::uuid[], status = coalesce(earned.status, 'approved'),
      commission_cents = coalesce(earned.amount_cents, 0), reversed_cents = coalesce(earned.reversed_cents, 0)
    from conversions as conversion cross join lateral (
      select ${orderStatus} as status, sum(amount_cents)::bigint as amount_cents, sum(reversed_cents)::bigint as reversed_cents
      from commissions where program_id = ${programId} and conversion_id = ${conversionId} and kind = 'order' and moved_at is null
    ) as earned cross join ${rowBefore(programId, sql`${conversionId}`)}
    where summary.program_id = ${programId} and summary.id = ${conversionId}
      and conversion.program_id = ${programId} and conversion.id = ${conversionId} ${returningBoth}`.execute(tx.db);
  await addToConversionTotals(tx, programId, rows);
}

/** An order whose status has changed. */
export type StatusChange = { id: string; from: string; to: string };

/**
 * Brings the orders of these commissions in line with all their commissions. Each order is looked up by itself, so that the
 * plan is right also for a table without statistics. Returns the orders whose status has changed.
 */
export async function refreshSummaries(tx: Tx, programId: string, commissionIds: readonly string[]): Promise<StatusChange[]> {
  if (commissionIds.length === 0) return [];
  const { rows } = await sql<Changed>`
    with changed as materialized (
      select distinct conversion_id as id from commissions
      where program_id = ${programId} and id = any(${commissionIds}::uuid[]) and conversion_id is not null
    )
    update conversion_summaries as summary set status = earned.status, reversed_cents = earned.reversed_cents
    from changed join conversion_summaries as before on before.program_id = ${programId} and before.id = changed.id
    cross join lateral (
      select ${orderStatus} as status, sum(reversed_cents)::bigint as reversed_cents from commissions
      where program_id = ${programId} and conversion_id = changed.id and kind = 'order' and moved_at is null offset 0
    ) as earned
    where summary.program_id = ${programId} and summary.id = changed.id and earned.status is not null
      and (summary.status, summary.reversed_cents) is distinct from (earned.status, earned.reversed_cents)
    ${returningBoth}`.execute(tx.db);
  await addToConversionTotals(tx, programId, rows);
  return rows.map(({ id, before, after }) => ({ id, from: before.status, to: after.status })).filter(({ from, to }) => from !== to);
}

/** The status of an order as an aggregate over its commissions. */
export const orderStatus: RawBuilder<string> = sql.raw(
  `case ${statusPrecedence.map((status) => `when bool_or(status = '${status}') then '${status}'`).join(' ')} end`,
);
