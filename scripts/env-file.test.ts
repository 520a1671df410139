import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readDevSettings } from './dev-settings.ts';

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

test('npm run dev reads .env too, but keeps its own data folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-env-'));
  try {
    const dataDir = join(folder, '.tributary', 'dev');
    assert.deepEqual(readDevSettings(folder, { PORT: '4200' }), { PORT: '4200', DATA_DIR: dataDir });
    writeFileSync(join(folder, '.env'), 'PORT=4100\nMAIL_FROM="Fern & Field <team@shop.example>"\nDATA_DIR=./data\n');
    const read = { PORT: '4200', MAIL_FROM: 'Fern & Field <team@shop.example>', DATA_DIR: dataDir };
    assert.deepEqual(readDevSettings(folder, { PORT: '4200' }), read);
    assert.equal(readDevSettings(folder, { DATA_DIR: './other' }).DATA_DIR, './other');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
