// The processes of one installation, from /proc. Everything here is found by the pid of a
// process we started, or by the temporary folder that only our processes know.
import fs from 'node:fs';
import path from 'node:path';

/** The direct children of a process, of all its threads. */
export function childrenOf(pid: number): number[] {
  try {
    const threads = fs.readdirSync(`/proc/${pid}/task`);
    const lists = threads.map((thread) => fs.readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8'));
    return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number));
  } catch {
    return []; // It ended while we looked.
  }
}

/** Whether a process runs; one that is dead but not yet reaped does not. */
export function isRunning(pid: number): boolean {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !['Z', 'X'].includes(stat.charAt(stat.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}

/** Sends SIGKILL to all of them, without a pause in between. False when one was gone already. */
export function killAtOnce(pids: number[]): boolean {
  let isComplete = pids.length > 0;
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      isComplete = false;
    }
  }
  return isComplete;
}

/** Every process that works inside this folder, or was given it as its DATA_DIR. */
export function processesOf(folder: string): { pid: number; command: string }[] {
  const pids = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids
    .map(Number)
    .filter((pid) => pid !== process.pid && isRunning(pid) && belongsTo(pid, folder))
    .map((pid) => ({ pid, command: commandOf(pid) }));
}

function belongsTo(pid: number, folder: string): boolean {
  try {
    const workplace = fs.readlinkSync(`/proc/${pid}/cwd`);
    if (workplace === folder || workplace.startsWith(`${folder}${path.sep}`)) return true;
    return fs.readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`DATA_DIR=${folder}`);
  } catch {
    return false; // Ended, or a process of another user.
  }
}

function commandOf(pid: number): string {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '(gone)';
  }
}
