// Two real server processes on one database: a limit is one limit, however many processes count.
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import type pg from 'pg';
import { openTemporaryDatabase } from '../../scripts/temporary-database.ts';
import { checkInvariants } from '../../server/operations/verify/invariants.ts';
import { connect, typedQueries } from '../../server/platform/db/connect.ts';
import { chrome } from '../support/browsers.ts';

const clicks = 10_000;
const limit = 100;
const processes: ChildProcess[] = [];
const ports: number[] = [];
let database: Awaited<ReturnType<typeof openTemporaryDatabase>>;
let pool: pg.Pool;
let databaseUrl: string;
let code: string;

before(async () => {
  database = await openTemporaryDatabase('two', { settings: {} });
  const { host, port, user, database: name } = database.connection;
  databaseUrl = `postgres://${user}@${encodeURIComponent(String(host))}:${port}/${name}`;
  pool = connect({ ...database.connection, max: 2 });
  for (let index = 0; index < 2; index += 1) ports.push(await startServer());
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
  const call = async (method: string, path: string, body: object) => {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    const answer = await fetch(`http://127.0.0.1:${ports[0]}/v1/programs/${programId}${path}`, {
      method,
      headers,
      body: JSON.stringify(body),
    });
    assert.ok(answer.ok, `${path}: ${answer.status}`);
    return (await answer.json()) as { referralCode: string };
  };
  const ada = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace', autoApprove: true, sendInvite: false };
  code = (await call('POST', '/affiliates', ada)).referralCode;
  await call('PATCH', '/click-settings', { clicksPerIpPerMinute: 0, clicksPerIpPerHour: limit });
});
after(async () => {
  for (const child of processes) if (child.kill('SIGTERM')) await once(child, 'exit');
  await pool?.end();
  await database?.close();
});

async function startServer(): Promise<number> {
  const port = await freePort();
  const environment = { ...process.env, DATABASE_URL: databaseUrl, PORT: String(port), TRIBUTARY_DEMO: '0' };
  const child = spawn(process.execPath, ['server/operations/cli/main.ts', 'serve'], {
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  processes.push(child);
  const deadline = Date.now() + 30_000;
  while (!(await isReady(port))) {
    assert.ok(child.exitCode === null && Date.now() < deadline, 'the server did not start');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return port;
}

async function freePort(): Promise<number> {
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

/** One click, with a forged address; whether the visitor was redirected, and whether it was recorded. */
function click(agent: http.Agent, port: number): Promise<{ isRedirected: boolean; isRecorded: boolean }> {
  const forged = Array.from({ length: 4 }, () => 1 + Math.floor(Math.random() * 250)).join('.');
  const headers = { 'user-agent': chrome, 'x-forwarded-for': forged };
  return new Promise((resolve, reject) => {
    const request = http.get({ agent, port, host: '127.0.0.1', path: `/r/${code}`, headers }, (response) => {
      response.resume();
      const location = String(response.headers.location);
      resolve({
        isRedirected: response.statusCode === 302 && location.startsWith('https://brand.example/'),
        isRecorded: location.includes('trb_click='),
      });
    });
    request.on('error', reject);
  });
}

test(`${clicks} clicks of one peer over two processes: exactly ${limit} recorded, all redirected`, async () => {
  await awayFromTheHour();
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
  let left = clicks;
  let redirected = 0;
  let recorded = 0;
  const worker = async (port: number): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const { isRedirected, isRecorded } = await click(agent, port);
      if (isRedirected) redirected += 1;
      if (isRecorded) recorded += 1;
    }
  };
  await Promise.all(Array.from({ length: 64 }, (_, index) => worker(ports[index % 2] ?? 0)));
  agent.destroy();
  const { rows } = await pool.query('select count(*)::int as clicks from clicks');
  assert.deepEqual({ redirected, recorded, rows: rows[0].clicks }, { redirected: clicks, recorded: limit, rows: limit });
  for (const { name, broken } of await checkInvariants({ db: typedQueries(pool) })) assert.deepEqual(broken, [], name);
});

/** The processes have the real clock: a new hour in between would be a new limit. */
async function awayFromTheHour(): Promise<void> {
  const secondsLeft = 3600 - (Math.floor(Date.now() / 1000) % 3600);
  if (secondsLeft < 60) await new Promise((resolve) => setTimeout(resolve, (secondsLeft + 1) * 1000));
}
