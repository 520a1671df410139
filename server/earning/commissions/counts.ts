// The numbers of commissions that lists show, stored per UTC day, status and kind; and per affiliate the number that the
// available balance of the ledger adds up. They change where commissions are inserted and where their status or their
// amounts change; the ledger is locked there.
import { type RawBuilder, sql } from 'kysely';
import type { Context, Tx } from '../../context.ts';
import { type Period, sumByDay } from '../../platform/db/day-totals.ts';
import { insertOfProgram } from '../../platform/db/inserts/insert-of-program.ts';
import { toUtcDay } from '../../platform/lib/zoned-time.ts';
import { owedCents, type Row, toAccount } from './commission.ts';

/** Commissions with an amount owed to or by the affiliate. The condition of the index commissions_owing. */
export const isOwed = sql`status not in ('pending', 'held') and amount_cents - reversed_cents - settled_cents <> 0`;

type Counted = Pick<Row, 'affiliateId' | 'createdAt' | 'kind' | 'status' | 'amountCents' | 'reversedCents' | 'settledCents'>;

/** A commission before and after a change; `before` is null for a new one. */
export type CountedChange = { before: Counted | null; after: Counted };

/** Adds changes of commissions to the counts. The ledger must be locked. */
export async function addToCounts(tx: Tx, programId: string, changes: readonly CountedChange[]): Promise<void> {
  await Promise.all([addToDays(tx, programId, changes), addToOwed(tx, programId, changes)]);
}

async function addToDays(tx: Tx, programId: string, changes: readonly CountedChange[]): Promise<void> {
  const moved = changes.filter(({ before, after }) => before?.status !== after.status);
  if (moved.length === 0) return;
  const sums = new Map<string, number>();
  const add = ({ createdAt, status, kind }: Counted, sign: number) => {
    const key = `${toUtcDay(createdAt)} ${status} ${kind}`;
    sums.set(key, (sums.get(key) ?? 0) + sign);
  };
  for (const { before, after } of moved) {
    if (before) add(before, -1);
    add(after, 1);
  }
  const rows = [...sums].sort().map(([key, commissions]) => {
    const [day = '', status = '', kind = ''] = key.split(' ');
    return { day, status, kind, commissions };
  });
  await insertCounts(
    tx,
    programId,
    rows.filter(({ commissions }) => commissions !== 0),
  );
}

const insertCounts = insertOfProgram({
  into: 'commission_counts as stored',
  columns: { day: 'date', status: 'text', kind: 'text', commissions: 'bigint' },
  onConflict: '(program_id, day, status, kind) do update set commissions = stored.commissions + excluded.commissions',
});

const countOwed = (row: Counted) => (toAccount(row.status) === 'available' && owedCents(row) !== 0 ? 1 : 0);

async function addToOwed(tx: Tx, programId: string, changes: readonly CountedChange[]): Promise<void> {
  const added = changes
    .map(({ before, after }) => ({ id: after.affiliateId, added: countOwed(after) - (before ? countOwed(before) : 0) }))
    .filter((change) => change.added !== 0);
  if (added.length === 0) return;
  await sql`
    insert into owed_commissions as stored (program_id, affiliate_id, commissions)
    select ${programId}::uuid, id, sum(added)
    from unnest(${added.map(({ id }) => id)}::uuid[], ${added.map((change) => change.added)}::integer[]) as change (id, added)
    group by id having sum(added) <> 0
    on conflict (program_id, affiliate_id) do update set commissions = stored.commissions + excluded.commissions`.execute(tx.db);
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

/** The numbers per affiliate as they follow from the rows. */
export function countRowsOwed(scope: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select program_id, affiliate_id, count(*) as commissions from commissions where ${isOwed} and ${scope} group by 1, 2`;
}

/** Writes the counts of a program again. The ledger must be locked. */
export async function recountCommissions(tx: Tx, programId: string): Promise<void> {
  await sql`delete from commission_counts where program_id = ${programId}`.execute(tx.db);
  await sql`insert into commission_counts ${countRowsOfCommissions(sql`program_id = ${programId}`)}`.execute(tx.db);
  await sql`delete from owed_commissions where program_id = ${programId}`.execute(tx.db);
  await sql`insert into owed_commissions ${countRowsOwed(sql`program_id = ${programId}`)}`.execute(tx.db);
}
