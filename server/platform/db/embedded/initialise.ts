// Makes an empty cluster, once. It is made in a temporary folder beside its place and renamed into
// it, so that a folder with the right name is always a finished one, however we were interrupted,
// and of two processes doing this at the same moment the slower one just throws its own away.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { type Binaries, explainSpawnFailure } from './binaries.ts';
import type { Place } from './location.ts';
import { getProcessState } from './postmaster-file.ts';
import { makePrivate } from './socket-dir.ts';

/** The only user of the cluster. Names and passwords guard nothing here: the socket's folder does. */
export const databaseUser = 'tributary';

const staleAfterMs = 60 * 60_000;

/** Whether the folder holds a complete cluster. */
export function isInitialised(clusterDir: string): boolean {
  return ['PG_VERSION', 'global/pg_control'].every((file) => fs.existsSync(path.join(clusterDir, file)));
}

/** Makes the cluster if there is none. True when it was this call that made it. */
export async function initialise(options: {
  place: Place;
  binaries: Binaries;
  isDurable: boolean;
  log: (message: string) => void;
}): Promise<boolean> {
  const { place, binaries, isDurable, log } = options;
  removeLeftovers(place.clusterDir, log);
  if (isInitialised(place.clusterDir)) return false;

  const temporary = `${place.clusterDir}.new-${process.pid}-${randomBytes(4).toString('hex')}`;
  makePrivate(temporary, place.account);
  try {
    await runInitdb({ place, binaries, isDurable, folder: temporary });
    return moveIntoPlace({ temporary, clusterDir: place.clusterDir, log });
  } finally {
    fs.rmSync(temporary, { recursive: true, force: true });
  }
}

async function runInitdb(options: { place: Place; binaries: Binaries; isDurable: boolean; folder: string }): Promise<void> {
  const { place, binaries, isDurable, folder } = options;
  const args = [
    `--pgdata=${folder}`,
    `--username=${databaseUser}`,
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...(isDurable ? [] : ['--no-sync']),
  ];
  const child = spawn(binaries.initdb, args, {
    ...place.account,
    cwd: '/',
    // Of its own process group: a Ctrl-C in the terminal is ours to handle.
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
  const hint = output.includes('could not look up effective user ID')
    ? ' PostgreSQL needs a user with an entry in /etc/passwd; use one, or set DATABASE_URL.'
    : '';
  throw new Error(`The database folder could not be created.${hint}\n${output.trim().split('\n').slice(-8).join('\n')}`);
}

function moveIntoPlace(options: { temporary: string; clusterDir: string; log: (message: string) => void }): boolean {
  const { temporary, clusterDir, log } = options;
  for (;;) {
    try {
      // Replaces nothing but an empty folder.
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

/** A half-made folder was not left by us (we rename), so it is kept, in case it is somebody's data. */
function setAside(clusterDir: string, log: (message: string) => void): void {
  const aside = `${clusterDir}.incomplete-${new Date().toISOString().replaceAll(/[^0-9]/g, '')}`;
  fs.renameSync(clusterDir, aside);
  log(`${clusterDir} was not a complete database; it is now ${aside}.`);
}

/**
 * Removes what interrupted runs left: temporary folders whose process is gone. If its initdb is
 * still writing, removing fails and is left to a later start.
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
      log(`${folder} is left over and could not be removed yet: ${String(error)}`);
    }
  }
}
