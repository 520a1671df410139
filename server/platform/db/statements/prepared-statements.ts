// Statements that a process runs repeatedly are prepared once per connection: parsing and planning takes PostgreSQL
// longer than running most of them. The first uses of a text are not prepared, because many texts are used only once.
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { isForPrograms, isReusableOnCluster } from '../cluster/program-options.ts';
import { readOnly, sqlState } from './sql-state.ts';

/** Each connection stores its prepared statements, so their number is limited. */
const maxPrepared = 500;
const maxCounted = 5000;
const usesBefore = 3;

type Statement = { uses: number; name: string | null };

const statements = new Map<string, Statement>();
let prepared = 0;
/** How many names were given. A statement gets another one when its plan is outdated. */
let named = 0;

/** Waits until a connection may be taken. Resolves with the function that reports its return. */
export type Admission = () => Promise<() => void>;

/** The pool as kysely uses it. Its connections prepare what they run repeatedly. */
export function prepareStatements(pool: Pick<pg.Pool, 'connect' | 'options'>, admit?: Admission): PostgresPool {
  const isPrepared = isForPrograms(pool.options) ? isReusableOnCluster : () => true;
  return {
    options: pool.options,
    async connect() {
      const onRelease = await admit?.();
      try {
        return toPreparingClient(await pool.connect(), { isPrepared, onRelease });
      } catch (error) {
        onRelease?.();
        throw error;
      }
    },
    // The pool belongs to the process.
    end: async () => {},
  };
}

type Preparing = { isPrepared: (text: string) => boolean; onRelease: (() => void) | undefined };

function toPreparingClient(client: pg.PoolClient, { isPrepared, onRelease }: Preparing): PostgresPoolClient {
  /** The error that made the current transaction fail. */
  let failure: unknown;
  let isBroken = false;
  /** Whether what is sent now is part of a transaction. The responses show it only later. */
  let isInTransaction = false;
  const run = async (text: string, values: unknown[]): Promise<pg.QueryResult> => {
    if (text === 'begin') isInTransaction = true;
    if (text === 'commit' || text === 'rollback') isInTransaction = false;
    try {
      const result = await runStatement(client, { text, values, isInTransaction, isPrepared });
      // PostgreSQL ends a failed transaction by COMMIT without an error.
      if (text === 'commit' && result.command !== 'COMMIT') throw failure ?? new Error('The transaction was rolled back.');
      failure = undefined;
      return result;
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || sqlState(error) === readOnly) isBroken = true;
      // Statements that were sent before the failure was known fail because of it.
      if (sqlState(error) === inFailedTransaction && failure) throw failure;
      failure ??= error;
      throw error;
    }
  };
  // Cursors, the other form of `query`, are not used.
  const query: unknown = run;
  return {
    query: query as PostgresPoolClient['query'],
    release(destroy) {
      client.release(destroy || isBroken || client.getTransactionStatus() !== idle);
      onRelease?.();
    },
  };
}

type Sending = { text: string; values: unknown[]; isInTransaction: boolean; isPrepared: Preparing['isPrepared'] };

/**
 * Runs a statement under its name if it has one. A migration can change the columns of a prepared statement: all are then
 * prepared under other names, and repeated unless it is part of a transaction, which `transact` repeats.
 */
async function runStatement(client: pg.PoolClient, { text, values, isInTransaction, isPrepared }: Sending): Promise<pg.QueryResult> {
  const statement = isPrepared(text) ? countUse(text) : null;
  if (!statement?.name) return client.query({ text, values });
  const { name } = statement;
  try {
    return await client.query({ text, name, values });
  } catch (error) {
    if (!isOutdatedPlan(error)) throw error;
    if (statement.name === name) renameAll();
    if (isInTransaction || client.getTransactionStatus() !== idle) throw error;
    return client.query({ text, values });
  }
}

/** The transaction status of a connection that is in no transaction. */
const idle = 'I';

const inFailedTransaction = '25P02';

/**
 * Whether a migration changed the columns that a prepared statement returns. PostgreSQL reports it as feature_not_supported,
 * like what a cluster rejects permanently, so the function that reports it decides.
 */
export function isOutdatedPlan(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery';
}

function countUse(text: string): Statement | null {
  const statement = statements.get(text) ?? addStatement(text);
  if (!statement) return null;
  statement.uses += 1;
  if (statement.name === null && statement.uses > usesBefore && prepared < maxPrepared) {
    prepared += 1;
    statement.name = nextName();
  }
  return statement;
}

/** Other statements on the changed table have outdated plans too, and a transaction is repeated only a few times. */
function renameAll(): void {
  for (const statement of statements.values()) if (statement.name !== null) statement.name = nextName();
}

function nextName(): string {
  named += 1;
  return `s${named}`;
}

/** Forgets the texts that are not prepared when there are too many of them. */
function addStatement(text: string): Statement | null {
  if (statements.size >= maxCounted) for (const [known, { name }] of statements) if (name === null) statements.delete(known);
  if (statements.size >= maxCounted) return null;
  const statement = { uses: 0, name: null };
  statements.set(text, statement);
  return statement;
}
