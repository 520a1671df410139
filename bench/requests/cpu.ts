// The processor time that the service and its database have used. It varies far less between runs than elapsed time.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ticksPerSecond = 100;

export type Cpu = { nodeMs: number; postgresMs: number };

/** Reads both, in milliseconds since their start. `folder` is that of the temporary database. Linux only. */
export function readCpu(nodePid: number, folder: string): Cpu {
  const postmaster = Number(readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
  const backends = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readTimes(Number(name)))
    .filter((times) => times?.parent === postmaster);
  const main = readTimes(postmaster);
  const postgresMs = (main?.ms ?? 0) + (main?.endedChildrenMs ?? 0) + backends.reduce((sum, times) => sum + (times?.ms ?? 0), 0);
  return { nodeMs: readTimes(nodePid)?.ms ?? 0, postgresMs };
}

/** What each of the requests used. */
export function perRequest(before: Cpu, after: Cpu, requests: number): { nodeUs: number; postgresUs: number } {
  const divide = (ms: number) => (1000 * ms) / Math.max(1, requests);
  return { nodeUs: divide(after.nodeMs - before.nodeMs), postgresUs: divide(after.postgresMs - before.postgresMs) };
}

export type Times = { parent: number; ms: number; endedChildrenMs: number };

/** Null for a process that has ended. */
export function readTimes(pid: number): Times | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [parent = 0] = fields.slice(1);
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
    const toMs = (ticks: number) => (ticks * 1000) / ticksPerSecond;
    return { parent, ms: toMs(user + system), endedChildrenMs: toMs(endedUser + endedSystem) };
  } catch {
    return null;
  }
}
