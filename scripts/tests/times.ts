// How long each test file took when it last ran here. A run of many files writes it, and the next one is planned by it. It
// is not committed: without it, on a clean clone, the plan goes by folders.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const path = join(import.meta.dirname, '..', '..', '.tributary', 'test-times.json');

/** Seconds by file; empty if no run was measured here. */
export function readTimes(from = path): Record<string, number> {
  try {
    return JSON.parse(readFileSync(from, 'utf8')) as Record<string, number>;
  } catch {
    return {};
  }
}

/** Replaces the times of the files that ran, and keeps the others. */
export function storeTimes(seconds: ReadonlyMap<string, number>, to = path): void {
  const rounded = [...seconds].map(([file, took]) => [file, Math.round(took * 10) / 10]);
  try {
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, `${JSON.stringify(Object.assign(readTimes(to), Object.fromEntries(rounded)), null, 2)}\n`);
  } catch {
    // The checkout is read-only: the next run goes by folders again.
  }
}
