// How `npm test` runs its files: each in exactly one process, and what happens in one file fails only that file.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { before, describe, test } from 'node:test';
import { longFiles } from '../../scripts/tests/long-files.ts';
import { findTests, planTests, slowFolders, writePlan } from '../../scripts/tests/plan.ts';
import { areas } from '../support/screens/areas.ts';

test('every test file runs in exactly one process', () => {
  const files = findTests();
  assert.ok(files.length > 200);
  assert.ok(files.includes('test/workflow/test-plan.test.ts'));
  for (const times of [{}, { 'test/fuzz.test.ts': 300, 'test/routing.test.ts': 0.1 }])
    assert.deepEqual(planTests(files, times).flat().sort(), files.toSorted());
});

test('a file that takes long has its own process and starts first', () => {
  const files = ['server/a.test.ts', 'server/b.test.ts', 'test/browser/c.test.ts', 'server/d.test.ts'];
  assert.deepEqual(planTests(files, { 'server/b.test.ts': 150, 'test/browser/c.test.ts': 0.5 }), [
    ['server/b.test.ts'],
    ['server/a.test.ts', 'server/d.test.ts', 'test/browser/c.test.ts'],
  ]);
});

test('without measured times, files that are known to be long start first, then those in slow folders', () => {
  const slow = Array.from({ length: 14 }, (_, index) => `test/browser/${String.fromCharCode(97 + index)}.test.ts`);
  const files = ['server/h.test.ts', ...slow, 'test/browser/payday.test.ts'];
  assert.deepEqual(planTests(files), [
    ['test/browser/payday.test.ts', ...slow.slice(0, 7)],
    [...slow.slice(7), 'server/h.test.ts'],
  ]);
});

test('every file that is known to be long exists', () => {
  assert.deepEqual(
    Object.keys(longFiles).filter((file) => !findTests().includes(file)),
    [],
  );
});

test('npm run test:fast leaves out the slow folders, which exist', () => {
  const [all, fast] = [findTests(), findTests({ isFast: true })];
  const left = all.filter((file) => !fast.includes(file));
  for (const folder of slowFolders)
    assert.ok(
      left.some((file) => file.startsWith(folder)),
      folder,
    );
  assert.ok(left.every((file) => slowFolders.some((folder) => file.startsWith(folder))));
  assert.ok(fast.length > 200);
});

