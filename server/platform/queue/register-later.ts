// Rows of registers while a node of a cluster is down. Every node stores the registers, so that none can be changed then. What an
// invitation adds to them is inserted by a job, as soon as all nodes respond.
import { sql } from 'kysely';
import type { JobName, Tx } from '../../context.ts';
import { toApiError } from '../db/constraints.ts';
import { isRepeated, RolledBack } from '../db/transact.ts';
import { Unavailable } from '../lib/errors.ts';

/** Of the jobs that insert such rows: over about a month, with an hour between the last attempts. */
export const registerRetries = 700;

/**
 * Runs `insert`, which adds the row to a register. If a node of the cluster does not respond, returns null, and the job inserts the
 * row later. If the transaction had written to that node before, it is repeated. On one PostgreSQL, errors are thrown.
 */
export async function insertOrRegisterLater<Row extends { programId: string }, T>(
  tx: Tx,
  later: JobName<Row>,
  row: Row,
  insert: () => Promise<T>,
): Promise<T | null> {
  if (!tx.allProgramsDb) return insert();
  await sql`savepoint registration`.execute(tx.db);
  try {
    const inserted = await insert();
    await sql`release savepoint registration`.execute(tx.db);
    return inserted;
  } catch (error) {
    if (isRepeated(error) || !(toApiError(error) instanceof Unavailable)) throw error;
    await sql`rollback to savepoint registration`.execute(tx.db).catch(() => {
      throw new RolledBack(error);
    });
    await tx.jobs.enqueue(tx, later, row);
    tx.log.warn({ err: error, programId: row.programId }, 'a node of the cluster does not respond: a register is changed later');
    return null;
  }
}
