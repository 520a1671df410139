// The database listens on a unix socket only, in a folder that nobody but its account can enter:
// that folder is the lock on the door, so connections need no password.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Account, canTraverse } from './account.ts';
import type { Place } from './location.ts';

export const socketPort = 5432;
/** The system's limit is 108 bytes on Linux and 104 on macOS. */
const maxSocketPathBytes = 100;
const temporaryPrefix = 'tributary-';

/**
 * The folder for the socket: beside the cluster if the path is short enough for a socket, else a
 * temporary one. `former` is the folder a killed postmaster used; taking it again leaves no litter
 * and keeps the address.
 */
export function makeSocketDir(place: Place, former: string | null): string {
  const usual = path.join(path.dirname(place.clusterDir), 'run');
  if (fits(usual)) {
    makePrivate(usual, place.account);
    return usual;
  }
  if (former && isTemporary(former)) {
    makePrivate(former, place.account);
    if (isPrivate(former, place.account)) return former;
  }

  const parent = [os.tmpdir(), '/tmp'].find(
    (folder) =>
      fits(path.join(folder, `${temporaryPrefix}123456`)) && (!place.account || canTraverse(place.account, fs.realpathSync(folder))),
  );
  if (!parent) throw new Error(`The path ${usual} is too long for a socket, and there is no short temporary folder.`);
  const folder = fs.mkdtempSync(path.join(parent, temporaryPrefix));
  if (place.account) fs.chownSync(folder, place.account.uid, place.account.gid);
  return folder;
}

/** Removes the socket folder if it was a temporary one of ours. */
export function removeSocketDir(folder: string, account: Account | null): void {
  if (isTemporary(folder) && isPrivate(folder, account)) fs.rmSync(folder, { recursive: true, force: true });
}

/** Makes a folder that only the database's account can enter; keeps one that exists. */
export function makePrivate(folder: string, account: Account | null): void {
  if (fs.existsSync(folder)) return;
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (account) fs.chownSync(folder, account.uid, account.gid);
}

function fits(folder: string): boolean {
  return Buffer.byteLength(`${folder}/.s.PGSQL.${socketPort}`) < maxSocketPathBytes;
}

function isTemporary(folder: string): boolean {
  return /^tributary-[A-Za-z0-9]{6}$/.test(path.basename(folder));
}

function isPrivate(folder: string, account: Account | null): boolean {
  const stats = fs.lstatSync(folder, { throwIfNoEntry: false });
  if (!stats?.isDirectory() || (stats.mode & 0o077) !== 0) return false;
  return stats.uid === (account ? account.uid : process.getuid?.());
}
