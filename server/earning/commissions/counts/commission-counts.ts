// The numbers of commissions that lists show, stored per UTC day, status and kind. They change where commissions are
// inserted and where their status changes; the ledger is locked there.
import { type RawBuilder, sql } from 'kysely';
import type { Context, Tx } from '../../../context.ts';
import { plainSql } from '../../../platform/db/statements/plain-sql.ts';
import { type Period, sumByDay } from '../../../platform/http/declaration/day-totals.ts';
import { type FindLandmark, nearestMidnight } from '../../../platform/http/declaration/slice.ts';
import { toUtcDay } from '../../../platform/lib/zoned-time.ts';

/** A commission that was added to (`sign` 1) or removed from (-1) those in its status. */
export type CountedCommission = { createdAt: Date; status: string; kind: string; sign: 1 | -1 };

/** Adds changes to the counts. The ledger must be locked. */
export async function addToCommissionCounts(tx: Tx, programId: string, changes: readonly CountedCommission[]): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map(({ createdAt, ...change }) => ({ ...change, day: toUtcDay(createdAt) }));
  await plainSql`
    insert into commission_counts as stored (program_id, day, status, kind, commissions)
    select ${programId}::uuid, day, status, kind, sum(sign)
    from json_to_recordset(${JSON.stringify(rows)}::json) as change (day date, status text, kind text, sign integer)
    group by day, status, kind having sum(sign) <> 0
    on conflict (program_id, day, status, kind) do update set commissions = stored.commissions + excluded.commissions`.execute(tx.db);
}

/** The filters that stored counts cover. `created` is a period. */
export type CountFilters = { status?: readonly string[] | undefined; kind?: readonly string[] | undefined; created: Period };

/** The number of commissions that match. */
export async function countCommissions(
  ctx: Pick<Context, 'db'>,
  programId: string,
  { status, kind, created }: CountFilters,
): Promise<number> {
  const matches = toCondition(programId, { status, kind });
  const { commissions } = await sumByDay(ctx, {
    stored: sql`select * from commission_counts where ${matches}`,
    rows: sql`from commissions where ${matches}`,
    at: sql`created_at`,
    timezone: 'UTC',
    period: created,
    measures: { commissions: sql`1` },
  });
  return commissions;
}

/** Finds places in the list of these commissions, sorted by when they were created. */
export function commissionLandmarks(ctx: Pick<Context, 'db'>, programId: string, filters: Omit<CountFilters, 'created'>): FindLandmark {
  return nearestMidnight(ctx, sql`select day, commissions as rows from commission_counts where ${toCondition(programId, filters)}`);
}

function toCondition(programId: string, { status, kind }: Omit<CountFilters, 'created'>): RawBuilder<unknown> {
  return sql.join(
    [
      sql`program_id = ${programId}`,
      ...(status ? [sql`status = any(${[...status]}::text[])`] : []),
      ...(kind ? [sql`kind = any(${[...kind]}::text[])`] : []),
    ],
    sql` and `,
  );
}

/** The counts as they follow from the rows, for the programs that match `scope` (a condition on program_id). */
export function countRowsOfCommissions(scope: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select program_id, (created_at at time zone 'UTC')::date as day, status, kind, count(*) as commissions
    from commissions where ${scope} group by 1, 2, 3, 4`;
}

/** Writes the counts of a program again. The ledger must be locked. */
export async function recountCommissions(tx: Tx, programId: string): Promise<void> {
  await sql`delete from commission_counts where program_id = ${programId}`.execute(tx.db);
  await sql`insert into commission_counts ${countRowsOfCommissions(sql`program_id = ${programId}`)}`.execute(tx.db);
}
