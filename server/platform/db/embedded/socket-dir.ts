// The database listens only on a unix socket, in a folder that only its account can enter. This protects the connections,
// so they need no password.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Account, canTraverse } from './account.ts';
import type { DatabaseLocation } from './location.ts';

export const socketPort = 5432;
/** The limit is 108 bytes on Linux and 104 on macOS. */
const maxSocketPathBytes = 100;
const temporaryPrefix = 'tributary-';

/**
 * The folder for the socket: next to the cluster if the path is short enough for a socket, otherwise a temporary one.
 * `former` is the folder of a killed postmaster; reusing it keeps the address and leaves no unused folder.
 */
export function createSocketDir(location: DatabaseLocation, former: string | null): string {
  const usual = path.join(path.dirname(location.clusterDir), 'run');
  if (fits(usual)) {
    createPrivateFolder(usual, location.account);
    return usual;
  }
  if (former && isTemporary(former)) {
    createPrivateFolder(former, location.account);
    if (isPrivate(former, location.account)) return former;
  }

  const parent = [os.tmpdir(), '/tmp'].find(
    (folder) =>
      fits(path.join(folder, `${temporaryPrefix}123456`)) && (!location.account || canTraverse(location.account, fs.realpathSync(folder))),
  );
  if (!parent) throw new Error(`The path ${usual} is too long for a socket, and there is no short temporary folder.`);
  const folder = fs.mkdtempSync(path.join(parent, temporaryPrefix));
  if (location.account) fs.chownSync(folder, location.account.uid, location.account.gid);
  return folder;
}

/** Removes the socket folder if it is a temporary one. */
export function removeSocketDir(folder: string, account: Account | null): void {
  if (isTemporary(folder) && isPrivate(folder, account)) fs.rmSync(folder, { recursive: true, force: true });
}

/** Creates a folder that only the database's account can enter, if it doesn't exist. */
export function createPrivateFolder(folder: string, account: Account | null): void {
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
