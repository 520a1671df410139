// The only writer of money. Every operation that moves money first locks the program's ledger: one row lock per
// transaction, taken before any other row that money depends on. Until the transaction ends, no other operation
// changes the program's money, and two of them can't deadlock.
import { createHash } from 'node:crypto';
import type { Tx } from '../../context.ts';
import { markFigures } from '../../partners/affiliates/totals/add-to-totals.ts';
import { insertOfProgram } from '../../platform/db/inserts/insert-of-program.ts';
import { insertRows } from '../../platform/db/inserts/insert-rows.ts';
import { plainSql } from '../../platform/db/statements/plain-sql.ts';
import { AmountTooLarge, maxBalanceCents, sumOf } from '../../platform/lib/money.ts';
import { toUtcDay } from '../../platform/lib/zoned-time.ts';
import { type Account, type AffiliateAccount, affiliateAccounts, type Kind, movements } from './chart.ts';

/** A program's ledger, locked for this transaction. `seq` and `hash` are those of the last entry. */
export type LockedLedger = {
  programId: string;
  currency: string;
  timezone: string;
  seq: number;
  hash: Buffer;
  /** The balance of the account `commissions`. */
  commissionsCents: number;
};

/** One movement of money. `ref` identifies its cause: a second transfer with the same kind and ref is rejected. */
export type Transfer = {
  kind: Kind;
  ref: string;
  affiliateId: string;
  commissionId: string | null;
  debit: Account;
  credit: Account;
  /** Greater than 0. */
  cents: number;
};

type SignedTransfer = {
  kind: Kind;
  ref: string;
  affiliateId: string;
  commissionId: string | null;
  from: Account;
  to: Account;
  /** Below 0, the money moves from `to` to `from`. */
  cents: number;
};

/** The transfer of a signed amount; none for 0. */
export function move({ from, to, cents, ...rest }: SignedTransfer): Transfer[] {
  if (cents === 0) return [];
  return [cents > 0 ? { ...rest, debit: from, credit: to, cents } : { ...rest, debit: to, credit: from, cents: -cents }];
}

/** The fields that a hash covers. */
export type ChainedEntry = {
  seq: number;
  id: string;
  kind: string;
  ref: string;
  affiliateId: string;
  commissionId: string | null;
  debit: string;
  credit: string;
  cents: number;
  currency: string;
  createdAt: Date;
};

/** The hash before the first entry. */
export const genesis = Buffer.alloc(32);

/**
 * Each hash covers the one before it, so that a changed amount, a missing entry or two swapped entries invalidate every
 * later hash: sha256(previous hash ‖ the entry's fields as JSON, in one fixed order).
 */
export function hashEntry(previous: Buffer, entry: ChainedEntry): Buffer {
  const { seq, id, kind, ref, affiliateId, commissionId, debit, credit, cents, currency, createdAt } = entry;
  const text = JSON.stringify([seq, id, kind, ref, affiliateId, commissionId, debit, credit, cents, currency, createdAt.toISOString()]);
  return createHash('sha256').update(previous).update(text).digest();
}

/** Locks the ledger until the transaction ends. */
export async function openLedger(tx: Tx, programId: string): Promise<LockedLedger> {
  const found = await lock(tx, programId);
  if (found) return found;
  await plainSql`insert into ledger_heads (program_id, seq, hash) values (${programId}, 0, ${genesis}) on conflict do nothing`.execute(
    tx.db,
  );
  const opened = await lock(tx, programId);
  if (!opened) throw new Error('The ledger of the program is missing.');
  return opened;
}

/** Locks the ledger, and reads what only its holder may rely on, in one round trip. */
export async function openLedgerAndRead<T>(tx: Tx, programId: string, read: () => Promise<T>): Promise<[LockedLedger, T]> {
  const [found, value] = await Promise.all([lock(tx, programId), read()]);
  // Before the first entry of a program there is nothing to lock, so that `read` ran too early.
  return found ? [found, value] : [await openLedger(tx, programId), await read()];
}

async function lock({ db, allProgramsDb }: Tx, programId: string): Promise<LockedLedger | undefined> {
  if (allProgramsDb) return lockOnCluster(db, programId);
  const { rows } = await plainSql<LockedLedger>`
    select head.program_id, program.currency, program.timezone, head.seq, head.hash, head.commissions_cents
    from ledger_heads as head join programs as program on program.id = head.program_id
    where head.program_id = ${programId} for update of head`.execute(db);
  return rows[0];
}

/** In two statements of one round trip: a cluster would plan a join each time. */
async function lockOnCluster(db: Tx['db'], programId: string): Promise<LockedLedger | undefined> {
  const [heads, programs] = await Promise.all([
    plainSql<Omit<LockedLedger, 'currency' | 'timezone'>>`
      select program_id, seq, hash, commissions_cents from ledger_heads where program_id = ${programId} for update`.execute(db),
    plainSql<Pick<LockedLedger, 'currency' | 'timezone'>>`select currency, timezone from programs where id = ${programId}`.execute(db),
  ]);
  const [[head], [program]] = [heads.rows, programs.rows];
  return head && program && { ...head, ...program };
}

