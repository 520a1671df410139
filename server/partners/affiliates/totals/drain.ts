import { sql } from 'kysely';
import type { Context, Tx } from '../../../context.ts';
import { transact } from '../../../platform/db/transact.ts';
import { forEachProgram } from '../../../platform/queue/each-program.ts';

type Work = {
  table: 'click_deltas' | 'figure_changes';
  /** The most rows of one transaction. */
  size: number;
  /** Processes rows of one program and returns their number. */
  run(tx: Tx, programId: string): Promise<number>;
};

/** Processes the rows of a table, program by program, in separate transactions. Throws `ProgramsFailed` at the end. */
export async function drain(ctx: Context, work: Work): Promise<void> {
  await forEachProgram(ctx, {
    find: (scope) => sql`select distinct program_id from ${sql.table(work.table)} where ${scope}`,
    run: (programId) => drainProgram(ctx, programId, work),
  });
}

/** Processes the rows of one program. */
export async function drainProgram(ctx: Context, programId: string, { size, run }: Omit<Work, 'table'>): Promise<void> {
  let done: number;
  do done = await transact(ctx, (tx) => run(tx, programId));
  while (done >= size);
}
