// The log that postmasters of simultaneous starts share.
import assert from 'node:assert/strict';
import { appendFileSync, closeSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openLog } from './log-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'tributary-log-'));
after(() => rmSync(folder, { recursive: true }));

test('what a process wrote last is found, although others have written more since', () => {
  const file = join(folder, 'postgres.log');
  appendFileSync(file, 'before\n');
  const log = openLog(file);
  const fatal = '2026-11-26 13:19:41.392 UTC [18432] FATAL:  lock file "postmaster.pid" already exists';
  appendFileSync(file, `${fatal}\n${'2026-11-26 13:19:41.421 UTC [18423] LOG:  shutting down\n'.repeat(12)}`);
  assert.equal(log.lastLines(18_432), fatal);
  const others = log.lastLines(99).split('\n');
  assert.deepEqual([others.length, others[0]?.includes('[18423]')], [10, true]);
  closeSync(log.descriptor);
});
