import type { Tx } from '../../context.ts';
import { matureSome } from '../../earning/commissions/mature.ts';
import { type Books, openBooks } from '../../earning/ledger/books.ts';

/** Opens the books, with everything matured that is ripe: the schedule may be minutes late. */
export async function openMatured(tx: Tx, programId: string): Promise<Books> {
  let books = await openBooks(tx, programId);
  while ((await matureSome(tx, programId)) > 0) books = await openBooks(tx, programId);
  return books;
}
