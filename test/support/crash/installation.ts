// An installation as a person has it: `npm start` in its own folder, on its own port. It can
// be killed in several ways, and started again in just one.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { databaseUser } from '../../../server/platform/db/embedded/initialise.ts';
import { findLocation } from '../../../server/platform/db/embedded/location.ts';
import { databaseName } from '../../../server/platform/db/embedded/ownership.ts';
import { readPostmaster } from '../../../server/platform/db/embedded/postmaster-file.ts';
import { until } from '../time/wait.ts';
import { isRunning, killAtOnce, processesOf } from './processes.ts';

const checkout = path.resolve(import.meta.dirname, '../../..');
const startMs = 60_000;

export type Answer = { status: number; text: string };

export class Installation {
  readonly dataDir: string;
  readonly #port: number;
  readonly #environment: Record<string, string>;
  #server: ChildProcess | null = null;
  /** The last of what the server wrote, for when something goes wrong. */
  #output = '';

  static async make(): Promise<Installation> {
    const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'tributary-crash-'));
    // As root the database runs under another account, which must be able to pass.
    fs.chmodSync(dataDir, 0o755);
    return new Installation(dataDir, await freePort());
  }

  constructor(dataDir: string, port: number) {
    this.dataDir = dataDir;
    this.#port = port;
    const { PATH = '', HOME = os.homedir() } = process.env;
    // Nothing of the test run's own environment: it would not be there when a person starts it.
    this.#environment = {
      PATH,
      HOME,
      npm_lifecycle_event: 'start',
      DATA_DIR: dataDir,
      PORT: String(port),
      TRIBUTARY_DEMO: '0',
      API_RATE_LIMIT: '0',
    };
  }

  /** Starts as `npm start` does, and resolves with the milliseconds until it answered. */
  async start(): Promise<number> {
    const startedAt = performance.now();
    const server = spawn(process.execPath, ['scripts/launch.mjs', 'serve'], {
      cwd: checkout,
      env: this.#environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const hear = (chunk: Buffer): void => {
      this.#output = (this.#output + chunk.toString()).slice(-8_000);
    };
    server.stdout.on('data', hear);
    server.stderr.on('data', hear);
    this.#server = server;
    await this.#expect('it is ready', startMs, async () => {
      if (hasEnded(server)) throw new Error(`npm start ended (${server.signalCode ?? `exit ${server.exitCode}`}).`);
      return this.isReady();
    });
    return performance.now() - startedAt;
  }

  get serverPid(): number {
    return this.#server?.pid ?? 0;
  }

  get postmasterPid(): number {
    const pid = readPostmaster(this.#clusterDir)?.pid;
    if (pid === undefined) throw new Error('No postmaster is on record.');
    return pid;
  }

  get output(): string {
    return this.#output;
  }

  get #clusterDir(): string {
    return findLocation(this.dataDir).clusterDir;
  }

  /** Waits until the killed server has ended. */
  async ended(): Promise<void> {
    const server = this.#server;
    await this.#expect('the killed server has ended', 30_000, () => server === null || hasEnded(server));
  }

  /** True once a database other than the killed one is up and the server answers with it. */
  async isBackWithout(killedPid: number): Promise<boolean> {
    const postmaster = readPostmaster(this.#clusterDir);
    return postmaster?.address != null && postmaster.pid !== killedPid && isRunning(postmaster.pid) && this.isReady();
  }

  async isReady(): Promise<boolean> {
    return this.request('GET', '/health/ready').then(
      ({ status }) => status === 200,
      () => false,
    );
  }

  /** One request on its own connection, so that none is spoilt by what happened to an earlier one. */
  request(method: string, url: string, { key, body }: { key?: string; body?: unknown } = {}): Promise<Answer> {
    const headers: Record<string, string> = {};
    if (key) headers.authorization = `Bearer ${key}`;
    if (body !== undefined) headers['content-type'] = 'application/json';
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const request = http.request({ host: '127.0.0.1', port: this.#port, path: url, method, headers, agent: false });
    request.setTimeout(20_000, () => request.destroy(new Error('no answer within 20 s')));
    request.once('error', reject);
    request.once('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.once('error', reject);
      response.once('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    request.end(body === undefined ? undefined : JSON.stringify(body));
    return promise;
  }

  /** Runs `bin/tributary` and returns what it printed as JSON. */
  async command(...args: string[]): Promise<unknown> {
    const { stdout } = await promisify(execFile)(path.join(checkout, 'bin', 'tributary'), args, { env: this.#environment });
    return JSON.parse(stdout);
  }

  /** One column of a query, past the service: straight through the socket. */
  async column(text: string): Promise<string[]> {
    const address = readPostmaster(this.#clusterDir)?.address;
    if (!address) throw new Error('The database has no address.');
    const client = new pg.Client({ host: address.socketDir, port: address.port, user: databaseUser, database: databaseName });
    await client.connect();
    try {
      const { rows } = await client.query<[string]>({ text, rowMode: 'array' });
      return rows.map(([value]) => value);
    } finally {
      await client.end();
    }
  }

  /** Stops as Ctrl-C does. Returns the exit code, or the signal. */
  async stop(): Promise<number | string | null> {
    const server = this.#server;
    if (!server || hasEnded(server)) return 'not running';
    const exit = once(server, 'exit', { signal: AbortSignal.timeout(30_000) });
    server.kill('SIGTERM');
    await exit;
    return server.signalCode ?? server.exitCode;
  }

  /** Ends all processes in this folder, and removes the folder. */
  async remove(): Promise<void> {
    const elsewhere = path.dirname(this.#clusterDir);
    const haveEnded = () => {
      const left = [...processesOf(this.dataDir), ...processesOf(elsewhere)];
      killAtOnce(left.map(({ pid }) => pid));
      return left.length === 0;
    };
    await until('every process has ended', haveEnded, 10_000);
    for (const folder of [this.dataDir, elsewhere]) fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }

  async #expect(what: string, timeoutMs: number, isTrue: () => boolean | Promise<boolean>): Promise<void> {
    try {
      await until(what, isTrue, timeoutMs);
    } catch (error) {
      throw new Error(`${(error as Error).message} What it wrote last:\n${this.#output}`, { cause: error });
    }
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
