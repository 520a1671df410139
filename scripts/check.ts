// `npm run check`: format, lint, types, generated files, dead code. The first part of `npm test`.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const steps: [name: string, command: string, ...args: string[]][] = [
  ['format and lint', 'node_modules/.bin/biome', 'check', '--error-on-warnings', '.'],
  // One thread: each further one would check shared types again, for twice the processor time and no gain in speed.
  ['types', 'node_modules/.bin/tsc', '-p', '.', '--singleThreaded'],
  ['types of web', 'node_modules/.bin/tsc', '-p', 'web', '--singleThreaded'],
  ['types of sdk', 'node_modules/.bin/tsc', '-p', 'sdk', '--singleThreaded'],
  ['generated files', process.execPath, 'scripts/generate.ts', '--check'],
  ['dead code', 'node_modules/.bin/knip', '--no-progress'],
];

const run = promisify(execFile);

/** Runs at the same time as the others: some have one thread, and some wait for a database. */
async function check([name, command, ...args]: (typeof steps)[number]): Promise<void> {
  const started = Date.now();
  const failure = await run(command, args, { maxBuffer: 64 * 1024 ** 2 }).then(
    () => null,
    (error: { message: string; stdout?: string; stderr?: string }) => error,
  );
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`  ${failure === null ? '✓' : '✗'} ${name.padEnd(18)}${seconds} s`);
  if (failure === null) return;
  console.log(failure.stdout || failure.message, failure.stderr ?? '');
  process.exitCode = 1;
}

await Promise.all(steps.map(check));
