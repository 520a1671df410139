// Readiness: a server that can't write, or has no console, is not ready.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { until } from '../../../../test/support/embedded/harness.ts';
import { openTestService } from '../../../../test/support/harness.ts';
import { openService } from '../../../compose.ts';
import { readConfig } from '../../../config.ts';
import { buildApp } from '../../../main.ts';
import type { WebState } from '../web/prepare.ts';

const diskMb = 256;
const needsRoot = process.getuid?.() === 0 ? false : 'only root can mount a small disk';

describe('/health/ready', () => {
  test('fails while the disk of the database is full', { skip: needsRoot }, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'tributary-disk-'));
    mount('mount', ['-t', 'tmpfs', '-o', `size=${diskMb}m,mode=755`, 'tmpfs', folder]);
    chmodSync(folder, 0o755);
    const service = await openService(readConfig({ DATA_DIR: folder, TRIBUTARY_DEMO: '0', LOG_LEVEL: 'silent' }), {
      role: 'command',
      name: 'test',
    });
    const app = await buildApp(service.ctx);
    t.after(async () => {
      await app.close();
      await service.close();
      mount('umount', [folder]);
      rmSync(folder, { recursive: true });
    });
    const read = async () => {
      const { statusCode, body } = await app.inject('/health/ready');
      return [statusCode, JSON.parse(body)];
    };
    assert.deepEqual(await read(), [200, { status: 'ok' }]);
    const filler = join(folder, 'filler');
    fillDisk(filler);
    await until(async () => (await read())[0] !== 200);
    assert.deepEqual(await read(), [503, { error: 'The disk of the database is full.' }]);
    assert.equal((await app.inject('/health/live')).statusCode, 200);
    rmSync(filler);
    await until(async () => (await read())[0] === 200);
  });

  test('fails while the database is read-only', async (t) => {
    const service = await openTestService();
    t.after(() => service.close());
    const { rows } = await service.pool.query('select current_database() as name');
    await service.pool.query(`alter database ${rows[0].name} set default_transaction_read_only = on`);
    await service.pool.query('select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = $1', [
      rows[0].name,
    ]);
    const read = () => service.request('GET', '/health/ready');
    await until(async () => (await read()).body.error !== 'The database is not responding.');
    const { status, body } = await read();
    await service.pool.query('set default_transaction_read_only = off');
    await service.pool.query(`alter database ${rows[0].name} reset default_transaction_read_only`);
    assert.deepEqual([status, body], [503, { error: 'The database is read-only.' }]);
  });

  test('fails when the console could not be loaded, but not while it is built', async (t) => {
    let state: WebState = { kind: 'building' };
    const web = { state: () => state, settled: Promise.resolve(state), stop: () => {} };
    const service = await openTestService({ web });
    t.after(() => service.close());
    assert.equal((await service.request('GET', '/health/ready')).status, 200);
    state = { kind: 'failed', reason: 'EMFILE: too many open files' };
    const { status, body } = await service.request('GET', '/health/ready');
    assert.deepEqual([status, body], [503, { error: 'The console could not be loaded.' }]);
  });
});

function mount(command: string, args: string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
}

/** Writes until no block is left. */
function fillDisk(path: string): void {
  const block = Buffer.alloc(64 * 1024);
  const { blocks, bsize } = statfsSync(join(path, '..'));
  for (let written = 0; written <= blocks * bsize; written += block.length) {
    try {
      writeFileSync(path, block, { flag: 'a' });
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return;
      throw error;
    }
  }
}
