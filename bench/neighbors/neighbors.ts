// How long another program's requests take while one program has 20 heavy requests open, compared with as many as run at a time
// for each program.
import type { ChildProcess } from 'node:child_process';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { openTemporaryDatabase } from '../../scripts/temporary-database.ts';
import { connect } from '../../server/platform/db/connect.ts';
import { migrate } from '../../server/platform/db/migrate.ts';
import { fillNeighbors, heavyRequests, type Neighbors } from '../../test/load/heavy-requests.ts';
import { startFlood } from '../../test/load/start-flood.ts';
import { median, readOption, startServer } from '../processes.ts';
import { type Figure, type Outcome, toFigure } from '../report/outcome.ts';

const ledgerEntries = 28_000;
const probeEveryMs = 40;
const leastMs = 1000;
const many = 20;
/** How many run at a time for each program: pages of lists, and the others. */
const [permittedPages, permittedOthers] = [4, 2];
const mostTimes = 4;
const browser = 'Mozilla/5.0 (X11; Linux x64) Firefox/140.0';
const agent = new http.Agent({ keepAlive: true });

/** Runs the benchmark: a figure for each kind of heavy request. */
export async function benchNeighbors(args: string[]): Promise<Outcome> {
  const rounds = readOption(args, '--rounds', 3);
  const children: ChildProcess[] = [];
  const database = await openTemporaryDatabase('bench', { settings: {} });
  try {
    const pool = connect({ ...database.connection, max: 2, statement_timeout: 0, query_timeout: 0 });
    await migrate(pool, new Date());
    const neighbors = await fillNeighbors(pool, ledgerEntries);
    await pool.end();
    const port = await startServer(database.connection, children);
    const figures: Figure[] = [];
    for (const kind of Object.keys(heavyRequests)) figures.push(await runKind(neighbors, { kind, port, rounds }));
    return { figures, checks: [] };
  } finally {
    agent.destroy();
    for (const child of children) child.kill();
    await database.close();
  }
}

async function runKind(neighbors: Neighbors, { kind, port, rounds }: { kind: string; port: number; rounds: number }): Promise<Figure> {
  const permitted = kind.startsWith('page of') ? permittedPages : permittedOthers;
  const [times, milliseconds]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    const few = await measureBeside(neighbors, { kind, port, atOnce: permitted });
    const flooded = await measureBeside(neighbors, { kind, port, atOnce: many });
    times.push(flooded / few);
    milliseconds.push(flooded);
  }
  return toFigure(kind, times, {
    unit: `times beside ${permitted}`,
    required: { most: mostTimes },
    more: { 'p95 ms': median(milliseconds) },
  });
}

/** Milliseconds that 95 of 100 answers to another program take at most. */
async function measureBeside(
  neighbors: Neighbors,
  { kind, port, atOnce }: { kind: string; port: number; atOnce: number },
): Promise<number> {
  const { heavy, neighbor } = neighbors;
  const request = heavyRequests[kind];
  if (!request) throw new Error(`No heavy request is called ${kind}.`);
  let isOver = false;
  const waitsForRejection = atOnce === many && !kind.startsWith('page of');
  const flood = startFlood({ ...request(neighbors), port, key: heavy.key, atOnce, leastMs, waitsForRejection }).finally(() => {
    isOver = true;
  });
  const probes: Promise<number>[] = [];
  // At fixed times, whether or not the one before was answered: a blocked server then delays all that follow.
  while (!isOver) {
    probes.push(probe(port, '/v1/me', { authorization: `Bearer ${neighbor.key}` }, 200));
    probes.push(probe(port, `/r/${neighbor.code}`, { 'user-agent': browser }, 302));
    await sleep(probeEveryMs);
  }
  await flood;
  const sorted = (await Promise.all(probes)).toSorted((one, other) => one - other);
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0;
}

/** How many milliseconds the answer took; infinite if it has another status. */
function probe(port: number, path: string, headers: Record<string, string>, expected: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const startedAt = performance.now();
  http
    .get({ agent, host: '127.0.0.1', port, path, headers }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode === expected ? performance.now() - startedAt : Number.POSITIVE_INFINITY));
    })
    .once('error', reject);
  return promise;
}
