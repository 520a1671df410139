// PostgreSQL does not run as root. If Tributary runs as root, the database runs under a system account; otherwise it runs
// under the account of the process.
import fs from 'node:fs';
import path from 'node:path';

export type Account = { uid: number; gid: number };

/** Whether this process runs as root, so that the database needs another account. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** The account of a new database if this process is root: `postgres` if the system has it, otherwise `nobody`. */
export function systemAccount(): Account {
  const lines = readLines('/etc/passwd');
  for (const name of ['postgres', 'nobody']) {
    const fields = lines.find((line) => line.startsWith(`${name}:`))?.split(':');
    const uid = Number(fields?.[2]);
    const gid = Number(fields?.[3]);
    if (uid > 0 && gid > 0) return { uid, gid };
  }
  throw new Error(
    'PostgreSQL does not run as root, and this system has neither a "postgres" nor a "nobody" user. ' +
      'Run Tributary as an ordinary user, or set DATABASE_URL.',
  );
}

/** The owner of a folder, or null if the folder doesn't exist. */
export function ownerOf(folder: string): Account | null {
  const stats = fs.statSync(folder, { throwIfNoEntry: false });
  return stats ? { uid: stats.uid, gid: stats.gid } : null;
}

/**
 * Whether the account can enter the folder and its parents. Only checks modes: a stricter access control list results in
 * an error from initdb.
 */
export function canTraverse(account: Account, folder: string): boolean {
  const stats = fs.statSync(folder);
  const executeBit = stats.uid === account.uid ? 0o100 : stats.gid === account.gid ? 0o010 : 0o001;
  if ((stats.mode & executeBit) === 0) return false;
  const parent = path.dirname(folder);
  return parent === folder || canTraverse(account, parent);
}

function readLines(file: string): string[] {
  try {
    return fs.readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}
