// Creates an empty cluster, once. It is created in a temporary folder and then renamed, so that a folder with the final
// name is always complete, even after an interruption. Of two concurrent processes, the slower one deletes its own.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { type Binaries, explainSpawnFailure } from './binaries.ts';
import type { DatabaseLocation } from './location.ts';
import { getProcessState } from './postmaster-file.ts';
import { createPrivateFolder } from './socket-dir.ts';

/** The only user of the cluster. Access is protected by the folder of the socket, not by passwords. */
export const databaseUser = 'tributary';

const staleAfterMs = 60 * 60_000;

/** Whether the folder contains a complete cluster. */
export function isInitialised(clusterDir: string): boolean {
  return ['PG_VERSION', 'global/pg_control'].every((file) => fs.existsSync(path.join(clusterDir, file)));
}

/** Creates the cluster if there is none. Returns whether this call created it. */
export async function initialise(options: {
  location: DatabaseLocation;
  binaries: Binaries;
  isDurable: boolean;
  log: (message: string) => void;
}): Promise<boolean> {
  const { location, binaries, isDurable, log } = options;
  removeLeftovers(location.clusterDir, log);
  if (isInitialised(location.clusterDir)) return false;

  const temporary = `${location.clusterDir}.new-${process.pid}-${randomBytes(4).toString('hex')}`;
  createPrivateFolder(temporary, location.account);
  try {
    await runInitdb({ location, binaries, isDurable, folder: temporary });
    return moveIntoPlace({ temporary, clusterDir: location.clusterDir, log });
  } finally {
    fs.rmSync(temporary, { recursive: true, force: true });
  }
}

async function runInitdb(options: { location: DatabaseLocation; binaries: Binaries; isDurable: boolean; folder: string }): Promise<void> {
  const { location, binaries, isDurable, folder } = options;
  const args = [
    `--pgdata=${folder}`,
    `--username=${databaseUser}`,
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
  ];
  if (!isDurable) args.push('--no-sync');
  const child = spawn(binaries.initdb, args, {
    ...location.account,
    cwd: '/',
    // In its own process group, because this process handles Ctrl-C.
    detached: true,
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', (error) => reject(explainSpawnFailure(error, binaries.initdb)));
    child.once('close', resolve);
  });
  if (code === 0) return;
  const advice = output.includes('could not look up effective user ID')
    ? ' PostgreSQL needs a user with an entry in /etc/passwd; use one, or set DATABASE_URL.'
    : '';
  throw new Error(`The database folder could not be created.${advice}\n${output.trim().split('\n').slice(-8).join('\n')}`);
}

function moveIntoPlace(options: { temporary: string; clusterDir: string; log: (message: string) => void }): boolean {
  const { temporary, clusterDir, log } = options;
  for (;;) {
    try {
      // Only replaces an empty folder.
      fs.renameSync(temporary, clusterDir);
      break;
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? '';
      if (!['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(code)) throw error;
      if (isInitialised(clusterDir)) return false;
      setAside(clusterDir, log);
    }
  }
  const parent = fs.openSync(path.dirname(clusterDir), 'r');
  fs.fsyncSync(parent);
  fs.closeSync(parent);
  return true;
}

/** An incomplete folder was not created here, since complete ones are renamed into place. It may contain data, so it is moved. */
function setAside(clusterDir: string, log: (message: string) => void): void {
  const aside = `${clusterDir}.incomplete-${new Date().toISOString().replaceAll(/[^0-9]/g, '')}`;
  fs.renameSync(clusterDir, aside);
  log(`${clusterDir} was not a complete database; it is now ${aside}.`);
}

/**
 * Removes temporary folders of interrupted processes. If an initdb is still writing, this fails and a later start removes
 * the folder.
 */
function removeLeftovers(clusterDir: string, log: (message: string) => void): void {
  const parent = path.dirname(clusterDir);
  const prefix = `${path.basename(clusterDir)}.new-`;
  for (const name of fs.readdirSync(parent)) {
    if (!name.startsWith(prefix)) continue;
    const folder = path.join(parent, name);
    const pid = Number(name.slice(prefix.length).split('-')[0]);
    const ageMs = Date.now() - (fs.statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (!['gone', 'zombie'].includes(getProcessState(pid)) && ageMs < staleAfterMs) continue;
    try {
      fs.rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      log(`${folder} is a leftover and could not be removed yet: ${String(error)}`);
    }
  }
}
