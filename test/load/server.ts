// A real server process on its own database, for tests that measure it from outside.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type pg from 'pg';
import { openTemporaryDatabase } from '../../scripts/temporary-database.ts';
import { connect } from '../../server/platform/db/connect.ts';
import { until } from '../support/time/wait.ts';

export type LoadServer = { port: number; pool: pg.Pool; pid: number; close(): Promise<void> };

/** Starts `serve` with these settings. `wrapper` is put before the command, such as one that lowers a limit of the process. */
export async function startLoadServer(environment: Record<string, string> = {}, wrapper: string[] = []): Promise<LoadServer> {
  const database = await openTemporaryDatabase('load', { settings: {} });
  const { host, port: socket, user, database: name } = database.connection;
  const port = await freePort();
  const [command = process.execPath, ...args] = [...wrapper, process.execPath, 'server/operations/cli/main.ts', 'serve'];
  const child = spawn(command, args, {
    env: {
      ...process.env,
      DATABASE_URL: `postgres://${user}@${encodeURIComponent(String(host))}:${socket}/${name}`,
      PORT: String(port),
      TRIBUTARY_DEMO: '0',
      API_RATE_LIMIT: '0',
      LOG_LEVEL: 'error',
      ...environment,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const pool = connect({ ...database.connection, max: 2, statement_timeout: 0, query_timeout: 0 });
  const close = async (): Promise<void> => {
    if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit');
    await pool.end();
    await database.close();
  };
  try {
    await untilReady(child, port);
  } catch (error) {
    await close();
    throw error;
  }
  return { port, pool, pid: child.pid ?? 0, close };
}

async function untilReady(child: ChildProcess, port: number): Promise<void> {
  const isOver = async () => child.exitCode !== null || (await isReady(port));
  await until('the server is ready', isOver, 90_000);
  if (child.exitCode !== null) throw new Error('The server did not start.');
}

function isReady(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
