// Temporary data folders, and processes that hold a database in them. Everything started here is
// ended by its own pid when the test is over.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, type TestContext } from 'node:test';
import { Pool, type QueryResultRow } from 'pg';
import { findLocation } from '../../../server/platform/db/embedded/location.ts';
import { type EmbeddedDatabase, openEmbedded } from '../../../server/platform/db/embedded/open.ts';
import { getProcessState, readPostmaster } from '../../../server/platform/db/embedded/postmaster-file.ts';
import { until as waitUntil } from '../time/wait.ts';

export const isRoot = process.getuid?.() === 0;

export type Fact = { event: string; message?: string; how?: string; postmaster?: number; host?: string };
export type Held = {
  pid: number;
  facts: Fact[];
  /** Resolves with the first fact of this kind, past or future. */
  fact(...events: string[]): Promise<Fact>;
  stop(signal: NodeJS.Signals): Promise<void>;
};

let template = '';

/** Makes the database that `aDatabaseDir` copies, before the tests of a file. */
export function prepareDatabaseDir(): void {
  before(async () => {
    const base = fs.mkdtempSync(path.join(os.tmpdir(), 'embedded-test-'));
    fs.chmodSync(base, 0o755);
    const database = await openEmbedded({ dataDir: base, role: 'server', name: 'template', settings: { fsync: 'off' } });
    await database.close();
    template = path.join(base, 'postgres');
  });
  after(() => fs.rmSync(path.dirname(template), { recursive: true, force: true }));
}

/** A folder that is removed after the test, with a database that still runs in it. */
export function aDataDir(t: TestContext, ...names: string[]): string {
  const base = fs.mkdtempSync(path.join(os.tmpdir(), 'embedded-test-'));
  // As root the database runs under another account, which must be able to pass.
  fs.chmodSync(base, 0o755);
  const dataDir = path.join(base, ...(names.length > 0 ? names : ['data']));
  atEnd(t, async () => {
    const pid = fs.existsSync(dataDir) ? postmasterOf(dataDir) : null;
    if (pid !== null && isPostmaster(pid)) {
      process.kill(pid, 'SIGKILL');
      await until(() => !isPostmaster(pid));
    }
    const outside = path.join(dataDir, 'postgres-location');
    if (fs.existsSync(outside)) fs.rmSync(path.dirname(fs.readFileSync(outside, 'utf8').trim()), { recursive: true, force: true });
    fs.rmSync(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });
  return dataDir;
}

/** A data folder with a finished, stopped database in it: a copy of one made once, to save time. */
export function aDatabaseDir(t: TestContext, ...names: string[]): string {
  const dataDir = aDataDir(t, ...names);
  fs.mkdirSync(dataDir, { recursive: true });
  // cp keeps the owner, which is another account under root.
  const copied = spawnSync('cp', ['-a', template, path.join(dataDir, 'postgres')], { encoding: 'utf8' });
  if (copied.status !== 0) throw new Error(copied.stderr);
  return dataDir;
}

/** Opens a database in this process and closes it after the test. */
export async function open(
  t: TestContext,
  dataDir: string,
  more: Partial<Parameters<typeof openEmbedded>[0]> = {},
): Promise<EmbeddedDatabase> {
  const database = await openEmbedded({ dataDir, role: 'server', name: 'test', settings: { fsync: 'off' }, waitMs: 0, ...more });
  atEnd(t, () => database.close());
  return database;
}

/** Starts another process that opens the database and keeps it. */
export function hold(t: TestContext, dataDir: string, role: 'server' | 'command', waitMs = 0, uid?: number): Held {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'holder.ts'), dataDir, role, String(waitMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    uid,
    gid: uid,
  });
  const held = listen(child);
  atEnd(t, () => held.stop('SIGTERM'));
  return held;
}

export async function query<Row extends QueryResultRow>(database: Pick<EmbeddedDatabase, 'connection'>, text: string): Promise<Row[]> {
  const pool = new Pool({ ...database.connection, max: 1 });
  pool.on('error', () => undefined);
  try {
    return (await pool.query<Row>(text)).rows;
  } finally {
    await pool.end();
  }
}

export function postmasterOf(dataDir: string): number | null {
  return readPostmaster(findLocation(dataDir).clusterDir)?.pid ?? null;
}

export function isPostmaster(pid: number): boolean {
  return getProcessState(pid) === 'postmaster';
}

/** Waits for something another process does. */
export function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  return waitUntil(isTrue.toString(), isTrue);
}

const endings = new WeakMap<TestContext, (() => Promise<void>)[]>();

/** Like t.after, but last in, first out: a folder goes after the processes in it. */
function atEnd(t: TestContext, end: () => Promise<void>): void {
  const known = endings.get(t);
  if (known) {
    known.push(end);
    return;
  }
  const all = [end];
  endings.set(t, all);
  t.after(async () => {
    for (const each of all.toReversed()) await each();
  });
}

function listen(child: ChildProcess): Held {
  const facts: Fact[] = [];
  let rest = '';
  const exited = once(child, 'exit');
  child.stdout?.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    facts.push(...lines.map((line) => JSON.parse(line) as Fact));
  });
  return {
    pid: child.pid ?? 0,
    facts,
    async fact(...events) {
      let found: Fact | undefined;
      await until(() => {
        found = facts.find((fact) => events.includes(fact.event));
        return found !== undefined;
      });
      return found ?? { event: 'none' };
    },
    async stop(signal) {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      await exited;
    },
  };
}
