// The test files that failed in a run, and which of them run once more: a browser shares two processors with everything
// else, and now and then misses a minute.
import { readFileSync, writeFileSync } from 'node:fs';

/** More failures than this are not chance. */
const mostRepeated = 2;

/** Writes the names of the suites, or processes, that failed to the file that FAILED_FILES names. */
export function storeFailedFiles(failed: ReadonlySet<string>): void {
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
