import { sql } from 'kysely';
import { matureSome } from '../commissions/mature.ts';
import type { Tx } from '../context.ts';
import { type Books, openBooks } from '../ledger/books.ts';
import { getProgram } from '../programs/program.ts';

/** Opens the books, with everything matured that is ripe: the schedule may be minutes late. */
export async function openMatured(tx: Tx, programId: string): Promise<Books> {
  let books = await openBooks(tx, programId);
  while ((await matureSome(tx, programId)) > 0) books = await openBooks(tx, programId);
  return books;
}

/** Whether a second person has to approve a batch of this size. */
export async function needsSecond(tx: Tx, programId: string, totalCents: number): Promise<boolean> {
  const { payoutApprovalCents } = await getProgram(tx, programId);
  return payoutApprovalCents !== null && totalCents > payoutApprovalCents;
}

/** For what touches every row of a batch: thousands of rows take longer than a request usually may. */
export async function allowLonger(tx: Tx): Promise<void> {
  await sql`set local statement_timeout = '28s'`.execute(tx.db);
}
