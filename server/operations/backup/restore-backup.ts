// Restores a backup into a database, in one transaction: whatever fails, the database is as it was before.
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import type { PgBoss } from 'pg-boss';
import { from as copyFrom } from 'pg-copy-streams';
import { failOldEmails } from '../../messaging/emails/fail-old.ts';
import { skipLostPositions } from '../../messaging/events/skip-lost-positions.ts';
import { readDatabaseIdentity } from '../../platform/db/database-identity.ts';
import { applyMigration, createMigrationsTable, type Migration, readMigrations } from '../../platform/db/migrate.ts';
import { markAllPrograms } from '../../platform/queue/program-work.ts';
import { type Header, jobsTable, type Summary, type TableStart } from './manifest.ts';
import { createJobsTarget, enqueueJobs, jobsTarget } from './open-jobs.ts';
import { queriesOf } from './queries.ts';
import { readBackup } from './read-backup.ts';
import { listTables, prepareSession, toCopyTarget } from './tables.ts';

/** The backup can't be restored by this version of Tributary. */
export class UnsuitableBackup extends Error {}

/** Emails that waited longer than this when they are restored are not sent: they probably were, after the backup. */
export const oldEmailHours = 24;

export type Restored = Summary & { jobs: number; failedEmails: number; migrated: string[] };

type Target = {
  client: pg.PoolClient;
  boss: PgBoss;
  now: Date;
  /** Throws if a backup with this header must not be restored. */
  checkHeader?(header: Header): void;
};

/** Replaces the tables of the database, and the jobs of its queue, by those of the backup. Throws DamagedBackup. */
export async function restoreBackup(path: string, { client, boss, now, checkHeader }: Target): Promise<Restored> {
  await prepareSession(client);
  const newer: Migration[] = [];
  const rebuild: string[] = [];
  await client.query('begin');
  try {
    const summary = await readBackup(path, {
      async begin(header) {
        checkHeader?.(header);
        newer.push(...(await createTables(client, header)));
        rebuild.push(...(await dropForLoading(client)));
        await createJobsTarget(client);
      },
      load: (table, rows) => loadTable(client, table, rows),
    });
    await requireAllTables(client, summary);
    // In memory, sorting for an index is several times as fast.
    await client.query(`set local maintenance_work_mem = '256MB'`);
    for (const statement of rebuild) await client.query(statement);
    for (const migration of newer) await applyMigration(client, migration, now);
    await requireLockedPayouts(client);
    await skipLostPositions(client);
    await markAllPrograms(client);
    const failedEmails = await failOldEmails({ db: queriesOf(client) }, new Date(now.getTime() - oldEmailHours * 3_600_000));
    const jobs = await enqueueJobs(client, { boss, now, oldAfterHours: oldEmailHours });
    await client.query('commit');
    await client.query('analyze');
    return { ...summary, jobs, failedEmails, migrated: newer.map(({ name }) => name) };
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** Creates the empty tables as they were when the backup was written. Returns the migrations that are newer. */
async function createTables(client: pg.PoolClient, header: Header): Promise<Migration[]> {
  const known = await readMigrations();
  const wanted = header.migrations.map(({ name, hash, appliedAt }) => {
    const migration = known.find((one) => one.name === name);
    if (migration?.hash !== hash)
      throw new UnsuitableBackup(
        `The backup was written by Tributary ${header.version}, whose migration ${name} this version doesn't have. Restore it with that version or a later one.`,
      );
    return { migration, appliedAt };
  });
  const { rows } = await client.query<{ name: string }>(
    `select oid::regclass as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  );
  if (rows.length > 0) await client.query(`drop table ${rows.map(({ name }) => name).join(', ')} cascade`);
  await client.query(createMigrationsTable);
  for (const { migration, appliedAt } of wanted) await applyMigration(client, migration, appliedAt);
  const tables = await listTables(client);
  // Some migrations insert rows, which the backup also contains.
  await client.query(`truncate ${tables.map(({ name }) => client.escapeIdentifier(name)).join(', ')} cascade`);
  return known.filter(({ name }) => !header.migrations.some((stored) => stored.name === name));
}

async function loadTable(client: pg.PoolClient, table: TableStart, rows: AsyncIterable<Buffer>): Promise<number> {
  const target = table.name === jobsTable ? jobsTarget : toCopyTarget(client, table);
  const copy = client.query(copyFrom(`copy ${target} from stdin`));
  await pipeline(rows, copy);
  return copy.rowCount;
}

async function requireAllTables(client: pg.PoolClient, { tables }: Summary): Promise<void> {
  const loaded = new Set(tables.map(({ name }) => name));
  const missing = [...(await listTables(client)).map(({ name }) => name), jobsTable].filter((name) => !loaded.has(name));
  if (missing.length > 0) throw new UnsuitableBackup(`The backup doesn't contain ${missing.join(', ')}.`);
}

/** Payouts are locked where the identity of the database differs from the stored one. */
async function requireLockedPayouts(client: pg.PoolClient): Promise<void> {
  const db = queriesOf(client);
  const same = db
    .selectFrom('payoutSafety')
    .select('programId')
    .where('databaseIdentity', '=', await readDatabaseIdentity({ db }));
  const unlocked = await same.limit(1).executeTakeFirst();
  if (unlocked) throw new Error(`The payouts of program ${unlocked.programId} would not be locked. Nothing was restored.`);
}

/**
 * Drops all foreign keys and plain indexes, so that tables can be loaded in any order and several times as fast. Returns the
 * statements that create them again, which checks every reference.
 */
async function dropForLoading(client: pg.ClientBase): Promise<string[]> {
  const indexes = await client.query<{ drop: string; create: string }>(`
    select format('drop index %s', indexrelid::regclass) as drop, pg_get_indexdef(indexrelid) as create
    from pg_index join pg_class as class on class.oid = indrelid
    where class.relnamespace = 'public'::regnamespace and not exists (select from pg_constraint where conindid = indexrelid)
    order by indrelid, indexrelid`);
  const keys = await client.query<{ drop: string; create: string }>(`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as create
    from pg_constraint where connamespace = 'public'::regnamespace and contype = 'f' order by conrelid, conname`);
  const objects = [...indexes.rows, ...keys.rows];
  for (const { drop } of keys.rows) await client.query(drop);
  for (const { drop } of indexes.rows) await client.query(drop);
  return objects.map(({ create }) => create);
}
