// Statements that don't need each other's results, such as those in a `Promise.all`, are sent without waiting (the pipeline
// mode of `pg`): they run in the order in which they were started, and cost one round trip. kysely would send each one after
// the response to the one before.
import { CompiledQuery, type DatabaseConnection, type Kysely, PostgresDialect, type QueryExecutor, Transaction } from 'kysely';
import type { DB } from '../schema.gen.ts';

// kysely requires these to build a transaction, but the given executor replaces them.
const dialect = new PostgresDialect({ pool: async () => Promise.reject(new Error('A transaction has its own connection.')) });
const driver = dialect.createDriver();

/** A statement with its values as PostgreSQL reads them (`toArrayText` for arrays). */
export type Statement = { text: string; values: readonly (string | null)[] };

export type Steps<Db, Found, Result> = {
  /** Sent together with BEGIN, so it must not write. If it fails, the transaction does. */
  read(db: Db): Promise<Found>;
  /** The work that needs results. Starts when `read` has succeeded. */
  decide(db: Db, found: Found): Promise<Result>;
  /** The statements that are sent together with COMMIT. Their rows are not returned. */
  write(result: Result): readonly Statement[];
};

/**
 * Runs the steps in a transaction and commits. Errors are thrown after a rollback. `decide` starts when BEGIN has succeeded:
 * PostgreSQL would run and commit what follows a failed BEGIN. COMMIT needs no such wait: after a failed statement it rolls
 * back and rejects.
 */
export function runTransaction<F, R>(db: Kysely<DB>, { read, decide, write }: Steps<Transaction<DB>, F, R>): Promise<R> {
  const executor = db.getExecutor();
  return executor.provideConnection(async (connection) => {
    const { transaction, end } = pipeline(executor, connection);
    try {
      const [, found] = await Promise.all([connection.executeQuery(begin), read(transaction)]);
      const result = await decide(transaction, found);
      const writes = write(result).map(({ text, values }) => CompiledQuery.raw(text, [...values]));
      await end([...writes, commit]);
      return result;
    } catch (error) {
      // A connection whose transaction has not ended is closed (prepared-statements.ts).
      await end([rollback]).catch(() => {});
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
  const end = async (statements: readonly CompiledQuery[]): Promise<void> => {
    hasEnded = true;
    const outcomes = await Promise.allSettled(statements.map((statement) => connection.executeQuery(statement)));
    // The first statement that failed has the error that made the others fail.
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  };
  return { transaction, end };
}
