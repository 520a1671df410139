// Migrations: plain SQL, forward only. Each file runs in one transaction together with its version row, under an advisory
// lock, so that several processes can start at the same time. A released file is never edited.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';
import { readCluster } from './cluster/cluster.ts';
import { runOnCluster } from './cluster/distribute-tables.ts';

const folder = new URL('../../../migrations/', import.meta.url);
/** The advisory lock of processes that change the schema. */
export const migrationLock = 7_205_759;

export const createMigrationsTable = `create table if not exists migrations (
      name text constraint migrations_pkey primary key, hash text not null, applied_at timestamptz not null)`;

export type Migration = { name: string; sql: string; hash: string };

/** Applies the missing migrations and returns their names. Throws if an applied file was edited. */
export async function migrate(pool: pg.Pool, appliedAt: Date): Promise<string[]> {
  const client = await pool.connect();
  try {
    await client.query('set statement_timeout = 0');
    await client.query('set lock_timeout = 0');
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    await client.query(createMigrationsTable);
    const applied = await client.query<{ name: string; hash: string }>('select name, hash from migrations');
    const hashes = new Map(applied.rows.map((row) => [row.name, row.hash]));
    const isDistributed = (await readCluster(client))?.isDistributed ?? false;
    const done: string[] = [];
    for (const migration of await readMigrations()) {
      const hash = hashes.get(migration.name);
      if (hash === migration.hash) continue;
      if (hash !== undefined) throw new Error(`Migration ${migration.name} was edited after it was applied.`);
      await apply(client, migration, { appliedAt, isDistributed });
      done.push(migration.name);
    }
    return done;
  } finally {
    client.release(true); // Ends the session, and with it the lock and the settings.
  }
}

type Applying = { appliedAt: Date; isDistributed: boolean };

async function apply(client: pg.PoolClient, migration: Migration, { appliedAt, isDistributed }: Applying): Promise<void> {
  await client.query('begin');
  try {
    await applyMigration(client, migration, appliedAt, isDistributed);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** Applies one migration, in the transaction of the caller. `isDistributed`: on a cluster whose tables are. */
export async function applyMigration(
  client: pg.ClientBase,
  { name, sql, hash }: Migration,
  appliedAt: Date,
  isDistributed = false,
): Promise<void> {
  try {
    await client.query('insert into migrations (name, hash, applied_at) values ($1, $2, $3)', [name, hash, appliedAt]);
    await (isDistributed ? runOnCluster(client, sql) : client.query(sql));
  } catch (error) {
    throw new Error(`Migration ${name} failed: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}

/** All migrations of this version, in their order. */
export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_.*\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, folder), 'utf8');
      return { name, sql, hash: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}
