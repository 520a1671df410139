// How long a backup of a million conversions takes, and its restore into another database: `verify` finds nothing there, and
// payouts are locked.
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import pino from 'pino';
import { openTemporaryDatabase } from '../scripts/temporary-database.ts';
import { checkBackup } from '../server/operations/backup/read-backup.ts';
import { restoreBackup } from '../server/operations/backup/restore-backup.ts';
import { writeBackup } from '../server/operations/backup/write-backup.ts';
import { checkInvariants } from '../server/operations/verify/invariants.ts';
import { connect, typedQueries } from '../server/platform/db/connect.ts';
import { readDatabaseIdentity } from '../server/platform/db/database-identity.ts';
import { migrate } from '../server/platform/db/migrate.ts';
import { createQueues, openQueue } from '../server/platform/queue/queue.ts';
import { jobs } from '../server/schedule.ts';
import { fill } from './verify.ts';

const rowsByDefault = 1_000_000;
const mostSeconds = 600;

/** Runs the benchmark; true when every promise was kept. */
export async function benchBackup(args: string[]): Promise<boolean> {
  const given = args.indexOf('--rows');
  const rows = given < 0 ? rowsByDefault : Number(args[given + 1]);
  const folder = await mkdtemp(join(tmpdir(), 'tributary-bench-backup-'));
  const file = join(folder, 'all.backup');
  try {
    const writing = await withDatabase(async (pool) => {
      await migrate(pool, new Date());
      await (await openQueue(pool, pino({ level: 'silent' }), { supervise: false })).stop({ graceful: false });
      await fill(pool, rows);
      const db = typedQueries(pool);
      await pool.query(
        `insert into payout_safety (program_id, database_identity, seen_at, clock_accepted_at) select id, $1, now(), now() from programs`,
        [await readDatabaseIdentity({ db })],
      );
      return measure(() => withClient(pool, (client) => writeBackup(client, { path: file, version: 'bench', encryptedColumns: [] })));
    });
    const checking = await measure(() => checkBackup(file));
    const { size } = await stat(file);
    console.log(
      `\n  backup of ${rows.toLocaleString('en')} conversions: ${writing.seconds} s, ${Math.round(size / 1e6)} MB; checked in ${checking.seconds} s`,
    );
    const restoring = await withDatabase((pool) => restore(pool, file));
    const total = Number(writing.seconds) + Number(restoring.seconds);
    const promises: [string, boolean][] = [
      [`backup and restore took ${total.toFixed(1)} s (< ${mostSeconds}), the restore ${restoring.seconds} s`, total < mostSeconds],
      [`verify found ${restoring.broken} violations in ${restoring.verifySeconds} s`, restoring.broken === 0],
      [`payouts of ${restoring.unlocked} programs are not locked`, restoring.unlocked === 0],
    ];
    for (const [words, isKept] of promises) console.log(`  ${isKept ? 'kept  ' : 'MISSED'} ${words}`);
    return promises.every(([, isKept]) => isKept);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function restore(pool: pg.Pool, file: string) {
  const boss = await openQueue(pool, pino({ level: 'silent' }), { supervise: false });
  await createQueues(boss, jobs);
  const { seconds } = await measure(() => withClient(pool, (client) => restoreBackup(file, { client, boss, now: new Date() })));
  await boss.stop({ graceful: false });
  const db = typedQueries(pool);
  const verified = await measure(() => checkInvariants({ db }));
  const identity = await readDatabaseIdentity({ db });
  const same = await pool.query('select 1 from payout_safety where database_identity = $1', [identity]);
  const broken = verified.result.filter((finding) => finding.broken.length > 0).length;
  return { seconds, verifySeconds: verified.seconds, broken, unlocked: same.rows.length };
}

async function withDatabase<Result>(act: (pool: pg.Pool) => Promise<Result>): Promise<Result> {
  const database = await openTemporaryDatabase('bench', { settings: {} });
  const pool = connect({ ...database.connection, max: 4, statement_timeout: 0, query_timeout: 0, pipeline: false });
  try {
    return await act(pool);
  } finally {
    await pool.end();
    await database.close();
  }
}

async function withClient<Result>(pool: pg.Pool, act: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  try {
    return await act(client);
  } finally {
    client.release(true);
  }
}

async function measure<Result>(act: () => Promise<Result>): Promise<{ result: Result; seconds: string }> {
  const from = performance.now();
  const result = await act();
  return { result, seconds: ((performance.now() - from) / 1000).toFixed(1) };
}
