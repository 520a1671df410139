// Reverses bonuses whose cause was undone, with their adjustments, and restores them. A bonus has no order, so refunds don't
// reverse it.
import { sql } from 'kysely';
import type { Tx } from '../../../context.ts';
import { recordEvents } from '../../../messaging/events/record.ts';
import { addToTotals } from '../../../partners/affiliates/totals/add-to-totals.ts';
import { localDate } from '../../../platform/lib/zoned-time.ts';
import { type LockedLedger, post } from '../../ledger/post.ts';
import type { ChangedBy } from '../change.ts';
import type { Row } from '../commission.ts';
import { addToCounts } from '../counts.ts';
import { toAmountEvents } from '../events.ts';
import { toReversalTransfer } from '../reverse.ts';
import { updateStatuses } from '../status.ts';

/** Reverses bonuses in full. The ledger must be locked. */
export function reverseBonuses(tx: Tx, ledger: LockedLedger, ids: readonly string[], by: ChangedBy): Promise<void> {
  return setReversed(tx, ledger, { ids, toReversedCents: ({ amountCents }) => amountCents }, by);
}

/** Restores reversed bonuses: pending until their hold period ends, then payable. The ledger must be locked. */
export function restoreBonuses(tx: Tx, ledger: LockedLedger, ids: readonly string[], by: ChangedBy): Promise<void> {
  return setReversed(tx, ledger, { ids, toReversedCents: () => 0 }, by);
}

type Setting = { ids: readonly string[]; toReversedCents: (row: Row) => number };

async function setReversed(tx: Tx, ledger: LockedLedger, { ids, toReversedCents }: Setting, by: ChangedBy): Promise<void> {
  const { programId, timezone } = ledger;
  const before = (await lockBonuses(tx, programId, ids)).filter((row) => row.reversedCents !== toReversedCents(row));
  const after = before.map((row) => ({ ...row, reversedCents: toReversedCents(row) }));
  const column = (pick: (row: Row) => string | number) => after.map(pick);
  await sql`
    update commissions as commission set reversed_cents = change.cents, updated_at = ${tx.clock.now()}
    from unnest(${column(({ id }) => id)}::uuid[], ${column((row) => row.reversedCents)}::bigint[]) as change (id, cents)
    where commission.program_id = ${programId} and commission.id = change.id`.execute(tx.db);
  const changes = before.map((row, index) => ({ before: row, after: after[index] ?? row }));
  await addToCounts(tx, programId, changes);
  await recordEvents(tx, { programId, actor: by.actor }, await toAmountEvents(tx, programId, before));
  const granted = new Map(before.map(({ id, createdAt }) => [id, createdAt]));
  const cause = `bonus:${tx.ids.uuid()}`;
  const moved = changes.map(({ before: row, after: { reversedCents } }) => ({ row, cents: reversedCents - row.reversedCents }));
  // A bonus and its adjustments count on the day on which it was granted.
  const additions = moved.map(({ row, cents }) => ({
    affiliateId: row.affiliateId,
    day: localDate(granted.get(row.adjustsCommissionId ?? row.id) ?? row.createdAt, timezone),
    reversalsCents: cents,
  }));
  await addToTotals(tx, ledger, additions);
  const transfers = moved.flatMap(({ row, cents }) => toReversalTransfer(row, cents, cause));
  await post(tx, ledger, [...transfers, ...(await updateStatuses(tx, ledger, after, by))]);
}

/** Locks bonuses and their adjustments. */
async function lockBonuses(tx: Tx, programId: string, ids: readonly string[]): Promise<Row[]> {
  const commissions = tx.db.selectFrom('commissions').selectAll().where('programId', '=', programId);
  const wanted = sql<string>`any(${[...ids]}::uuid[])`;
  const both = commissions.where((row) => row.or([row('id', '=', wanted), row('adjustsCommissionId', '=', wanted)]));
  return both.orderBy('id').forNoKeyUpdate().execute();
}
