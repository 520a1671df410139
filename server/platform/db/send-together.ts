// Prepared statements that are sent together: one round trip for a transaction of several writes. PostgreSQL runs
// everything up to a `sync` message as one transaction and commits it before it reports that it is ready again.
import { CompiledQuery } from 'kysely';
import type pg from 'pg';
import type { Context } from '../../context.ts';

/** A prepared statement: each connection parses and plans it once. */
export type Statement = { name: string; text: string };

/** Values as PostgreSQL reads them (`toArrayText` for arrays). */
export type Prepared = { statement: Statement; values: readonly (string | null)[] };

/** Runs the statements in one transaction and resolves after its commit. Their rows are not returned. */
export async function sendTogether({ db }: Pick<Context, 'db'>, prepared: readonly Prepared[]): Promise<void> {
  // kysely passes the query on to `pg`, which accepts an object with `submit` as well as text.
  await db.executeQuery({ ...CompiledQuery.raw(''), sql: createSubmission(prepared) as unknown as string });
}

/** The statements that a connection has parsed. */
const parsed = new WeakMap<pg.Connection, Set<string>>();

type Submission = Promise<{ rows: [] }> & {
  /** Replaced by `pg`, to learn when the query has ended. */
  callback(error: Error | null): void;
  submit(connection: pg.Connection): void;
  handleCommandComplete(): void;
  handleError(error: Error, connection: pg.Connection): void;
  handleReadyForQuery(): void;
};

/** A promise that is also a query for `pg`: it sends the messages, and settles with the server's response to them. */
function createSubmission(prepared: readonly Prepared[]): Submission {
  const { promise, resolve, reject } = Promise.withResolvers<{ rows: [] }>();
  let hasFailed = false;
  const submission: Submission = Object.assign(promise, {
    callback: (_error: Error | null): void => {},
    submit(connection: pg.Connection): void {
      connection.stream.cork();
      for (const { statement, values } of prepared) send(connection, statement, values);
      connection.sync();
      connection.stream.uncork();
    },
    handleCommandComplete: (): void => {},
    handleError(error: Error, connection: pg.Connection): void {
      hasFailed = true;
      // Which statements were parsed before the error is unknown, so they are parsed again.
      parsed.delete(connection);
      submission.callback(error);
      reject(error);
    },
    handleReadyForQuery(): void {
      if (hasFailed) return;
      submission.callback(null);
      resolve({ rows: [] });
    },
  });
  return submission;
}

function send(connection: pg.Connection, { name, text }: Statement, values: readonly (string | null)[]): void {
  const known = parsed.get(connection) ?? new Set();
  parsed.set(connection, known);
  if (!known.has(name)) {
    // A failed transaction may have left a statement of this name.
    connection.close({ type: 'S', name }, true);
    connection.parse({ name, text, types: [] }, true);
    known.add(name);
  }
  connection.bind({ portal: '', statement: name, values: [...values] }, true);
  connection.execute({ portal: '', rows: '0' }, true);
}

/** The text of a PostgreSQL array. */
export function toArrayText(values: readonly (string | number | null)[]): string {
  return `{${values.map(toElement).join(',')}}`;
}

const plain = /^[\w.:+-]+$/;

function toElement(value: string | number | null): string {
  if (value === null) return 'NULL';
  if (typeof value === 'number') return String(value);
  return plain.test(value) && value.toUpperCase() !== 'NULL' ? value : `"${value.replace(/[\\"]/g, '\\$&')}"`;
}
