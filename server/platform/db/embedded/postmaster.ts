// Starting and stopping the database process. It gets a session of its own, so a Ctrl-C in the
// terminal reaches only its owner, who stops it when the last query is done.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { explainSpawnFailure, findBinaries } from './binaries.ts';
import { initialise, isInitialised } from './initialise.ts';
import type { Place } from './location.ts';
import { openLog } from './log-file.ts';
import { getProcessState, readPostmaster } from './postmaster-file.ts';
import { makeSocketDir, removeSocketDir, socketPort } from './socket-dir.ts';

export type Cluster = {
  place: Place;
  settings: Record<string, string>;
  log: (message: string) => void;
  /** The socket folder in use, once known: a restart must come back at the same address. */
  socketDir: string | null;
};

export type Start = {
  pid: number | undefined;
  isNew: boolean;
  /** Null while it runs. `isPassing` when the cause goes away by itself, as a predecessor that is still dying. */
  failure(): { error: Error; isPassing: boolean } | null;
};

const stopMs = 20_000;
const forcedStopMs = 10_000;

/** What postgres says while remains of a killed predecessor (or a rival's lock) are still there. */
const passing = /lock file ".*" (already exists|is empty)|shared memory block .* is still in use/;

/** Starts the database, making the cluster first if there is none and it may. It is not ready yet on return. */
export async function startPostmaster(cluster: Cluster, options: { mayCreate: boolean }): Promise<Start> {
  const { place, settings, log } = cluster;
  if (!options.mayCreate && !isInitialised(place.clusterDir)) {
    throw new Error(`The database folder ${place.clusterDir} has disappeared.`);
  }
  const binaries = findBinaries({ account: place.account, copyParent: place.copyParent });
  const isNew = await initialise({ place, binaries, isDurable: settings.fsync !== 'off', log });
  const former = readPostmaster(place.clusterDir);
  const socketDir = makeSocketDir(place, cluster.socketDir ?? former?.address?.socketDir ?? null);
  cluster.socketDir = socketDir;
  const logFile = openLog(place.logFile);

  const child = spawn(binaries.postgres, ['-D', place.clusterDir, ...settingArgs(socketDir, settings)], {
    ...place.account,
    cwd: '/',
    detached: true,
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC', ...staleOwner(former?.pid, place.clusterDir) },
    stdio: ['ignore', logFile.descriptor, logFile.descriptor],
  });
  fs.closeSync(logFile.descriptor);
  child.unref();

  let failure: { error: Error; isPassing: boolean } | null = null;
  child.once('error', (error) => {
    failure = { error: explainSpawnFailure(error, binaries.postgres), isPassing: false };
  });
  child.once('exit', (code, signal) => {
    const lines = logFile.lastLines();
    const error = new Error(`The database did not start (${signal ?? `exit ${code}`}). Its last words:\n${lines}`);
    // Exit 0: it did start, and somebody who owned it for a moment has stopped it again. A kill is worth another try too.
    failure ??= { error, isPassing: code === 0 || signal === 'SIGKILL' || passing.test(lines) };
  });
  return { pid: child.pid, isNew, failure: () => failure };
}

/** Stops the database: running statements are cancelled, everything acknowledged is on disk. */
export async function stopPostmaster(cluster: Cluster, pid: number): Promise<void> {
  const { clusterDir, account } = cluster.place;
  const isOurs = readPostmaster(clusterDir)?.pid === pid;
  if (isOurs && !(await stopWith({ signal: 'SIGINT', pid, clusterDir, timeoutMs: stopMs }))) {
    cluster.log('The database does not stop; ending it at once. It repairs itself at the next start.');
    if (!(await stopWith({ signal: 'SIGQUIT', pid, clusterDir, timeoutMs: forcedStopMs }))) {
      throw new Error(`The database (process ${pid}) does not stop.`);
    }
  }
  if (cluster.socketDir) removeSocketDir(cluster.socketDir, account);
}

async function stopWith(options: { signal: NodeJS.Signals; pid: number; clusterDir: string; timeoutMs: number }): Promise<boolean> {
  const { signal, pid, clusterDir, timeoutMs } = options;
  const isRunning = () => getProcessState(pid, clusterDir) === 'postmaster';
  if (isRunning()) process.kill(pid, signal);
  const deadline = Date.now() + timeoutMs;
  while (isRunning() && Date.now() < deadline) await sleep(20);
  return !isRunning();
}

function settingArgs(socketDir: string, settings: Record<string, string>): string[] {
  const all: Record<string, string> = {
    listen_addresses: '',
    port: String(socketPort),
    // A list of quoted folders: ours may contain commas and spaces.
    unix_socket_directories: `"${socketDir.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    shared_buffers: '128MB',
    max_connections: '100',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // The service reports its own failed statements; their texts do not belong in a second log.
    log_min_messages: 'warning',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    ...settings,
  };
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/**
 * Postgres refuses to start while the pid in postmaster.pid is alive, even if by now it is a dead
 * process nobody reaped, or a stranger that got the same number (usual after a container restart).
 * Where we can see that it is, we name it the way pg_ctl names its caller, and postgres goes on to
 * its other check, the shared memory that every living backend still holds.
 */
function staleOwner(pid: number | undefined, clusterDir: string): Record<string, string> {
  if (pid === undefined) return {};
  return ['zombie', 'other'].includes(getProcessState(pid, clusterDir)) ? { PG_GRANDPARENT_PID: String(pid) } : {};
}
