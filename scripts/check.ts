// `npm run check`: format, lint, types, generated files, dead code. The first part of `npm test`.
import { spawnSync } from 'node:child_process';

const steps: [name: string, command: string, ...args: string[]][] = [
  ['format and lint', 'node_modules/.bin/biome', 'check', '--error-on-warnings', '.'],
  ['types', 'node_modules/.bin/tsc', '-p', '.'],
  ['types of web', 'node_modules/.bin/tsc', '-p', 'web'],
  ['generated files', process.execPath, 'scripts/generate.ts', '--check'],
  ['dead code', 'node_modules/.bin/knip', '--no-progress'],
];

for (const [name, command, ...args] of steps) {
  const started = Date.now();
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`  ${status === 0 ? '✓' : '✗'} ${name.padEnd(18)}${seconds} s`);
  if (status !== 0) {
    console.log(stdout, stderr);
    process.exitCode = 1;
  }
}
