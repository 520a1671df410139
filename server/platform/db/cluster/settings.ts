// Settings of connections to a Citus cluster.
import { sql } from 'kysely';
import type { Tx } from '../../../context.ts';

/** For what concerns all programs, and for commands. */
export const acrossProgramsOptions = '-c citus.all_modifications_commutative=on';

/**
 * Call it before `insert … on conflict` into a register. Without it, a cluster would lock the register until the end of the
 * transaction, and require the right to change its rows. Two inserts of one value wait for each other as usual.
 */
export async function insertConcurrently({ db, allProgramsDb }: Pick<Tx, 'db' | 'allProgramsDb'>): Promise<void> {
  if (allProgramsDb) await sql`set local citus.all_modifications_commutative = on`.execute(db);
}
