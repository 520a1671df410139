// Settings of connections to a Citus cluster.
import { sql } from 'kysely';
import type { Tx } from '../../../context.ts';

/**
 * For requests and the work on one program: a statement on the rows of several programs is an error. A plan for unknown values
 * would be one of them, because the program decides about the node; so each execution is planned with its values.
 */
export const programOptions = '-c citus.multi_task_query_log_level=error -c plan_cache_mode=force_custom_plan';

/** For what concerns all programs, and for commands. */
export const acrossProgramsOptions = '-c citus.all_modifications_commutative=on';

/**
 * Call it before `insert … on conflict` into a register. Without it, a cluster would lock the register until the end of the
 * transaction, and require the right to change its rows. Two inserts of one value wait for each other as usual.
 */
export async function insertConcurrently({ db, allProgramsDb }: Pick<Tx, 'db' | 'allProgramsDb'>): Promise<void> {
  if (allProgramsDb) await sql`set local citus.all_modifications_commutative = on`.execute(db);
}
