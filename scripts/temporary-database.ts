// A PostgreSQL in a temporary folder for tests, generators and benchmarks. Closing it removes the folder. A folder
// whose process was killed is removed by the next process that opens such a database.
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, lstatSync, mkdirSync, openSync, readSync, statfsSync, statSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openEmbedded } from '../server/platform/db/embedded/open.ts';
import { getProcessState, readPostmaster } from '../server/platform/db/embedded/postmaster-file.ts';

/** Settings of a disposable database: fast, but not safe in a crash. */
const disposable = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: String(Math.max(200, 50 * availableParallelism())),
  // Small, because the files are unpacked for each run of the tests.
  min_wal_size: '32MB',
};

const inMemory = '/dev/shm';
const neededBytes = 4 * 1024 ** 3;

type Options = {
  settings?: Record<string, string>;
  /** A packed database to start from, instead of an empty one. */
  archive?: string;
};

export type TemporaryDatabase = Awaited<ReturnType<typeof openTemporaryDatabase>>;

/** Opens an embedded database in a new folder. */
export async function openTemporaryDatabase(name: string, { settings = disposable, archive }: Options = {}) {
  const parent = settings === disposable ? fastestFolder() : tmpdir();
  await removeAbandoned(parent);
  const folder = await mkdtemp(join(parent, `tributary-${name}-${process.pid}-`));
  // As root, the database runs under another account, which must be able to enter the folder.
  await chmod(folder, 0o755);
  try {
    if (archive) unpack(archive, join(folder, 'postgres'));
    const embedded = await openEmbedded({ dataDir: folder, role: 'command', name, settings });
    return {
      folder,
      connection: embedded.connection,
      /** Stops the database; its files stay in `folder`/postgres. */
      stop: () => embedded.close(),
      async close(): Promise<void> {
        await embedded.close();
        await rm(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** A folder in memory if it has room for a run of all tests, otherwise the temporary folder of the system. */
export function fastestFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(inMemory);
    return bavail * bsize > neededBytes ? inMemory : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** Packs the files of a stopped database. They keep their owner, which is not this account when this is root. */
export function pack(clusterDir: string, archive: string): void {
  runTar(['-cf', archive, '-C', clusterDir, '.']);
}

function unpack(archive: string, clusterDir: string): void {
  if (!isComplete(archive)) throw new Error(`${archive} is damaged.`);
  mkdirSync(clusterDir);
  runTar(['-xpf', archive, '-C', clusterDir]);
}

/** tar pads archives to records of 10,240 bytes and ends them with two empty blocks, but doesn't detect every truncation. */
function isComplete(archive: string): boolean {
  const { size } = statSync(archive);
  if (size === 0 || size % 10_240 !== 0) return false;
  const tail = Buffer.alloc(1024, 1);
  const file = openSync(archive, 'r');
  readSync(file, tail, 0, tail.length, size - tail.length);
  closeSync(file);
  return tail.every((byte) => byte === 0);
}

function runTar(args: string[]): void {
  const { status, stderr } = spawnSync('tar', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`tar ${args.join(' ')}: ${stderr}`);
}

/** Removes the folders of processes that were killed, after stopping the database that still runs in them. */
async function removeAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const owner = Number(/^tributary-[a-z]+-(\d+)-[A-Za-z0-9]{6}$/.exec(name)?.[1]);
    if (!owner || isAlive(owner)) continue;
    const folder = join(parent, name);
    const isOwned = lstatSync(folder, { throwIfNoEntry: false })?.uid === process.getuid?.();
    // Another process may be removing the same folder; the next run removes the rest.
    if (isOwned) await removeWithDatabase(folder).catch(() => {});
  }
}

async function removeWithDatabase(folder: string): Promise<void> {
  await stopIn(join(folder, 'postgres'));
  await rm(folder, { recursive: true, force: true });
}

async function stopIn(clusterDir: string): Promise<void> {
  const pid = existsSync(clusterDir) ? readPostmaster(clusterDir)?.pid : undefined;
  if (pid === undefined || getProcessState(pid, clusterDir) !== 'postmaster') return;
  process.kill(pid, 'SIGQUIT');
  for (let attempts = 0; attempts < 100 && getProcessState(pid, clusterDir) === 'postmaster'; attempts += 1) await sleep(20);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}
