import { sql } from 'kysely';
import type { Tx } from '../../context.ts';

/** For a transaction that touches thousands of rows: longer than a request usually may take, shorter than its client waits. */
export async function extendStatementTimeout(tx: Tx): Promise<void> {
  await sql`set local statement_timeout = '28s'`.execute(tx.db);
}
