// How a command is started: by Node's own launcher, and without a process that stays beside it.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

test('under npm the launcher remains, because it ends the command if npm is killed', async () => {
  const { pids } = await start({ npm_lifecycle_event: 'start' }, '--help');
  assert.equal(pids.length, 2);
  assert.notEqual(pids[0], pids[1]);
});
