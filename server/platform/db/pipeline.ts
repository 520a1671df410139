// Statements of a transaction that don't need each other's results, such as those in a `Promise.all`, are sent together:
// they run in the order in which they were started, and cost one round trip. kysely alone would send each one after the
// response to the one before.
import { PostgresDialect, Transaction } from 'kysely';
import type { DB } from './schema.gen.ts';

// kysely requires these to build a transaction, but the given executor replaces them.
const dialect = new PostgresDialect({ pool: async () => Promise.reject(new Error('A transaction has its own connection.')) });
const driver = dialect.createDriver();

/** The same transaction, which sends statements without waiting. Its pool must be opened with `pipeline`. */
export async function pipeline(transaction: Transaction<DB>): Promise<Transaction<DB>> {
  const executor = transaction.getExecutor();
  const connection = await executor.provideConnection(async (own) => own);
  const direct = executor.withConnectionProvider({ provideConnection: (use) => use(connection) });
  return new Transaction<DB>({ config: { dialect }, dialect, driver, executor: direct });
}
