import { sql } from 'kysely';
import type { Context, Tx } from '../../../context.ts';
import { transact } from '../../../platform/db/transact.ts';

type Work = {
  table: 'click_deltas' | 'figure_changes';
  /** The most rows of one transaction. */
  size: number;
  /** Processes rows of one program and returns their number. */
  run(tx: Tx, programId: string): Promise<number>;
};

/** Processes the rows of a table, program by program, in separate transactions. */
export async function drain(ctx: Context, { table, size, run }: Work): Promise<void> {
  const { rows } = await sql<{ programId: string }>`select distinct program_id from ${sql.table(table)}`.execute(ctx.db);
  for (const { programId } of rows) {
    let done: number;
    do done = await transact(ctx, (tx) => run(tx, programId));
    while (done >= size);
  }
}
