// Distributes tables of a cluster within a transaction, and runs migrations there.
import type pg from 'pg';
import { readCatalogue } from './cluster.ts';
import { planDistribution } from './plan-distribution.ts';
import { splitStatements } from './split-statements.ts';

/** Distributes what isn't, in the transaction of the caller. Returns the number of tables. */
export async function distributeTables(client: pg.ClientBase): Promise<number> {
  // One shard after the other: a transaction that has changed a reference table can't change shards in parallel.
  await client.query(`set local citus.multi_shard_modify_mode = 'sequential'; set local client_min_messages = warning`);
  const statements = planDistribution(await readCatalogue(client));
  for (const statement of statements) await client.query(statement);
  return statements.filter((statement) => statement.startsWith('select')).length;
}

/**
 * Runs a migration on a cluster, in the transaction of the caller. New tables are distributed at once, so that the
 * statements that follow can refer to them.
 */
export async function runOnCluster(client: pg.ClientBase, migration: string): Promise<void> {
  await client.query(`set local citus.multi_shard_modify_mode = 'sequential'`);
  for (const statement of splitStatements(migration)) {
    if (!/^create table\b/i.test(statement)) {
      await client.query(statement);
      continue;
    }
    // Citus would reject foreign keys of a table that isn't distributed yet.
    await client.query('set local citus.enable_ddl_propagation = off');
    await client.query(statement);
    await client.query('set local citus.enable_ddl_propagation = on');
    await distributeTables(client);
  }
}
