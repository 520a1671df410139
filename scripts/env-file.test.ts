import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

const path = join(import.meta.dirname, 'env-file.mjs');
const { envFileArguments }: { envFileArguments(folder: string): string[] } = await import(path);

test('settings in .env are read, and variables of the environment take precedence', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-env-'));
  try {
    assert.deepEqual(envFileArguments(folder), []);
    writeFileSync(join(folder, '.env'), '# A comment\nPORT=4100\nMAIL_FROM="Fern & Field <team@shop.example>"\n');
    const print = '[process.env.PORT, process.env.MAIL_FROM].join()';
    const run = (environment: Record<string, string>) =>
      execFileSync(process.execPath, [...envFileArguments(folder), '-p', print], { env: environment, encoding: 'utf8' }).trim();
    assert.equal(run({}), '4100,Fern & Field <team@shop.example>');
    assert.equal(run({ PORT: '4200' }), '4200,Fern & Field <team@shop.example>');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
