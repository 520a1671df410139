// The only writer of money. Whoever earns, refunds, adjusts or pays first takes the program's ledger:
// one row lock per transaction, before anything else that money touches. From then on nothing of the
// program's money changes under us, and no two movers can wait for each other.
import { sql } from 'kysely';
import type { Tx } from '../../context.ts';
import { insertRows } from '../../platform/db/insert-rows.ts';
import { AmountTooLarge, maxBalanceCents, sumOf } from '../../platform/lib/money.ts';
import { genesis, hashOf, type Link } from './chain.ts';
import { type Account, type AffiliateAccount, affiliateAccounts, isAffiliateAccount, isMovement, type Kind } from './chart.ts';

/** A program's ledger, locked for this transaction. */
export type LockedLedger = { programId: string; currency: string; seq: number; hash: Buffer };

/** One movement of money. `ref` is what caused it: a second one of the same kind and ref is refused. */
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

/** Locks the ledger until the transaction ends. */
export async function openLedger(tx: Tx, programId: string): Promise<LockedLedger> {
  const lock = () =>
    tx.db
      .selectFrom('ledgerHeads as head')
      .innerJoin('programs as program', 'program.id', 'head.programId')
      .select(['head.programId', 'program.currency', 'head.seq', 'head.hash'])
      .where('head.programId', '=', programId)
      .forUpdate('head')
      .executeTakeFirst();
  const found = await lock();
  if (found) return found;
  await sql`insert into ledger_heads (program_id, seq, hash) values (${programId}, 0, ${genesis}) on conflict do nothing`.execute(tx.db);
  const opened = await lock();
  if (!opened) throw new Error('The ledger of the program are missing.');
  return opened;
}

/**
 * Writes the transfers, the balances they change and the new head of the chain. `ledger` moves on
 * with them. A repeated `ref` violates ledger_entries_once and aborts the transaction.
 */
export async function post(tx: Tx, ledger: LockedLedger, transfers: readonly Transfer[]): Promise<void> {
  if (transfers.length === 0) return;
  const createdAt = tx.clock.now();
  const entries = transfers.map((transfer) => {
    assertMovement(transfer);
    const link: Link = { seq: ledger.seq + 1, id: tx.ids.uuid(), currency: ledger.currency, createdAt, ...transfer };
    ledger.seq = link.seq;
    ledger.hash = hashOf(ledger.hash, link);
    return { programId: ledger.programId, ...link, hash: ledger.hash };
  });
  await insertRows(tx, 'ledgerEntries', entries);
  await addToBalances(tx, ledger.programId, transfers);
  const { rows } = await sql<{ commissionsCents: number }>`update ledger_heads set seq = ${ledger.seq}, hash = ${ledger.hash},
      commissions_cents = commissions_cents + ${netOf(transfers, 'commissions')},
      written_off_cents = written_off_cents + ${netOf(transfers, 'written_off')}
    where program_id = ${ledger.programId} returning commissions_cents`.execute(tx.db);
  // Only new commissions are refused: refunds and payouts of what is in the ledger always go through.
  const isEarning = transfers.some(({ kind }) => kind === 'accrue' || kind === 'adjust');
  if (isEarning && Math.abs(rows[0]?.commissionsCents ?? 0) > maxBalanceCents) throw new AmountTooLarge('The commissions of the program');
}

function assertMovement({ kind, debit, credit, cents, ref }: Transfer): void {
  if (!isMovement(kind, debit, credit)) throw new Error(`No ${kind} goes from ${debit} to ${credit} (${ref}).`);
  if (!Number.isSafeInteger(cents) || cents <= 0) throw new Error(`Not an amount to move: ${cents} (${ref}).`);
}

/** What the transfers add to an account: credits less debits. */
function netOf(transfers: readonly Transfer[], account: Account): number {
  return sumOf(transfers.flatMap(({ debit, credit, cents }) => (credit === account ? [cents] : debit === account ? [-cents] : [])));
}

async function addToBalances(tx: Tx, programId: string, transfers: readonly Transfer[]): Promise<void> {
  const changes = new Map<string, Record<AffiliateAccount, number>>();
  for (const { affiliateId, debit, credit, cents } of transfers) {
    const change = changes.get(affiliateId) ?? { pending: 0, available: 0, in_transit: 0, paid: 0 };
    if (isAffiliateAccount(debit)) change[debit] -= cents;
    if (isAffiliateAccount(credit)) change[credit] += cents;
    changes.set(affiliateId, change);
  }
  const columns = affiliateAccounts.map((account) => [...changes.values()].map((change) => change[account]));
  await sql`
    insert into ledger_balances as balance (program_id, affiliate_id, pending_cents, available_cents, in_transit_cents, paid_cents)
    select ${programId}::uuid, * from unnest(${[...changes.keys()]}::uuid[], ${columns[0]}::bigint[], ${columns[1]}::bigint[],
      ${columns[2]}::bigint[], ${columns[3]}::bigint[])
    on conflict (program_id, affiliate_id) do update set
      pending_cents = balance.pending_cents + excluded.pending_cents,
      available_cents = balance.available_cents + excluded.available_cents,
      in_transit_cents = balance.in_transit_cents + excluded.in_transit_cents,
      paid_cents = balance.paid_cents + excluded.paid_cents`.execute(tx.db);
}
