// `npm run dev` and `npm run test:watch`, as a contributor runs them.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { childrenOf, isRunning, processesOf } from '../support/crash/processes.ts';
import { until } from '../support/time/wait.ts';

const startMs = 60_000;

/** Runs a script through scripts/dev.mjs, as npm does. */
function run(t: TestContext, args: string[], settings: Record<string, string>) {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, ['scripts/dev.mjs', ...args], {
    env: { PATH, HOME, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  t.after(() => child.kill('SIGKILL'));
  const output = { text: '' };
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output.text += chunk.toString()));
  const shows = (what: RegExp) =>
    until(`it prints ${what}; it printed:\n${output.text}`, () => what.test(output.text) || child.exitCode !== null, startMs);
  return { child, exited, output, shows };
}

function touch(path: string): void {
  utimesSync(path, new Date(), new Date());
}

/** A process and all that descend from it. */
function familyOf(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(familyOf)];
}

test('npm run dev serves, restarts when a source changes, and leaves no process behind', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tributary-dev-'));
  chmodSync(dataDir, 0o755);
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const { child, exited, output, shows } = run(t, ['scripts/dev-server.ts'], { DATA_DIR: dataDir, PORT: '0', TRIBUTARY_DEMO: '0' });
  await shows(/API\s+http\S+\/v1/);
  await shows(/Restarts when a file/);
  const url = /API\s+(http\S+)\/v1/.exec(output.text)?.[1] ?? '';
  assert.equal((await fetch(`${url}/health/ready`)).status, 200);
  touch('server/main.ts');
  await shows(/Restarted in [\d.]+ s: server\/main\.ts/);
  assert.ok(processesOf(dataDir).length >= 3, 'a watcher, a server and a database run');
  child.kill('SIGINT');
  assert.deepEqual((await exited)[0], 0, output.text);
  assert.deepEqual(processesOf(dataDir), []);
});

test('npm run test:watch runs a file again when a source changes, on one database, and leaves no process behind', async (t) => {
  const { child, exited, output, shows } = run(t, ['scripts/test.ts', '--watch', 'server/platform/lib/json.test.ts'], {});
  const runs = () => output.text.match(/Waiting for changes/g)?.length ?? 0;
  await shows(/Waiting for changes/);
  const [before] = [familyOf(child.pid ?? 0)];
  touch('server/platform/lib/json.ts');
  await until('the file has run again', () => runs() === 2, startMs);
  assert.match(output.text, /Passed after [\d.]+ s/);
  child.kill('SIGINT');
  await exited;
  assert.deepEqual(before.filter(isRunning), []);
});
