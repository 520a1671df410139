// The guide "Quickstart", followed literally from a fresh copy of the repository to the first accepted order.
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { until } from '../support/time/wait.ts';

const guide = readFileSync('docs/guides/quickstart.md', 'utf8');
const blocks = (language: string) =>
  [...guide.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, text = '']) => text);

describe('the quickstart', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-quickstart-'));
  const copy = join(folder, 'tributary');
  const { PATH = '', HOME = '' } = process.env;
  const environment = { PATH, HOME, PORT: '0' };
  let server: ChildProcess;
  let printed = '';

  before(() => {
    // As root the database runs under another account, which must be able to enter.
    chmodSync(folder, 0o755);
    execFileSync('git', ['checkout-index', '--all', `--prefix=${copy}/`]);
    symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
  });
  after(async () => {
    const ended = once(server, 'exit');
    server.kill('SIGTERM');
    await ended;
    await until('the database has ended, after npm', () => !existsSync(join(copy, 'data/postgres/postmaster.pid')));
    rmSync(folder, { recursive: true, force: true });
  });

  test('leads from a fresh copy to the first accepted order', async (t) => {
    const startedAt = performance.now();
    const [start = '', install = '', run = ''] = blocks('sh');
    server = spawn('sh', ['-c', `exec ${start.trim()}`], { cwd: copy, env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
    server.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    await until('the lines to paste are printed', () => /curl .*\n/.test(printed) || server.exitCode !== null, 400_000);
    const exports = printed.match(/^ *export .*$/gm) ?? [];
    assert.equal(exports.length, 3, printed);

    const code = blocks('js').join('\n');
    const shop = join(folder, 'shop');
    const commands = `${exports.join('\n')}\n${install.replaceAll('/tmp', folder)}`;
    await promisify(execFile)('sh', ['-ec', commands], { cwd: copy, env: environment });
    writeFileSync(join(shop, 'shop.mjs'), code);
    const { stdout } = await promisify(execFile)('sh', ['-ec', `${exports.join('\n')}\n${run}`], { cwd: shop, env: environment });
    const [name, commissionCents] = stdout.trim().split('\n');
    assert.deepEqual([name, Number(commissionCents) > 0], ['Fern & Field', true], stdout);

    const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
    const lines = code.split('\n').filter((line) => line.trim() !== '').length;
    t.diagnostic(`${seconds} s with installed packages, ${blocks('sh').join('').trim().split('\n').length} commands, ${lines} lines`);
    assert.ok(lines <= 25, `${lines} lines`);
  });
});
