import { sql } from 'kysely';
import type { Tx } from '../../context.ts';

/** For transactions that change thousands of rows: longer than the default timeout, shorter than that of HTTP clients. */
export async function extendStatementTimeout(tx: Tx): Promise<void> {
  await sql`set local statement_timeout = '28s'`.execute(tx.db);
}
