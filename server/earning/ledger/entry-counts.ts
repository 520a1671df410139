// The numbers of ledger entries per UTC day and kind, which lists show. They change with every post (post.ts).
import { type RawBuilder, sql } from 'kysely';
import type { Context, Tx } from '../../context.ts';
import { type Period, sumByDay } from '../../platform/db/day-totals.ts';

/** The number of entries of these kinds (of all without any) in a period. */
export async function countEntries(
  ctx: Pick<Context, 'db'>,
  programId: string,
  { kind, created }: { kind?: readonly string[] | undefined; created: Period },
): Promise<number> {
  const matches = kind ? sql`program_id = ${programId} and kind = any(${[...kind]}::text[])` : sql`program_id = ${programId}`;
  const { entries } = await sumByDay(ctx, {
    stored: sql`select * from ledger_counts where ${matches}`,
    rows: sql`from ledger_entries where ${matches}`,
    at: sql`created_at`,
    timezone: 'UTC',
    period: created,
    measures: { entries: sql`1` },
  });
  return entries;
}

/** The counts as they follow from the rows, for the programs that match `scope` (a condition on program_id). */
export function countRowsOfLedger(scope: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select program_id, (created_at at time zone 'UTC')::date as day, kind, count(*) as entries
    from ledger_entries where ${scope} group by 1, 2, 3`;
}

/** Writes the counts of a program again. The ledger must be locked. */
export async function recountEntries(tx: Tx, programId: string): Promise<void> {
  await sql`delete from ledger_counts where program_id = ${programId}`.execute(tx.db);
  await sql`insert into ledger_counts ${countRowsOfLedger(sql`program_id = ${programId}`)}`.execute(tx.db);
}
