// The processor time of PostgreSQL servers on this machine, which may be the nodes of a cluster, and the memory of their connections.
import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { readTimes } from '../requests/cpu.ts';

type Server = { host: string; port: number };

/** The process ids of the servers' first processes. Their account must be able to read files of the server. */
export async function readPostmasters(servers: readonly Server[], account: pg.ClientConfig): Promise<number[]> {
  const pids: number[] = [];
  for (const { host, port } of servers) {
    const client = new pg.Client({ ...account, host, port, database: 'postgres' });
    await client.connect();
    const { rows } = await client.query<{ file: string }>(`select pg_read_file('postmaster.pid') as file`);
    await client.end();
    pids.push(Number(rows[0]?.file.split('\n')[0]));
  }
  return pids;
}

/** The processor time of all processes of the servers since their start, in milliseconds. */
export function readServersMs(postmasters: readonly number[]): number {
  const all = listPids().map(readTimes);
  const ofChildren = all.filter((times) => times && postmasters.includes(times.parent)).reduce((sum, times) => sum + (times?.ms ?? 0), 0);
  return postmasters.map(readTimes).reduce((sum, times) => sum + (times?.ms ?? 0) + (times?.endedChildrenMs ?? 0), ofChildren);
}

/** The memory of the largest process of the servers that is not shared with others, in bytes. */
export function readLargestProcess(postmasters: readonly number[]): number {
  const sizes = listPids()
    .filter((pid) => postmasters.includes(readTimes(pid)?.parent ?? 0))
    .map(readOwnBytes);
  return Math.max(0, ...sizes);
}

function listPids(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function readOwnBytes(pid: number): number {
  try {
    return 1024 * Number(/RssAnon:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
