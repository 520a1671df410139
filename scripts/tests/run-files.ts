// What each process of a run of tests does: it runs its files one after the other, and ends. What a failed test left behind,
// such as a server or a browser, would keep it for as long as it runs, and the whole run with it.
import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { describe } from 'node:test';

export type Limits = {
  /** For each file. */
  timeoutMs: number;
  /** For the process to end once its files have. */
  endMs: number;
};

const children = new Set<ChildProcess>();

/**
 * Runs test files, given as name and URL. Each is a suite, so that its hooks run around its own tests, and it is imported when
 * the one before has ended. The process fails if it ends before all of them have, or if it doesn't end after them.
 */
export async function runFiles(files: readonly (readonly [file: string, url: string])[], { timeoutMs, endMs }: Limits): Promise<void> {
  const left = new Set(files.map(([file]) => file));
  subscribe('child_process', (message) => watchChild((message as { process: ChildProcess }).process));
  process.on('exit', () => {
    if (left.size === 0) return;
    console.error('These test files did not run to their end:', ...left);
    process.exitCode = 1;
  });
  for (const [file, url] of files) {
    await describe(file, { timeout: timeoutMs }, () => import(url));
    left.delete(file);
  }
  setTimeout(() => endProcess(files), endMs).unref();
}

function watchChild(child: ChildProcess): void {
  children.add(child);
  child.once('exit', () => children.delete(child));
}

/** Children are stopped too: they hold the output of this process, for whose end the test runner waits. */
function endProcess(files: readonly (readonly [file: string, url: string])[]): void {
  const reasons = [...children].map(({ spawnargs }) => spawnargs.slice(0, 3).join(' '));
  if (reasons.length === 0) reasons.push(...process.getActiveResourcesInfo());
  console.error(`After ${files.map(([file]) => file).join(', ')} the process did not end. It was kept by:`, ...new Set(reasons));
  for (const child of children) child.kill('SIGKILL');
  process.exit(1);
}
