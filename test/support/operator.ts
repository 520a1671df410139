// A complete installation in its own folder: an embedded database, a key file, a service that keeps running in
// this process, and the commands of an operator.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProgram } from '../../server/accounts/programs/create.ts';
import { openService, type Service } from '../../server/compose.ts';
import { readConfig } from '../../server/config.ts';
import type { Context } from '../../server/context.ts';
import { buildApp } from '../../server/main.ts';
import { transact } from '../../server/platform/db/transact.ts';
import type { Answer, TestProgram, TestService } from './harness.ts';

export type Outcome = { code: number; stdout: string; stderr: string };

export type Installation = {
  folder: string;
  ctx: Context;
  /** The part of a test service that builders need; requests reach the service that runs in this process. */
  asService: TestService;
  newProgram(name: string): Promise<TestProgram>;
  tributary(...args: string[]): Promise<Outcome>;
  /** Runs a command with other settings, such as another folder. */
  tributaryWith(settings: Record<string, string>, ...args: string[]): Promise<Outcome>;
  /** Runs a command and kills it with SIGKILL as soon as it has printed this text to standard error. */
  killed(text: string, ...args: string[]): Promise<void>;
  /** Ends the service and starts it again, as a restart does: it reads its keys again. `whileStopped` runs while it is stopped. */
  restart(whileStopped?: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
};

/** Settings may change between restarts: the object is read each time. */
export async function openInstallation(environment: Record<string, string> = {}): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-operator-'));
  // As root the database runs under another account, which must be able to enter.
  await chmod(folder, 0o755);
  const settings = () => ({ DATA_DIR: folder, TRIBUTARY_DEMO: '0', API_RATE_LIMIT: '0', LOG_LEVEL: 'silent', ...environment });
  let service: Service;
  let app: Awaited<ReturnType<typeof buildApp>>;
  const start = async () => {
    service = await openService(readConfig(settings()), { role: 'command', name: 'test' });
    app = await buildApp(service.ctx);
  };
  const stop = async () => {
    await app.close();
    await service.close();
  };
  await start();
  const newProgram = (name: string) => makeProgram(service.ctx, name);
  const program = await newProgram('Brand');
  const request = async (
    method: string,
    url: string,
    { body, key = program.key, headers: more = {} }: { body?: unknown; key?: string | null; headers?: Record<string, string> } = {},
  ): Promise<Answer> => {
    const sent: Record<string, string> = { host: 'api.test', authorization: `Bearer ${key}` };
    if (body !== undefined) sent['content-type'] = 'application/json';
    const options = { method: method as 'GET', url, headers: { ...sent, ...more } };
    const response = await app.inject(body === undefined ? options : { ...options, payload: JSON.stringify(body) });
    return { status: response.statusCode, headers: response.headers, text: response.body, body: JSON.parse(response.body) };
  };
  return {
    folder,
    get ctx() {
      return service.ctx;
    },
    asService: { program, request } as unknown as TestService,
    newProgram,
    tributary: (...args) => run(args, settings()),
    tributaryWith: (other, ...args) => run(args, { ...settings(), ...other }),
    async killed(text, ...args) {
      const child = spawn(process.execPath, ['server/operations/cli/main.ts', ...args], { env: { ...process.env, ...settings() } });
      let printed = '';
      child.stderr.on('data', (chunk: Buffer) => {
        printed += chunk.toString();
        if (printed.includes(text)) child.kill('SIGKILL');
      });
      const [code, signal] = await once(child, 'exit');
      if (signal !== 'SIGKILL') throw new Error(`The command ended with ${code ?? signal} before it was killed: ${printed}`);
    },
    async restart(whileStopped) {
      await stop();
      await whileStopped?.();
      await start();
    },
    async close() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function makeProgram(ctx: Context, name: string): Promise<TestProgram> {
  const fresh = { name, mode: 'live' as const, currency: 'USD', timezone: 'UTC', websiteUrl: null };
  const { programId, apiKey } = await transact(ctx, (tx) => createProgram(tx, fresh, { kind: 'command', id: 'test' }));
  return { programId, key: apiKey, readKey: apiKey, path: `/v1/programs/${programId}` };
}

/** Runs a command with these settings. */
export function run(args: string[], settings: Record<string, string>): Promise<Outcome> {
  const env = { ...process.env, ...settings };
  return new Promise((resolve) =>
    execFile(process.execPath, ['server/operations/cli/main.ts', ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    ),
  );
}
