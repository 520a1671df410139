// What integrators run on openapi.json: linters with their recommended rules, and a generator whose client must compile.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { createClient } from '@hey-api/openapi-ts';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'tributary-openapi-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Runs an installed tool without access to any network service. Resolves with its exit code and its output. */
function run(tool: string, ...args: string[]): Promise<{ code: number; output: string }> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  return new Promise((resolve) => {
    execFile(process.execPath, [join(root, 'node_modules', tool), ...args], { cwd: root, env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), output: `${stdout}${stderr}` }),
    );
  });
}

for (const document of ['openapi.json', 'openapi-app.json']) {
  describe(document, () => {
    test('has no error and no warning of redocly', async () => {
      const { output } = await run('@redocly/cli/bin/cli.js', 'lint', document, '--format=json');
      const { totals, problems } = JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1));
      const found = problems.filter((problem: { ignored?: boolean }) => !problem.ignored);
      assert.deepEqual(
        found.map(({ ruleId, message }: { ruleId: string; message: string }) => `${ruleId}: ${message}`),
        [],
      );
      assert.deepEqual([totals.errors, totals.warnings], [0, 0]);
    });

    test('has no error and no warning of spectral', async () => {
      const ruleset = join(folder, 'spectral.json');
      writeFileSync(ruleset, JSON.stringify({ extends: ['spectral:oas'] }));
      const args = ['lint', document, '--ruleset', ruleset, '--fail-severity', 'warn', '--format', 'text'];
      const { code, output } = await run('@stoplight/spectral-cli/dist/index.js', ...args);
      assert.equal(code, 0, output);
    });
  });
}

test('a client generated from openapi.json compiles', async () => {
  const path = join(folder, 'openapi.json');
  const logs = { level: 'silent' } as const;
  await createClient({
    input: join(root, 'openapi.json'),
    output: { path, postProcess: [] },
    plugins: ['@hey-api/typescript', '@hey-api/sdk'],
    logs,
  });
  symlinkSync(join(root, 'node_modules'), join(path, 'node_modules'));
  const compilerOptions = { strict: true, noEmit: true, target: 'es2023', module: 'esnext', moduleResolution: 'bundler', types: [] };
  const lib = ['es2023', 'dom', 'dom.iterable'];
  writeFileSync(join(path, 'tsconfig.json'), JSON.stringify({ compilerOptions: { ...compilerOptions, lib }, include: ['*.ts'] }));
  const { code, output } = await run('.bin/tsc', '-p', path);
  assert.equal(code, 0, output);
});
