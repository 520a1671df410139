// A reporter of the test runner: writes the test files that failed to the file that FAILED_FILES names. And which of them
// run once more: a browser shares two processors with everything else, and now and then misses a minute.
import { readFileSync, writeFileSync } from 'node:fs';
import type { TestEvent } from 'node:test/reporters';

/** More failures than this are not chance. */
const mostRepeated = 2;

// biome-ignore lint/correctness/useYield: it prints nothing.
async function* reportFailedFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const failed = new Set<string>();
  for await (const { type, data } of events) if (type === 'test:fail' && data.nesting === 0) failed.add(data.name);
  if (process.env.FAILED_FILES !== undefined) writeFileSync(process.env.FAILED_FILES, JSON.stringify([...failed]));
}

/** The names of the suites, or processes, that failed; null if the run ended before it wrote them. */
export function readFailedFiles(path: string): string[] | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as string[];
  } catch {
    return null;
  }
}

/**
 * The files that run once more after a run in which `failed` failed: one or two, all of them of `test/browser/`. Every other
 * test decides with its first run, because a race that is lost once in a hundred runs is a defect.
 */
export function planRepetition(failed: readonly string[] | null): string[] {
  if (failed === null || failed.length > mostRepeated) return [];
  return failed.every((file) => file.startsWith('test/browser/')) ? [...failed] : [];
}

// biome-ignore lint/style/noDefaultExport: the test runner expects one.
export { reportFailedFiles as default };
