import { sql } from 'kysely';
import type { Tx } from '../../context.ts';

/**
 * Runs `work` and undoes everything that it wrote, whether it succeeds or throws: what it returns is exactly what would
 * happen. The rows that it locks stay locked until the transaction ends.
 */
export async function rehearse<T>(tx: Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  await sql`savepoint rehearsal`.execute(tx.db);
  try {
    return await work(tx);
  } finally {
    await sql`rollback to savepoint rehearsal`.execute(tx.db);
  }
}
