// Statements of a transaction that don't need each other's results, such as those in a `Promise.all`, are sent together:
// they run in the order in which they were started, and cost one round trip. kysely without it would send each one after the
// response to the one before.
import { CompiledQuery, type DatabaseConnection, type Kysely, PostgresDialect, type QueryExecutor, Transaction } from 'kysely';
import type { DB } from '../schema.gen.ts';

// kysely requires these to build a transaction, but the given executor replaces them.
const dialect = new PostgresDialect({ pool: async () => Promise.reject(new Error('A transaction has its own connection.')) });
const driver = dialect.createDriver();

type Parts<T> = {
  /** Must succeed first. If it is one statement, it is sent together with BEGIN and the first statements of `work`. */
  check: { run(transaction: Transaction<DB>): Promise<void>; isOneStatement: boolean } | undefined;
  work: (transaction: Transaction<DB>, commitWith: CommitWith) => Promise<T>;
};

/**
 * Sets what starts the last statements of a transaction. They are sent together with COMMIT; if one fails, PostgreSQL rolls
 * back. All of them must start in one turn.
 */
export type CommitWith = (write: () => Promise<unknown>) => void;

/** Runs `check` and `work` in a transaction and commits. Their errors are thrown after a rollback, those of `check` first. */
export function runTransaction<T>(db: Kysely<DB>, { check, work }: Parts<T>): Promise<T> {
  const executor = db.getExecutor();
  return executor.provideConnection(async (connection) => {
    const { transaction, send, end } = pipeline(executor, connection);
    let write: () => Promise<unknown> = async () => {};
    try {
      const checked = Promise.all([send(begin), check?.run(transaction)]);
      if (check?.isOneStatement === false) await checked;
      const worked = work(transaction, (last) => {
        write = last;
      });
      // While the check is awaited, nothing else handles the error.
      worked.catch(() => {});
      await checked;
      const result = await worked;
      await Promise.all([write(), end(commit)]);
      return result;
    } catch (error) {
      await end(rollback);
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
  const send = (statement: CompiledQuery) => connection.executeQuery(statement);
  const end = (statement: CompiledQuery) =>
    new Promise((resolve, reject) => {
      // After the statements that this turn starts, and together with them.
      process.nextTick(() => {
        hasEnded = true;
        send(statement).then(resolve, reject);
      });
    });
  return { transaction, send, end };
}
