// Two real server processes on one database, with a program and an affiliate, for tests of clicks.
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { promisify } from 'node:util';
import type pg from 'pg';
import { openTemporaryDatabase } from '../../scripts/temporary-database.ts';
import { connect } from '../../server/platform/db/connect.ts';
import { chrome } from '../support/browsers.ts';
import { until } from '../support/time/wait.ts';

export type Server = { port: number; process: ChildProcess };
export type TwoServers = {
  servers: [Server, Server];
  pool: pg.Pool;
  affiliate: { id: string; referralCode: string };
  /** Calls the first server, below the path of the program. */
  call(method: string, path: string, body?: object): Promise<Record<string, unknown>>;
  startServer(): Promise<Server>;
  close(): Promise<void>;
};

/** Starts the servers. `environment` adds to their variables. */
export async function openTwoServers(clickSettings: object, environment: Record<string, string> = {}): Promise<TwoServers> {
  const database = await openTemporaryDatabase('two', { settings: {} });
  const { host, port, user, database: name } = database.connection;
  const databaseUrl = `postgres://${user}@${encodeURIComponent(String(host))}:${port}/${name}`;
  const pool = connect({ ...database.connection, max: 2 });
  const processes: ChildProcess[] = [];
  const start = () => startServer({ ...environment, DATABASE_URL: databaseUrl }, processes);
  const servers: [Server, Server] = [await start(), await start()];
  const command = [
    'server/operations/cli/main.ts',
    'program',
    'create',
    '--name',
    'Brand',
    '--website',
    'https://brand.example/',
    '--json',
  ];
  const { stdout } = await promisify(execFile)(process.execPath, command, { env: { ...process.env, DATABASE_URL: databaseUrl } });
  const { programId, apiKey } = JSON.parse(stdout) as { programId: string; apiKey: string };
  const call: TwoServers['call'] = async (method, path, body) => {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    const init = { method, headers, body: body === undefined ? null : JSON.stringify(body) };
    const response = await fetch(`http://127.0.0.1:${servers[0].port}/v1/programs/${programId}${path}`, init);
    assert.ok(response.ok, `${path}: ${response.status}`);
    return (await response.json()) as Record<string, unknown>;
  };
  const ada = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace', autoApprove: true, sendInvite: false };
  const affiliate = (await call('POST', '/affiliates', ada)) as { id: string; referralCode: string };
  await call('PATCH', '/click-settings', clickSettings);
  return {
    servers,
    pool,
    affiliate,
    call,
    startServer: start,
    async close() {
      for (const child of processes) if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit');
      await pool.end();
      await database.close();
    },
  };
}

/**
 * Starts one, and waits until it is ready. `processes` receives it, so that the test can end it. `keepsTime`: its clock agrees
 * with that of the database, which payouts need.
 */
export async function startServer(
  environment: Record<string, string>,
  processes: ChildProcess[],
  { keepsTime = false } = {},
): Promise<Server> {
  const port = await findFreePort();
  const child = spawn(
    process.execPath,
    [...(keepsTime ? [] : ['--import', './test/support/time/middle-of-the-hour.ts']), 'server/operations/cli/main.ts', 'serve'],
    {
      env: { ...process.env, PORT: String(port), TRIBUTARY_DEMO: '0', ...environment },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  processes.push(child);
  await until('the server is ready', async () => child.exitCode !== null || (await isReady(port)));
  assert.equal(child.exitCode, null, 'the server did not start');
  return { port, process: child };
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

function isReady(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** One click; whether the visitor was redirected, and the id of the click if it was recorded. */
export function click(
  agent: http.Agent,
  { port, code, headers = {} }: { port: number; code: string; headers?: Record<string, string> },
): Promise<{ isRedirected: boolean; clickId: string | null }> {
  return new Promise((resolve, reject) => {
    const options = { agent, port, host: '127.0.0.1', path: `/r/${code}`, headers: { 'user-agent': chrome, ...headers } };
    const request = http.get(options, (response) => {
      response.resume();
      const location = String(response.headers.location);
      resolve({
        isRedirected: response.statusCode === 302 && location.startsWith('https://brand.example/'),
        clickId: /trb_click=([^&]+)/.exec(location)?.[1] ?? null,
      });
    });
    request.on('error', reject);
  });
}
