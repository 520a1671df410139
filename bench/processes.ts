// The processes of a benchmark: the service, started as in production, and scripts that print one line of JSON.
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type pg from 'pg';

/** The service as an operator starts it, on a free port. Resolves with the port once it is ready. */
export async function startServer(
  connection: pg.ClientConfig,
  children: ChildProcess[],
  environment: Record<string, string> = {},
): Promise<number> {
  const port = String(20_000 + Math.floor(Math.random() * 20_000));
  const child = run(['--disable-warning=ExperimentalWarning', 'scripts/launch.mjs', 'serve'], {
    // Without npm the launcher becomes the server, whose processor time is measured.
    npm_lifecycle_event: undefined,
    DATABASE_URL: addressOf(connection),
    PORT: port,
    TRIBUTARY_DEMO: '0',
    API_RATE_LIMIT: '0',
    ...environment,
  });
  children.push(child);
  const deadline = performance.now() + 30_000;
  while (!(await isReady(port))) {
    if (child.exitCode !== null || performance.now() > deadline) throw new Error('The server did not start.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return Number(port);
}

export function addressOf({ host, port, user, database }: pg.ClientConfig): string {
  return `postgres://${user}@${encodeURIComponent(String(host))}:${port}/${database}`;
}

function isReady(port: string): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Starts a benchmark script and resolves with its first line of output. */
export async function start<T>(args: string[], children: ChildProcess[]): Promise<T> {
  const child = run(args, {});
  children.push(child);
  if (!child.stdout) throw new Error('The process has no output.');
  for await (const line of createInterface(child.stdout)) return JSON.parse(line) as T;
  throw new Error(`${args.join(' ').slice(0, 80)} printed nothing.`);
}

function run(args: string[], environment: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, args, { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Prints a result for the parent process. */
export function sendToParent(facts: object): true {
  console.log(JSON.stringify(facts));
  return true;
}

export function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** The number that follows an option. */
export function readOption(args: readonly string[], name: string, fallback: number): number {
  return args.includes(name) ? Number(args[args.indexOf(name) + 1]) : fallback;
}