/**
 * Writes the transfers, the balances they change and the new end of the chain. `ledger` advances with them: several
 * posts of one transaction continue the same chain. A repeated `ref` violates ledger_entries_once and aborts the
 * transaction.
 */
export async function post(tx: Tx, ledger: LockedLedger, transfers: readonly Transfer[]): Promise<void> {
  if (transfers.length === 0) return;
  // Only new commissions are rejected: refunds and payouts of existing ones must always succeed.
  const isEarning = transfers.some(({ kind }) => kind === 'accrue' || kind === 'adjust');
  ledger.commissionsCents += sumChange(transfers, 'commissions');
  if (isEarning && Math.abs(ledger.commissionsCents) > maxBalanceCents) throw new AmountTooLarge('The commissions of the program');
  const createdAt = tx.clock.now();
  const entries = transfers.map((transfer) => {
    assertMovement(transfer);
    const entry: ChainedEntry = { seq: ledger.seq + 1, id: tx.ids.uuid(), currency: ledger.currency, createdAt, ...transfer };
    ledger.seq = entry.seq;
    ledger.hash = hashEntry(ledger.hash, entry);
    return { programId: ledger.programId, ...entry, hash: ledger.hash };
  });
  await Promise.all([
    plainSql`update ledger_heads set seq = ${ledger.seq}, hash = ${ledger.hash}, commissions_cents = ${ledger.commissionsCents}
    where program_id = ${ledger.programId}`.execute(tx.db),
    insertRows(tx, 'ledgerEntries', entries),
    addToLedgerCounts(tx, ledger.programId, entries),
    addToBalances(tx, ledger.programId, transfers),
  ]);
}

function assertMovement({ kind, debit, credit, cents, ref }: Transfer): void {
  if (!isMovement(kind, debit, credit)) throw new Error(`An entry of kind ${kind} can't move money from ${debit} to ${credit} (${ref}).`);
  if (!Number.isSafeInteger(cents) || cents <= 0) throw new Error(`The amount of a transfer must be positive: ${cents} (${ref}).`);
}

/** The change of an account's balance: credits less debits. */
function sumChange(transfers: readonly Transfer[], account: Account): number {
  return sumOf(transfers.flatMap(({ debit, credit, cents }) => (credit === account ? [cents] : debit === account ? [-cents] : [])));
}

const insertBalances = insertOfProgram({
  into: 'ledger_balances as balance',
  columns: { affiliate_id: 'uuid', pending_cents: 'bigint', available_cents: 'bigint', in_transit_cents: 'bigint', paid_cents: 'bigint' },
  onConflict: `(program_id, affiliate_id) do update set
    pending_cents = balance.pending_cents + excluded.pending_cents,
    available_cents = balance.available_cents + excluded.available_cents,
    in_transit_cents = balance.in_transit_cents + excluded.in_transit_cents,
    paid_cents = balance.paid_cents + excluded.paid_cents`,
});

async function addToBalances(tx: Tx, programId: string, transfers: readonly Transfer[]): Promise<void> {
  const changes = new Map<string, Record<AffiliateAccount, number>>();
  for (const { affiliateId, debit, credit, cents } of transfers) {
    const change = changes.get(affiliateId) ?? { pending: 0, available: 0, in_transit: 0, paid: 0 };
    if (isAffiliateAccount(debit)) change[debit] -= cents;
    if (isAffiliateAccount(credit)) change[credit] += cents;
    changes.set(affiliateId, change);
  }
  const rows = [...changes].map(([affiliateId, { pending, available, in_transit, paid }]) => ({
    affiliate_id: affiliateId,
    pending_cents: pending,
    available_cents: available,
    in_transit_cents: in_transit,
    paid_cents: paid,
  }));
  const added = insertBalances(tx, programId, rows);
  const marks = [...changes].flatMap(([affiliateId, { available }]) => (available === 0 ? [] : [{ affiliateId, salesCents: 0 }]));
  await Promise.all([added, markFigures(tx, programId, marks)]);
}

/** Counts new entries per UTC day and kind, for lists (entry-counts.ts). */
async function addToLedgerCounts(tx: Tx, programId: string, entries: readonly { createdAt: Date; kind: string }[]): Promise<void> {
  const counts = Map.groupBy(entries, ({ createdAt, kind }) => `${toUtcDay(createdAt)} ${kind}`);
  const rows = [...counts].map(([key, counted]) => {
    const [day = '', kind = ''] = key.split(' ');
    return { day, kind, entries: counted.length };
  });
  await insertCounts(tx, programId, rows);
}

const insertCounts = insertOfProgram({
  into: 'ledger_counts as stored',
  columns: { day: 'date', kind: 'text', entries: 'bigint' },
  onConflict: '(program_id, day, kind) do update set entries = stored.entries + excluded.entries',
});

/** Whether this kind of entry can move money from the debit to the credit account. */
function isMovement(kind: Kind, debit: Account, credit: Account): boolean {
  const between: readonly (readonly [Account, Account])[] = movements[kind].between;
  return between.some(([from, to]) => from === debit && to === credit);
}

function isAffiliateAccount(account: Account): account is AffiliateAccount {
  return affiliateAccounts.some((known) => known === account);
}
