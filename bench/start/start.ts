// How long a second start takes, from `npm start` to the line that the service is ready, and how much memory all its
// processes take when it is idle. Beside it, what npm takes to run an empty script.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readOption } from '../processes.ts';
import { type Outcome, toFigure } from '../report/outcome.ts';

const idleMs = 5000;

/** Runs the benchmark: one start that creates everything, and then the measured ones. */
export async function benchStart(args: string[]): Promise<Outcome> {
  const rounds = readOption(args, '--rounds', 5);
  const folder = await mkdtemp(join(tmpdir(), 'tributary-start-'));
  const empty = await mkdtemp(join(tmpdir(), 'tributary-npm-'));
  try {
    await writeFile(join(empty, 'package.json'), JSON.stringify({ scripts: { start: 'node -e 0' } }));
    await startOnce(folder);
    const [seconds, npmSeconds, megabytes]: number[][] = [[], [], []];
    for (let round = 0; round < rounds; round += 1) {
      npmSeconds?.push(await runNpm(empty));
      const started = await startOnce(folder);
      seconds?.push(started.seconds);
      megabytes?.push(started.megabytes);
    }
    return {
      figures: [
        toFigure('npm start, until ready', seconds ?? [], { unit: 's', required: { most: 1 } }),
        toFigure('npm with an empty script', npmSeconds ?? [], { unit: 's' }),
        toFigure('idle, with PostgreSQL and npm', megabytes ?? [], { unit: 'MB', required: { most: 250 } }),
      ],
      checks: [],
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
    await rm(empty, { recursive: true, force: true });
  }
}

/** Starts the service as an operator does, and ends it. */
async function startOnce(folder: string): Promise<{ seconds: number; megabytes: number }> {
  const startedAt = performance.now();
  const child = spawn('npm', ['start'], {
    env: { ...process.env, NODE_COMPILE_CACHE: undefined, DATA_DIR: join(folder, 'data'), PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  try {
    await untilReady(child);
    const seconds = (performance.now() - startedAt) / 1000;
    await sleep(idleMs);
    return { seconds, megabytes: readMemory(child.pid ?? 0) };
  } finally {
    // Its process group: npm itself does not always forward the signal.
    if (child.exitCode === null) process.kill(-(child.pid ?? 0), 'SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
    await untilGone(child.pid ?? 0);
  }
}

/** The output stays open: a command whose output is closed ends. */
async function untilReady(child: ChildProcess): Promise<void> {
  let printed = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  while (!printed.includes('is ready.')) {
    if (child.exitCode !== null) throw new Error(`The service did not start: ${printed}`);
    await sleep(5);
  }
}

async function runNpm(folder: string): Promise<number> {
  const startedAt = performance.now();
  await once(spawn('npm', ['start'], { cwd: folder, stdio: 'ignore' }), 'exit');
  return (performance.now() - startedAt) / 1000;
}

type Process = { pid: number; parent: number; group: number };

function readProcesses(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const text = readFileSync(`/proc/${name}/stat`, 'utf8');
        const [, parent = 0, group = 0] = text
          .slice(text.lastIndexOf(')') + 2)
          .split(' ')
          .map(Number);
        return [{ pid: Number(name), parent, group }];
      } catch {
        return [];
      }
    });
}

/** Megabytes of a process and of all that it started. Memory that processes share counts once. */
function readMemory(root: number): number {
  const processes = readProcesses();
  const found = new Set([root]);
  for (let size = 0; size < found.size; ) {
    size = found.size;
    for (const { pid, parent } of processes) if (found.has(parent)) found.add(pid);
  }
  const kilobytes = [...found].map((pid) => {
    try {
      return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
    } catch {
      return 0;
    }
  });
  return kilobytes.reduce((sum, each) => sum + each, 0) / 1000;
}

async function untilGone(group: number): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (readProcesses().some((one) => one.group === group) && performance.now() < deadline) await sleep(50);
}
