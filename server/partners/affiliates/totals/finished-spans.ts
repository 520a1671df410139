// The finished days, weeks and months of a program whose sums by breakdown are stored (breakdown_totals). A transaction that changes a
// row of such a day outdates its spans; they are then added up again.
import { type RawBuilder, sql } from 'kysely';
import type { Context, Tx } from '../../../context.ts';
import { plainSql } from '../../../platform/db/statements/plain-sql.ts';
import { addDays, type Interval, type LocalDate, mondayOf, startOfNext } from '../../../platform/lib/zoned-time.ts';

/** `startsOn` is the first day. */
export type SpanKey = { span: Interval; startsOn: LocalDate };
export type FinishedSpan = SpanKey & { startsAt: Date; endsAt: Date };

/** The last day of a span. */
export function lastOf({ span, startsOn }: SpanKey): LocalDate {
  return addDays(startOfNext(span, startsOn), -1);
}

/**
 * Outdates the spans of these days. Call it in the transaction that changes a row of a day. Only finished days have spans, so most
 * orders outdate none.
 */
export async function outdateSpans(tx: Pick<Tx, 'db'>, programId: string, days: readonly LocalDate[]): Promise<void> {
  await plainSql`
    update breakdown_spans set is_current = false, changes = changes + 1
    where program_id = ${programId} and (span = 'day' and starts_on = any(${days}::date[])
      or span = 'week' and starts_on = any(${days.map(mondayOf)}::date[])
      or span = 'month' and starts_on = any(${days.map((day) => `${day.slice(0, 7)}-01`)}::date[]))`.execute(tx.db);
}

/** Outdates every span of a program. */
export async function outdateAllSpans(tx: Pick<Tx, 'db'>, programId: string): Promise<void> {
  await sql`update breakdown_spans set is_current = false, changes = changes + 1 where program_id = ${programId}`.execute(tx.db);
}

/** Outdates the spans of the clicks in `old` (`id`, `created_at`) and of their orders, as part of the statement that erases their visitors. */
export function outdateErased(programId: string): RawBuilder<unknown> {
  return sql`
    update breakdown_spans as span set is_current = false, changes = span.changes + 1
    where span.program_id = ${programId} and (
      exists (select from old where old.created_at >= span.starts_at and old.created_at < span.ends_at)
      or exists (
        select from old join conversions as sale on sale.program_id = ${programId} and sale.click_id = old.id
        where sale.occurred_at >= span.starts_at and sale.occurred_at < span.ends_at))`;
}

/**
 * Adds spans that are finished now, and removes those of another time zone. The ledger must be locked: a transaction that changes
 * money has either ended or finds the new spans.
 */
export async function addFinishedSpans(
  tx: Pick<Tx, 'db'>,
  { programId, timezone }: { programId: string; timezone: string },
  spans: readonly FinishedSpan[],
): Promise<void> {
  await sql`delete from breakdown_spans where program_id = ${programId} and timezone <> ${timezone}`.execute(tx.db);
  if (spans.length === 0) return;
  await sql`
    insert into breakdown_spans (program_id, span, starts_on, starts_at, ends_at, timezone)
    select ${programId}::uuid, added.*, ${timezone}::text
    from unnest(${spans.map(({ span }) => span)}::text[], ${spans.map(({ startsOn }) => startsOn)}::date[],
      ${spans.map(({ startsAt }) => startsAt)}::timestamptz[], ${spans.map(({ endsAt }) => endsAt)}::timestamptz[]) as added
    on conflict on constraint breakdown_spans_pkey do nothing`.execute(tx.db);
}

/** How often the rows of a span have changed. Read it before the rows. */
export async function readChanges({ db }: Pick<Context, 'db'>, programId: string, { span, startsOn }: SpanKey): Promise<number | null> {
  const { rows } = await sql<{ changes: number }>`
    select changes from breakdown_spans where program_id = ${programId} and span = ${span} and starts_on = ${startsOn}`.execute(db);
  return rows[0]?.changes ?? null;
}

/** Marks a span as added up, unless its rows have changed since `changes` was read. */
export async function markCurrent(tx: Pick<Tx, 'db'>, programId: string, { span, startsOn }: SpanKey, changes: number): Promise<void> {
  await sql`
    update breakdown_spans set is_current = true
    where program_id = ${programId} and span = ${span} and starts_on = ${startsOn} and changes = ${changes}`.execute(tx.db);
}
