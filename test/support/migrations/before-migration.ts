// A database as an earlier version left it, for tests of migrations.
import assert from 'node:assert/strict';
import type pg from 'pg';
import { connect } from '../../../server/platform/db/connect.ts';
import { applyMigration, createMigrationsTable, readMigrations } from '../../../server/platform/db/migrate.ts';
import { emptyDatabase } from '../harness.ts';

export type EarlierDatabase = { pool: pg.Pool; close(): Promise<void> };

/** A database with the migrations before this one. `fill` adds its rows, whose references are not checked. */
export async function openBeforeMigration(name: string, fill: (client: pg.ClientBase) => Promise<void>): Promise<EarlierDatabase> {
  const migrations = await readMigrations();
  assert.ok(
    migrations.some((migration) => migration.name === name),
    `there is no migration ${name}`,
  );
  const database = await emptyDatabase();
  const pool = connect({ ...database.connection, max: 1 });
  await pool.query(createMigrationsTable);
  const client = await pool.connect();
  for (const migration of migrations) if (migration.name < name) await applyMigration(client, migration, new Date());
  await client.query('set session_replication_role = replica');
  await fill(client);
  await client.query('set session_replication_role = origin');
  client.release();
  return {
    pool,
    async close() {
      await pool.end();
      await database.drop();
    },
  };
}
