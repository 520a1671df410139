// How long another program's requests take while one program has 20 heavy requests open, compared with as many as run at a time
// for each program.
import type { ChildProcess } from 'node:child_process';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { openTemporaryDatabase } from '../../scripts/temporary-database.ts';
import { connect } from '../../server/platform/db/connect.ts';
import { migrate } from '../../server/platform/db/migrate.ts';
import { type Flood, sendFlood } from '../../test/load/flood.ts';
import { fillNeighbors, type Neighbors } from '../../test/load/heavy-requests.ts';
import { median, readOption, sendToParent, start, startServer } from '../processes.ts';
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

/** Runs the benchmark: a figure for each kind of heavy request. `--flood` is its own child process. */
export async function benchNeighbors(args: string[]): Promise<Outcome | true> {
  if (args[0] === '--flood') return sendUntilLate(JSON.parse(await readInput()) as Flood);
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
    for (const kind of Object.keys(neighbors.requests)) figures.push(await runKind(neighbors, { kind, port, rounds }));
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
  { heavy, neighbor, requests }: Neighbors,
  { kind, port, atOnce }: { kind: string; port: number; atOnce: number },
): Promise<number> {
  const request = requests[kind];
  if (!request) throw new Error(`No heavy request is called ${kind}.`);
  let isOver = false;
  const flood = startFlood({ ...request(), port, key: heavy.key, atOnce }).finally(() => {
    isOver = true;
  });
  const probes: Promise<number>[] = [];
  // At fixed times, whether or not the one before was answered: a blocked server then delays all that follow.
  while (!isOver) {
    probes.push(probe(port, '/v1/me', { authorization: `Bearer ${neighbor.key}` }));
    probes.push(probe(port, `/r/${neighbor.code}`, { 'user-agent': browser }));
    await sleep(probeEveryMs);
  }
  await flood;
  const sorted = (await Promise.all(probes)).toSorted((one, other) => one - other);
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0;
}

function startFlood(flood: Flood): Promise<unknown> {
  const children: ChildProcess[] = [];
  const ended = start(['bench/main.ts', 'neighbors', '--flood'], children);
  children[0]?.stdin?.end(JSON.stringify(flood));
  return ended;
}

/** What it receives must not slow down the process that measures. */
async function sendUntilLate(flood: Flood): Promise<true> {
  const startedAt = performance.now();
  do await sendFlood(flood);
  while (performance.now() - startedAt < leastMs);
  return sendToParent({});
}

async function readInput(): Promise<string> {
  let input = '';
  for await (const chunk of process.stdin) input += chunk;
  return input;
}

/** How many milliseconds the answer took. */
function probe(port: number, path: string, headers: Record<string, string>): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const startedAt = performance.now();
  http
    .get({ agent, host: '127.0.0.1', port, path, headers }, (response) => {
      response.resume();
      response.once('end', () => resolve(performance.now() - startedAt));
    })
    .once('error', reject);
  return promise;
}
