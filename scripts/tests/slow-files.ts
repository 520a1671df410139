// A reporter of the test runner: the slowest files of a run, at its end. A run of many files makes each file a suite of
// that name (plan.ts). Their times plan the next run, and those that failed are stored.
import type { TestEvent } from 'node:test/reporters';
import { storeFailedFiles } from './failed-files.ts';
import { storeTimes } from './times.ts';

const shown = 10;

async function* reportSlowFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const seconds = new Map<string, number>();
  const failed = new Set<string>();
  for await (const { type, data } of events) {
    if (type === 'test:fail' && data.nesting === 0) failed.add(data.name);
    if ((type === 'test:pass' || type === 'test:fail') && data.nesting === 0 && data.name.endsWith('.test.ts')) {
      seconds.set(data.name, data.details.duration_ms / 1000);
    }
  }
  storeFailedFiles(failed);
  // Files outside the checkout are made by the tests of the runner.
  storeTimes(new Map([...seconds].filter(([file]) => !file.startsWith('/'))));
  const slowest = [...seconds].sort(([, one], [, other]) => other - one).slice(0, shown);
  if (slowest.length === 0) return;
  const total = [...seconds.values()].reduce((sum, each) => sum + each, 0);
  yield `\n  The slowest of ${seconds.size} files, which took ${total.toFixed(0)} s:\n`;
  for (const [file, took] of slowest) yield `  ${took.toFixed(1).padStart(7)} s  ${file}\n`;
}

// biome-ignore lint/style/noDefaultExport: the test runner expects one.
export { reportSlowFiles as default };
