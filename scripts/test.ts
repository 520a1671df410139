// `npm test`: checks, then every test on a real PostgreSQL of its own. With arguments: just these files.
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import pg from 'pg';
import pino from 'pino';
import { ensureAppRole } from '../server/db/app-role.ts';
import { connect } from '../server/db/connect.ts';
import { migrate } from '../server/db/migrate.ts';
import { createQueues, openQueue } from '../server/jobs/queue.ts';
import { jobs } from '../server/jobs.ts';
import { openTemporaryDatabase } from './temporary-database.ts';

const files = process.argv.slice(2);
const template = 'tributary_template';

/** A cluster that may forget everything, with a migrated database to clone. */
async function openTestDatabase() {
  const embedded = await openTemporaryDatabase('test');
  const administrator = new pg.Client({ ...embedded.connection, database: 'postgres' });
  await administrator.connect();
  await administrator.query(`create database ${template}`);
  await administrator.end();
  const connection = { ...embedded.connection, database: template };
  const pool = connect(connection);
  await migrate(pool, new Date());
  const boss = await openQueue(pool, pino({ level: 'silent' }), { supervise: false });
  await createQueues(boss, jobs);
  await boss.stop({ graceful: false });
  await ensureAppRole(pool);
  await pool.end();
  return { connection, close: embedded.close };
}

function run(args: string[], environment: Record<string, string> = {}): Promise<number> {
  const child = spawn(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...environment } });
  return new Promise((resolve) => child.on('close', (code, signal) => resolve(signal ? 1 : (code ?? 1))));
}

const started = Date.now();
let exitCode = files.length === 0 ? await run(['scripts/check.ts']) : 0;
if (exitCode === 0) {
  const database = await openTestDatabase();
  const wanted = files.length > 0 ? files : globSync(['server/**/*.test.ts', 'test/**/*.test.ts']).sort();
  try {
    // A file has five minutes; the long forms of some tests say that they need more.
    const timeoutMs = 1000 * Number(process.env.TEST_SECONDS ?? 300);
    const environment = { TRIBUTARY_TEST_TEMPLATE: JSON.stringify(database.connection), NODE_ENV: 'test' };
    exitCode = await run(['--test', '--test-concurrency=2', `--test-timeout=${timeoutMs}`, ...wanted], environment);
  } finally {
    await database.close();
  }
}
console.log(`\n  ${exitCode === 0 ? 'Green' : 'RED'} after ${Math.round((Date.now() - started) / 1000)} s.`);
process.exitCode = exitCode;
