// Statements of a transaction that don't need each other's results, such as those in a `Promise.all`, are sent together:
// they run in the order in which they were started, and cost one round trip. kysely alone would send each one after the
// response to the one before.
import { CompiledQuery, type Kysely, PostgresDialect, Transaction } from 'kysely';
import type { DB } from '../schema.gen.ts';
import { runTogether, type Statement } from './send-together.ts';

// kysely requires these to build a transaction, but the given executor replaces them.
const dialect = new PostgresDialect({ pool: async () => Promise.reject(new Error('A transaction has its own connection.')) });
const driver = dialect.createDriver();

type Parts<T> = {
  /** Sent together with BEGIN. It may read and lock rows, but not write: if BEGIN failed, nothing would undo it. */
  check: ((transaction: Transaction<DB>) => Promise<void>) | undefined;
  work: (transaction: Transaction<DB>, commitWith: CommitWith) => Promise<T>;
};

/** Sets the last statements of a transaction, which are sent together with COMMIT. If one fails, PostgreSQL rolls back. */
export type CommitWith = (statements: readonly Statement[]) => void;

/** Runs `check` and then `work` in a transaction and commits. Their errors are thrown after a rollback. The pool of `db` must be opened with `pipeline`. */
export function runTransaction<T>(db: Kysely<DB>, { check, work }: Parts<T>): Promise<T> {
  return db.connection().execute(async (own) => {
    const transaction = await pipeline(own);
    const send = (text: string) => transaction.executeQuery(CompiledQuery.raw(text));
    try {
      await Promise.all([send('begin'), check?.(transaction)]);
      let last: readonly Statement[] = [];
      const result = await work(transaction, (statements) => {
        last = statements;
      });
      await Promise.all([runTogether({ db: transaction }, last), send('commit')]);
      return result;
    } catch (error) {
      await send('rollback');
      throw error;
    }
  });
}

/** Runs reads that don't need each other's results on one connection, in one round trip. Each has its own snapshot. */
export function readTogether<T>(db: Kysely<DB>, read: (db: Kysely<DB>) => Promise<T>): Promise<T> {
  return db.connection().execute(async (own) => read(await pipeline(own)));
}

/** A transaction on this connection, which sends statements without waiting. */
async function pipeline(own: Kysely<DB>): Promise<Transaction<DB>> {
  const executor = own.getExecutor();
  const connection = await executor.provideConnection(async (provided) => provided);
  const direct = executor.withConnectionProvider({ provideConnection: (use) => use(connection) });
  return new Transaction<DB>({ config: { dialect }, dialect, driver, executor: direct });
}
