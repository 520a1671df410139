// The product as `npm start` starts it for a new user: on an empty data folder, with its own database, with the demo or without.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../time/wait.ts';

export type FirstStart = {
  folder: string;
  environment: Record<string, string>;
  /** What the process has printed. */
  printed: string;
  close(): Promise<void>;
};

/** Slow machines that run other tests need minutes for the demo. */
const startMs = 400_000;

/** Starts the service and waits until it has printed how to try the API, or without the demo, how to set it up. */
export async function startFirstTime({ hasDemo = true }: { hasDemo?: boolean } = {}): Promise<FirstStart> {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-first-start-'));
  // As root the database runs under another account, which must be able to enter.
  chmodSync(folder, 0o755);
  const { PATH = '', HOME = '' } = process.env;
  const environment = { PATH, HOME, DATA_DIR: folder, PORT: '0', TRIBUTARY_DEMO: hasDemo ? '1' : '0' };
  const server = spawn(process.execPath, ['scripts/launch.mjs', 'serve'], { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  server.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const last = hasDemo ? /curl .*\n/ : /OpenAPI .*\n/;
  try {
    await until('npm start has printed how to begin', () => last.test(printed) || server.exitCode !== null, startMs);
  } catch (error) {
    await stop(server, folder);
    throw error;
  }
  return { folder, environment, printed, close: () => stop(server, folder) };
}

async function stop(server: ChildProcess, folder: string): Promise<void> {
  const ended = once(server, 'exit');
  server.kill('SIGTERM');
  await ended;
  rmSync(folder, { recursive: true, force: true });
}
