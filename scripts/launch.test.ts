// How a command is started: by Node's own launcher, and without a second process.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { promisify } from 'node:util';

const folder = mkdtempSync(join(tmpdir(), 'tributary-launch-'));
after(() => rmSync(folder, { recursive: true }));

/** The process ids of the Node processes that a start consists of, in their order, and the status of the last one. */
async function start(environment: Record<string, string>, ...args: string[]) {
  const hook = join(folder, 'print-pid.cjs');
  writeFileSync(hook, `require('node:fs').writeSync(2, 'pid ' + process.pid + '\\n')`);
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, NODE_OPTIONS: `--require ${hook}`, ...environment };
  const { stdout, stderr } = await promisify(execFile)('bin/tributary', args, { env });
  return { stdout, stderr: stderr.replaceAll(/^pid \d+\n/gm, ''), pids: [...stderr.matchAll(/^pid (\d+)$/gm)].map(([, pid]) => pid) };
}

test('the command replaces its launcher, and nothing is printed about it', async () => {
  const { stdout, stderr, pids } = await start({}, '--help');
  assert.match(stdout, /A self-hosted affiliate program service/);
  assert.equal(stderr, '');
  assert.equal(pids.length, 2);
  assert.equal(pids[0], pids[1]);
});

test('under npm too, where the command ends if npm is killed', async () => {
  const { pids } = await start({ npm_lifecycle_event: 'start' }, '--help');
  assert.equal(pids.length, 2);
  assert.equal(pids[0], pids[1]);
  const script = `exec "$0" --import ./scripts/end-with-parent.mjs -e "process.on('SIGTERM', () => { console.log('stopped'); process.exit() }); setInterval(() => {}, 1000); console.log(process.pid)"`;
  // A shell of npm, and npm.
  const npm = spawn('bash', ['-c', 'sh -c "$1" "$0"; true', process.execPath, script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: npm.stdout })[Symbol.asyncIterator]();
  assert.match((await lines.next()).value ?? '', /^\d+$/);
  npm.kill('SIGKILL');
  assert.equal((await lines.next()).value, 'stopped');
});