test('only files in slow folders start a browser or a whole installation', () => {
  const starts = /\b(openBrowser|openConsole|testScreens|openInstallation|startFirstTime|startLoadServer)\(/;
  assert.deepEqual(
    findTests({ isFast: true }).filter((file) => starts.test(readFileSync(file, 'utf8'))),
    [],
  );
});

test('every area of the screens of the console has a file, so that every screen is tested', () => {
  const found = globSync('test/browser/screens/*.test.ts').flatMap(
    (path) => /testScreens\('(\w+)'\)/.exec(readFileSync(path, 'utf8'))?.[1] ?? [],
  );
  assert.deepEqual(found.sort(), [...areas].sort());
});

test('no shared module has hooks at its top: they would belong to the first file of a process that imports it', () => {
  const shared = globSync('{test,server,web}/**/*.ts').filter((path) => !path.endsWith('.test.ts'));
  assert.ok(shared.length > 200);
  for (const path of shared) assert.doesNotMatch(readFileSync(path, 'utf8'), /^(before|after)(Each)?\(/m, path);
});

/** One process runs these, in this order. */
const sources: Record<string, string> = {
  'a-fails.test.ts': `test('fails', () => assert.equal(1, 2)); after(() => console.log('the hook of the first file'));`,
  'b-hangs.test.ts': `const running = setInterval(() => {}, 1000);
    after(() => clearInterval(running));
    test('hangs', () => new Promise(() => {}));`,
  'c-cannot-be-read.test.ts': 'this is not a module',
  'd-has-hooks.test.ts': `let isOpen = false;
    before(() => { isOpen = true; });
    after(() => console.log('closed'));
    test('its hook ran before its test', () => assert.ok(isOpen));`,
  'e-passes.test.ts': `beforeEach(() => console.log('before the last')); test('passes', () => {});`,
};
const head = `import assert from 'node:assert/strict';\nimport { spawn } from 'node:child_process';\nimport { after, before, beforeEach, test } from 'node:test';\n`;

type Run = { output: string; exitCode: number };

/** Runs these files in one process, as a run of all tests does. */
async function runTogether(given: Record<string, string>): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-test-plan-'));
  const files = Object.entries(given).map(([name, source]) => {
    writeFileSync(join(folder, name), head + source);
    return join(folder, name);
  });
  const { paths, remove } = writePlan([files], { timeoutMs: 2000, endMs: 500 });
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const reporter = new URL('../../scripts/tests/slow-files.ts', import.meta.url).href;
  const reporters = ['spec', reporter].flatMap((each) => [`--test-reporter=${each}`, '--test-reporter-destination=stdout']);
  const child = spawn(process.execPath, ['--test', ...reporters, ...paths], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const [output, [exitCode]] = await Promise.all([text(child.stdout), once(child, 'exit') as Promise<[number]>]);
  remove();
  rmSync(folder, { recursive: true, force: true });
  return { output: output.replaceAll(`${folder}/`, ''), exitCode };
}

describe('files that share a process', () => {
  let ended: Run;
  before(async () => {
    ended = await runTogether(sources);
  });

  test('fail only their own file: a failed test, a file that hangs, and one that is no module', () => {
    const { output, exitCode } = ended;
    assert.equal(exitCode, 1, output);
    const marks = Object.fromEntries([...output.matchAll(/^(\S) (\S+\.test\.ts) \(/gm)].map(([, mark, name]) => [name, mark]));
    const failing = ['a-fails.test.ts', 'b-hangs.test.ts', 'c-cannot-be-read.test.ts'];
    assert.deepEqual(
      Object.keys(sources).map((name) => [name, marks[name]]),
      Object.keys(sources).map((name) => [name, failing.includes(name) ? '✖' : '✔']),
      output,
    );
  });

  test('have their own hooks', () => {
    const { output } = ended;
    assert.ok(output.indexOf('the hook of the first file') < output.indexOf('closed'), output);
    assert.equal(output.match(/before the last/g)?.length, 1, output);
  });

  test('are listed by the time that they took', () => {
    assert.match(ended.output, /slowest of 5 files, which took \d+ s:\n +2\.\d s {2}b-hangs\.test\.ts\n/);
  });

  for (const [what, source, message] of [
    ['ends the process', `test('ends', () => process.exit(0));`, 'These test files did not run to their end: a.test.ts b.test.ts'],
    ['waits for nothing', `test('waits', () => new Promise(() => {}));`, 'test timed out'],
    [
      'leaves a process behind',
      `test('starts a process', () => void spawn('sleep', ['600'], { stdio: 'inherit' }));`,
      'a.test.ts, b.test.ts the process did not end. It was kept by: sleep 600',
    ],
    [
      'leaves a timer behind',
      `test('starts a timer', () => void setInterval(() => {}, 1000));`,
      'a.test.ts, b.test.ts the process did not end.',
    ],
    [
      'fails after its tests',
      `test('starts', () => void setImmediate(() => { throw new Error('too late'); }));
       test('waits', () => new Promise((resolve) => setImmediate(() => setImmediate(resolve))));`,
      'too late',
    ],
  ] as const) {
    test(`do not pass when one of them ${what}`, async () => {
      const { output, exitCode } = await runTogether({ 'a.test.ts': source, 'b.test.ts': `test('passes', () => {});` });
      assert.equal(exitCode, 1, output);
      assert.ok(output.includes(message), output);
    });
  }
});
