// Statements that a process runs repeatedly are prepared once per connection: parsing and planning takes PostgreSQL
// longer than running most of them. The first uses of a text are not prepared, because many texts are used only once.
import type { PostgresPool, PostgresPoolClient, Transaction } from 'kysely';
import type pg from 'pg';
import type { DB } from '../schema.gen.ts';
import { plainSql } from './plain-sql.ts';
import { Sender } from './sender.ts';
import type { Result, Sending } from './statement-group.ts';

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
export function prepareStatements(pool: pg.Pool, admit?: Admission): PostgresPool {
  return {
    options: pool.options,
    async connect() {
      const onRelease = await admit?.();
      try {
        return toPreparingClient(await pool.connect(), onRelease);
      } catch (error) {
        onRelease?.();
        throw error;
      }
    },
    // The pool belongs to the process.
    end: async () => {},
  };
}

function toPreparingClient(client: pg.PoolClient, onRelease?: () => void): PostgresPoolClient {
  const sender = new Sender(client);
  // Cursors, the other form of `query`, are not used.
  const query: unknown = (text: string, values: readonly unknown[]) => runStatement(sender, { text, values });
  return {
    query: query as PostgresPoolClient['query'],
    release(destroy) {
      client.release(destroy || sender.isBroken);
      onRelease?.();
    },
  };
}

/**
 * Runs a statement under its name if it has one. A migration can change the columns of a prepared statement: all are then
 * prepared under other names, and repeated unless it is part of a transaction, which `transact` repeats.
 */
async function runStatement(sender: Sender, { text, values }: Pick<Sending, 'text' | 'values'>): Promise<Result> {
  const statement = countUse(text);
  const name = statement?.name ?? undefined;
  const { isInTransaction } = sender;
  try {
    return await sender.send({ text, name, values });
  } catch (error) {
    // With the stack of the caller instead of that of the socket.
    if (error instanceof Error) Error.captureStackTrace(error);
    if (!name || !hasOutdatedPlan(error)) throw error;
    if (statement?.name === name) renameAll();
    if (isInTransaction) throw error;
    return await sender.send({ text, name: undefined, values });
  }
}

/**
 * Until the transaction ends, prepared statements are planned once, without their values. Otherwise PostgreSQL plans a
 * statement again each time if its values promise a cheaper plan, which takes longer than finding a few rows by their keys.
 */
export async function planOnce({ db }: { db: Transaction<DB> }): Promise<void> {
  await plainSql`set local plan_cache_mode = force_generic_plan`.execute(db);
}

/** Whether a statement failed because the columns of a table changed after it was prepared. */
function hasOutdatedPlan(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === outdatedPlan;
}

/** feature_not_supported, of which "cached plan must not change result type" is the only one that these statements cause. */
export const outdatedPlan = '0A000';

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
