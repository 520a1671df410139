import { sql } from 'kysely';
import type { Tx } from '../../context.ts';

/** For transactions that change thousands of rows: longer than the default timeout, shorter than that of HTTP clients. */
export async function extendStatementTimeout(tx: Tx): Promise<void> {
  await sql`set local statement_timeout = '28s'`.execute(tx.db);
}

/** For transactions of commands that read or write all rows of a program: the person who runs them waits, and can stop them. */
export async function removeTimeouts(tx: Pick<Tx, 'db'>): Promise<void> {
  await sql`select set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true)`.execute(tx.db);
}
