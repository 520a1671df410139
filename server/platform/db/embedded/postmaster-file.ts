// Reads postmaster.pid, which PostgreSQL writes and guards, and checks whether its process is still that postmaster.
import fs from 'node:fs';
import path from 'node:path';

export type Postmaster = {
  pid: number;
  /** Null until the postmaster has opened its socket. */
  address: { socketDir: string; port: number } | null;
};

/** Reads postmaster.pid: line 1 is the pid, line 4 the port, line 5 the socket's folder. */
export function readPostmaster(clusterDir: string): Postmaster | null {
  let text: string;
  try {
    text = fs.readFileSync(path.join(clusterDir, 'postmaster.pid'), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  if (!Number.isSafeInteger(pid) || pid <= 0) return null;
  const port = Number(lines[3]);
  const socketDir = lines[4] ?? '';
  return { pid, address: port > 0 && path.isAbsolute(socketDir) ? { socketDir, port } : null };
}

/**
 * The state of a process: 'gone' if it doesn't exist, 'zombie' if it ended but was not reaped, 'other' if the pid now
 * belongs to another program. Without /proc, a live process counts as a postmaster.
 */
export function getProcessState(pid: number, clusterDir?: string): 'gone' | 'zombie' | 'postmaster' | 'other' {
  if (!Number.isSafeInteger(pid) || pid <= 0) return 'gone';
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return 'gone';
  }
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    const nameEnd = stat.lastIndexOf(')');
    const name = stat.slice(stat.indexOf('(') + 1, nameEnd);
    if (['Z', 'X'].includes(stat.charAt(nameEnd + 2))) return 'zombie';
    if (name !== 'postgres') return 'other';
    // A postmaster works inside its data folder.
    return clusterDir && fs.readlinkSync(`/proc/${pid}/cwd`) !== clusterDir ? 'other' : 'postmaster';
  } catch {
    return 'postmaster';
  }
}
