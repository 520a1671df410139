// The order of the test files, and the processes that run them. A process that loads the service spends two seconds before
// its first test, and runs slowly until its code is compiled, so files share processes. The plan goes by the times that the
// last run here measured, and on a clean clone by the order of magnitude (long-files.ts).
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { longFiles } from './long-files.ts';
import type { Limits } from './run-files.ts';

const root = join(import.meta.dirname, '..', '..');

/** Files in these folders start browsers or whole installations, kill them, or load them: `npm run test:fast` leaves them out. */
export const slowFolders = ['browser', 'crash', 'embedded', 'kill', 'load', 'simulation'].map((name) => `test/${name}/`);

/** The most files that share a process. What they leave in memory adds up. */
const filesPerProcess = 40;

/** A file that takes longer has its own process, and processes get files until they have this much to do. */
const secondsPerProcess = 120;

/** What a file is expected to take that was never measured here and isn't known to be long: one in a slow folder, and another. */
const [slowSeconds, otherSeconds] = [8, 1];

/** Every test file; `isFast` leaves out those in slow folders. */
export function findTests({ isFast = false } = {}): string[] {
  const files = ['test', 'server', 'web', 'sdk', 'scripts'].flatMap((folder) => globSync(`${folder}/**/*.test.ts`, { cwd: root }).sort());
  return isFast ? files.filter((file) => !isSlow(file)) : files;
}

function isSlow(file: string): boolean {
  return slowFolders.some((folder) => file.startsWith(folder));
}

type Process = { files: string[]; seconds: number };

/**
 * The files of each process, in the order in which the processes start: those with the most to do first, so that the
 * others fill the time until the last process ends.
 */
export function planTests(files: readonly string[], times: Readonly<Record<string, number>> = {}): string[][] {
  const expected = (file: string) => times[file] ?? longFiles[file] ?? (isSlow(file) ? slowSeconds : otherSeconds);
  const processes: Process[] = [];
  let shared: Process | null = null;
  for (const file of files.toSorted((one, other) => expected(other) - expected(one))) {
    const seconds = expected(file);
    if (shared === null || shared.files.length === filesPerProcess || shared.seconds + seconds > secondsPerProcess) {
      shared = { files: [], seconds: 0 };
      processes.push(shared);
    }
    shared.files.push(file);
    shared.seconds += seconds;
  }
  return processes.toSorted((one, other) => other.seconds - one.seconds).map((each) => each.files);
}

/** A test file for each process, and where the names of failed files are written. `remove` deletes all of it. */
export function writePlan(plan: readonly string[][], limits: Limits): { paths: string[]; failedPath: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-test-plan-'));
  const paths = plan.map((files, index) => {
    const path = join(folder, `${String(index + 1).padStart(2, '0')}.test.mjs`);
    writeFileSync(path, runOneByOne(files, limits));
    return path;
  });
  return { paths, failedPath: join(folder, 'failed.json'), remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** A module that runs files (run-files.ts). */
function runOneByOne(files: readonly string[], limits: Limits): string {
  const imports = files.map((file) => [file, pathToFileURL(resolve(root, file)).href]);
  const runner = pathToFileURL(join(import.meta.dirname, 'run-files.ts')).href;
  return `import { runFiles } from ${JSON.stringify(runner)};
await runFiles(${JSON.stringify(imports, null, 2)}, ${JSON.stringify(limits)});
`;
}
