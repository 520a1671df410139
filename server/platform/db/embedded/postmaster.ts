// Starts and stops the database process. It has its own session, so that Ctrl-C in a terminal reaches only its owner,
// which stops it after the last query.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { explainSpawnFailure, findBinaries } from './binaries.ts';
import { initialise, isInitialised } from './initialise.ts';
import type { DatabaseLocation } from './location.ts';
import { openLog } from './log-file.ts';
import { getProcessState, readPostmaster } from './postmaster-file.ts';
import { createSocketDir, removeSocketDir, socketPort } from './socket-dir.ts';

export type Cluster = {
  location: DatabaseLocation;
  settings: Record<string, string>;
  log: (message: string) => void;
  /** The socket folder in use, once known. A restart must use the same address. */
  socketDir: string | null;
};

export type Start = {
  pid: number | undefined;
  isNew: boolean;
  /** Null while the process runs. `isPassing` if the cause is temporary, such as a previous process that is still ending. */
  failure(): { error: Error; isPassing: boolean } | null;
};

const stopMs = 20_000;
const forcedStopMs = 10_000;

/** Errors of postgres while a killed process, or a lock of a concurrent start, still exists. */
const passingErrors = /lock file ".*" (already exists|is empty)|shared memory block .* is still in use/;

/** Starts the database, and creates the cluster first if allowed and necessary. The database is not ready yet on return. */
export async function startPostmaster(cluster: Cluster, options: { mayCreate: boolean }): Promise<Start> {
  const { location, settings, log } = cluster;
  if (!options.mayCreate && !isInitialised(location.clusterDir)) {
    throw new Error(`The database folder ${location.clusterDir} has disappeared.`);
  }
  const binaries = findBinaries({ account: location.account, copyParent: location.copyParent });
  const isNew = await initialise({ location, binaries, isDurable: settings.fsync !== 'off', log });
  const former = readPostmaster(location.clusterDir);
  const socketDir = createSocketDir(location, cluster.socketDir ?? former?.address?.socketDir ?? null);
  cluster.socketDir = socketDir;
  const logFile = openLog(location.logFile);

  const child = spawn(binaries.postgres, ['-D', location.clusterDir, ...settingArgs(socketDir, settings)], {
    ...location.account,
    cwd: '/',
    detached: true,
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC', ...ignoreStalePid(former?.pid, location.clusterDir) },
    stdio: ['ignore', logFile.descriptor, logFile.descriptor],
  });
  fs.closeSync(logFile.descriptor);
  child.unref();

  let failure: { error: Error; isPassing: boolean } | null = null;
  child.once('error', (error) => {
    failure = { error: explainSpawnFailure(error, binaries.postgres), isPassing: false };
  });
  child.once('exit', (code, signal) => {
    const lines = logFile.lastLines(child.pid);
    const error = new Error(`The database did not start (${signal ?? `exit ${code}`}). The end of its log:\n${lines}`);
    // Exit 0: it started, and another process that owned it briefly has stopped it. A start that was killed is retried too.
    failure ??= { error, isPassing: code === 0 || signal === 'SIGKILL' || passingErrors.test(lines) };
  });
  return { pid: child.pid, isNew, failure: () => failure };
}

/** Stops the database. Running statements are cancelled; all committed data is on disk. */
export async function stopPostmaster(cluster: Cluster, pid: number): Promise<void> {
  const { clusterDir, account } = cluster.location;
  const isRunningHere = readPostmaster(clusterDir)?.pid === pid;
  if (isRunningHere && !(await stopWith({ signal: 'SIGINT', pid, clusterDir, timeoutMs: stopMs }))) {
    cluster.log('The database does not stop and is terminated. It recovers at the next start.');
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
    // The setting is a list of quoted folders, because names may contain commas and spaces.
    unix_socket_directories: `"${socketDir.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    shared_buffers: '128MB',
    max_connections: '100',
    // For solid-state disks: with the default of 4, counts read whole tables although an index has all that they need.
    random_page_cost: '1.1',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // The service logs its own failed statements; their texts must not appear in a second log.
    log_min_messages: 'warning',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    ...settings,
  };
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/**
 * Postgres does not start while the pid in postmaster.pid exists, even if it is a zombie or another program with the same
 * pid (common after a container restart). In those cases the pid is passed as pg_ctl passes its own, so that postgres
 * ignores it and only checks the shared memory, which every running backend holds.
 */
function ignoreStalePid(pid: number | undefined, clusterDir: string): Record<string, string> {
  if (pid === undefined) return {};
  return ['zombie', 'other'].includes(getProcessState(pid, clusterDir)) ? { PG_GRANDPARENT_PID: String(pid) } : {};
}
