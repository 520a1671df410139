// Writes a backup: every table of one snapshot, streamed into one compressed file while the service runs.
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { link, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { readDatabaseIdentity } from '../../platform/db/database-identity.ts';
import { countByKey, type EncryptedColumn } from '../../platform/secrets/encrypted-columns.ts';
import { encodeFile, type Frame, type FrameKind, toDataFrames } from './file-format.ts';
import { type Header, jobsTable, type Summary, type TableEnd } from './manifest.ts';
import { selectOpenJobs } from './open-jobs.ts';
import { queriesOf } from './queries.ts';
import { listTables, prepareSession, requireNoSequences, toCopyTarget } from './tables.ts';

/** Higher levels take several times as long and save a tenth. */
const compressionLevel = 1;

type Options = {
  path: string;
  /** The version of Tributary. */
  version: string;
  /** Where to find the names of the keys that the backup needs. */
  encryptedColumns: readonly EncryptedColumn[];
};

/**
 * Writes the database of `client` into a new file. All tables are read in one snapshot, which sees what was committed
 * before it and delays no one. The file appears when it is complete; an existing file is not overwritten (EEXIST).
 */
export async function writeBackup(client: pg.PoolClient, options: Options): Promise<Summary> {
  await prepareSession(client);
  const { path } = options;
  const partial = `${path}.${process.pid}.partial`;
  await client.query('begin isolation level repeatable read read only');
  try {
    const summary: { header?: Header; tables: TableEnd[] } = { tables: [] };
    const content = Readable.from(encodeFile(readFrames(client, options, summary)), { objectMode: false });
    const file = createWriteStream(partial, { mode: 0o600, flags: 'wx', flush: true });
    await pipeline(content, createGzip({ level: compressionLevel }), file);
    if (!summary.header) throw new Error('The backup has no header.');
    await link(partial, path);
    return { header: summary.header, tables: summary.tables };
  } finally {
    await rm(partial, { force: true });
    await client.query('rollback');
  }
}

/** Reads the frames, and records in `summary` what they contain. */
async function* readFrames(
  client: pg.PoolClient,
  options: Options,
  summary: { header?: Header; tables: TableEnd[] },
): AsyncGenerator<Frame> {
  await requireNoSequences(client);
  const tables = await listTables(client);
  // A migration that starts now waits until the backup is complete.
  await client.query(`lock table ${tables.map(({ name }) => client.escapeIdentifier(name)).join(', ')} in access share mode`);
  const header = await readHeader(client, options);
  summary.header = header;
  yield toFrame('header', header);
  for (const table of tables) {
    yield toFrame('table', table);
    summary.tables.push(yield* copyRows(client, table.name, `copy ${toCopyTarget(client, table)} to stdout`));
  }
  yield toFrame('table', { name: jobsTable, columns: ['job'] });
  summary.tables.push(yield* copyRows(client, jobsTable, `copy (${selectOpenJobs}) to stdout`));
}

async function* copyRows(client: pg.PoolClient, name: string, statement: string): AsyncGenerator<Frame, TableEnd> {
  const hash = createHash('sha256');
  let bytes = 0;
  const copy = client.query(copyTo(statement));
  for await (const frame of toDataFrames(copy)) {
    hash.update(frame.content);
    bytes += frame.content.length;
    yield frame;
  }
  const end = { name, rows: copy.rowCount, bytes, sha256: hash.digest('hex') };
  yield toFrame('end', end);
  return end;
}

async function readHeader(client: pg.PoolClient, { version, encryptedColumns }: Options): Promise<Header> {
  const db = queriesOf(client);
  const { rows } = await client.query<{ takenAt: Date; postgresVersion: string }>(
    `select now() as "takenAt", current_setting('server_version') as "postgresVersion"`,
  );
  const [origin] = rows;
  if (!origin) throw new Error('The database did not return its version.');
  const migrations = await db.selectFrom('migrations').selectAll().orderBy('name').execute();
  const secretKeys = new Set<string>();
  for (const column of encryptedColumns) for (const name of (await countByKey({ db }, column)).keys()) secretKeys.add(name);
  return {
    ...origin,
    version,
    databaseIdentity: await readDatabaseIdentity({ db }),
    migrations,
    secretKeys: [...secretKeys].sort(),
  };
}

function toFrame(kind: FrameKind, value: object): Frame {
  return { kind, content: Buffer.from(JSON.stringify(value)) };
}
