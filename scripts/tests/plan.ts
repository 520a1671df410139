// The order of the test files, and the processes that run them. A process that loads the service spends two seconds before
// its first test, so short files share processes. The long ones come first, each in a process of its own: the short ones
// then fill the time until the last process ends.
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '..', '..');

/** The files that take the longest, longest first. A run of all tests ends with the times of its slowest files. */
export const longFiles: readonly string[] = [
  'test/browser/screens.test.ts',
  'test/browser/portal.test.ts',
  'test/browser/currencies.test.ts',
  'test/money/oracle.test.ts',
  'test/simulation/simulation.test.ts',
  'test/payouts/kill.test.ts',
  'test/crash/crash.test.ts',
  'test/fuzz.test.ts',
  'server/operations/cli/secrets.test.ts',
  'test/load/heavy.test.ts',
  'test/readme.test.ts',
  'test/browser/first-run.test.ts',
  'test/workflow/contributing.test.ts',
  'server/stores/commerce/delivery-order.test.ts',
  'server/operations/cli/commands.test.ts',
  'test/money/workers.test.ts',
  'server/platform/freeze/freeze.test.ts',
  'test/workflow/dev.test.ts',
  'test/tracking/processes.test.ts',
  'test/payouts/dispatch-race.test.ts',
];

export const filesPerProcess = 10;

/** Every test file. */
export function findTests(): string[] {
  return ['test', 'server', 'web', 'scripts'].flatMap((folder) => globSync(`${folder}/**/*.test.ts`, { cwd: root }).sort());
}

/** The files of each process, in the order in which the processes start. */
export function planTests(files: readonly string[]): string[][] {
  const alone = longFiles.filter((file) => files.includes(file)).map((file) => [file]);
  const short = files.filter((file) => !longFiles.includes(file));
  const shared = Array.from({ length: Math.ceil(short.length / filesPerProcess) }, (_, index) =>
    short.slice(index * filesPerProcess, (index + 1) * filesPerProcess),
  );
  return [...alone, ...shared];
}

/** A test file for each process. `remove` deletes them. */
export function writePlan(plan: readonly string[][], timeoutMs: number): { paths: string[]; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-test-plan-'));
  const paths = plan.map((files, index) => {
    const path = join(folder, `${String(index + 1).padStart(2, '0')}.test.mjs`);
    writeFileSync(path, runOneByOne(files, timeoutMs));
    return path;
  });
  return { paths, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/**
 * A module that runs files. Each is a suite, so that its hooks run around its own tests, and it is imported when the one
 * before has ended. The process fails if it ends before all of them have.
 */
function runOneByOne(files: readonly string[], timeoutMs: number): string {
  const imports = files.map((file) => [file, pathToFileURL(resolve(root, file)).href]);
  return `import { describe } from 'node:test';
const files = ${JSON.stringify(imports, null, 2)};
const left = new Set(files.map(([file]) => file));
process.on('exit', () => {
  if (left.size === 0) return;
  console.error('These test files did not run to their end:', ...left);
  process.exitCode = 1;
});
for (const [file, url] of files) {
  await describe(file, { timeout: ${timeoutMs} }, () => import(url));
  left.delete(file);
}
`;
}
