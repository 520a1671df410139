// Statements that don't need each other's results, such as those in a `Promise.all`, are sent without waiting (the pipeline
// mode of `pg`): they run in the order in which they were started, and cost one round trip. kysely would send each one after
// the response to the one before.
import { CompiledQuery, type DatabaseConnection, type Kysely, PostgresDialect, type QueryExecutor, Transaction } from 'kysely';
import type { DB } from '../schema.gen.ts';

// kysely requires these to build a transaction, but the given executor replaces them.
const dialect = new PostgresDialect({ pool: async () => Promise.reject(new Error('A transaction has its own connection.')) });
const driver = dialect.createDriver();

type Parts<T> = {
  /** Must succeed first, and must not write: it is sent together with BEGIN. */
  check: ((transaction: Transaction<DB>) => Promise<void>) | undefined;
  work: (transaction: Transaction<DB>) => Promise<T>;
};

/**
 * Runs `check` and `work` in a transaction and commits. Their errors are thrown after a rollback. `work` starts when BEGIN has
 * succeeded: PostgreSQL would run and commit what follows a failed BEGIN.
 */
export function runTransaction<T>(db: Kysely<DB>, { check, work }: Parts<T>): Promise<T> {
  const executor = db.getExecutor();
  return executor.provideConnection(async (connection) => {
    const { transaction, end } = pipeline(executor, connection);
    try {
      await Promise.all([connection.executeQuery(begin), check?.(transaction)]);
      const result = await work(transaction);
      await end(commit);
      return result;
    } catch (error) {
      // A connection whose transaction has not ended is closed (prepared-statements.ts).
      await end(rollback).catch(() => {});
      throw error;
    }
  });
}

const [begin, commit, rollback] = [CompiledQuery.raw('begin'), CompiledQuery.raw('commit'), CompiledQuery.raw('rollback')];

/** Runs reads that don't need each other's results on one connection, in one round trip. Each has its own snapshot. */
export function readTogether<T>(db: Kysely<DB>, read: (db: Kysely<DB>) => Promise<T>): Promise<T> {
  const executor = db.getExecutor();
  return executor.provideConnection((connection) => read(pipeline(executor, connection).transaction));
}

/** A transaction on this connection, which sends statements without waiting. After `end`, it rejects further statements. */
function pipeline(executor: QueryExecutor, connection: DatabaseConnection) {
  let hasEnded = false;
  const direct = executor.withConnectionProvider({
    async provideConnection(use) {
      if (hasEnded) throw new Error('The transaction has ended.');
      return use(connection);
    },
  });
  const transaction = new Transaction<DB>({ config: { dialect }, dialect, driver, executor: direct });
  const end = (statement: CompiledQuery) => {
    hasEnded = true;
    return connection.executeQuery(statement);
  };
  return { transaction, end };
}
