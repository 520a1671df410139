// `npm test`: checks, then every test on a real PostgreSQL. With arguments: only these files.
// `npm run test:fast`: the same without the files in slow folders (tests/plan.ts).
// `npm test -- --citus`: tests on the Citus cluster of CITUS_URL (tests/citus.ts), or the files that are named.
// `npm run test:watch -- FILE`: runs these files again after every change.
import { readFileSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Child, startNode } from './child.ts';
import { openTestDatabase, type TestDatabase } from './test-database.ts';
import { judgeDuration, promisedMinutes, readProcessorSeconds } from './tests/budget.ts';
import { citusTests, describeSkipped } from './tests/citus.ts';
import { openCitusDatabase } from './tests/citus-database.ts';
import { planRepetition, readFailedFiles } from './tests/failed-files.ts';
import { findTests, planTests, writePlan } from './tests/plan.ts';
import { readTimes } from './tests/times.ts';
import { watchSources } from './watch-sources.ts';

const root = join(import.meta.dirname, '..');
const isWatching = process.argv.includes('--watch');
const isFast = process.argv.includes('--fast');
const isCitus = process.argv.includes('--citus');
const citusUrl = isCitus ? process.env.CITUS_URL : undefined;
const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const files = isCitus && named.length === 0 ? citusTests : named;
/** A few files run in a process each, like in an editor. */
const isSelection = files.length > 0 && files.length <= 10;
const startedAt = Date.now();
/** Browser tests that failed once and passed the second time. */
const unreliable: string[] = [];
/** Processes that run side by side. A file waits for a third of its time: for timers, the disk and other processes. */
const concurrency = Math.max(2, Math.ceil(1.5 * availableParallelism()));
let child: Child | null = null;
/** Makes files that many tests need (tests/prepare-files.ts), beside the checks. */
let preparing: Child | null = null;
let database: Promise<TestDatabase> | null = null;
let plan: ReturnType<typeof writePlan> | null = null;
const length = Math.max(1, Number(process.env.TEST_LENGTH ?? 1));
// A test file that hangs ends after ten minutes: slow machines need a few. Longer tests need more.
const timeoutMs = 600_000 * length;
/** A process whose test files have ended should end, too. */
const endMs = 30_000;
/** A whole run ends and says what it did not reach, before the server that runs it ends it without a word. */
const runMs = 4_500_000 * length;

/** Runs Node, one process at a time; resolves with its exit code. */
function run(args: string[], environment: Record<string, string> = {}): Promise<number> {
  child = startNode(args, environment);
  return child.exit;
}

async function runTests(paths: string[], options: string[] = [], variables: Record<string, string> = {}): Promise<number> {
  const { connection = null } = (await database) ?? {};
  const environment = {
    ...variables,
    TRIBUTARY_TEST_TEMPLATE: connection === null ? '' : JSON.stringify(connection),
    NODE_ENV: 'test',
  };
  return run(['--test', `--test-concurrency=${concurrency}`, `--test-timeout=${timeoutMs}`, ...options, ...paths], environment);
}

async function runFiles(paths: string[]): Promise<number> {
  if (paths.some(needsDatabase)) database ??= openDatabase();
  return runTests(paths);
}

function openDatabase(): Promise<TestDatabase> {
  return citusUrl === undefined ? openTestDatabase() : openCitusDatabase(citusUrl);
}

/** Tests reach the database only through test/support. Without it, a run starts two seconds sooner. */
function needsDatabase(file: string): boolean {
  const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
  return !isFile || readFileSync(file, 'utf8').includes('/support/');
}

/** Runs many files, several in each process. A process may take as long as three of its files. */
async function runPlan(paths: string[]): Promise<number> {
  database ??= openDatabase();
  plan = writePlan(planTests(paths, readTimes()), { timeoutMs, endMs });
  const reporters = ['spec', pathToFileURL(join(import.meta.dirname, 'tests', 'slow-files.ts')).href];
  const options = reporters.flatMap((reporter) => [`--test-reporter=${reporter}`, '--test-reporter-destination=stdout']);
  try {
    const exitCode = await runTests(plan.paths, [`--test-timeout=${3 * timeoutMs}`, ...options], { FAILED_FILES: plan.failedPath });
    return exitCode === 0 ? 0 : await repeatBrowserTests(readFailedFiles(plan.failedPath), exitCode);
  } finally {
    plan.remove();
  }
}

/** Runs failed browser tests once more, with no other beside them; resolves with the exit code of the run. Its first failure stays in the report. */
async function repeatBrowserTests(failed: string[] | null, exitCode: number): Promise<number> {
  const repeated = planRepetition(failed);
  if (repeated.length === 0) return exitCode;
  console.log(`\n  Failed, and run once more: ${repeated.join(', ')}.`);
  for (const file of repeated) if ((await runTests([file])) !== 0) return exitCode;
  unreliable.push(...repeated);
  return 0;
}

async function runOnce(): Promise<void> {
  if (isCitus && citusUrl === undefined) return console.log(describeSkipped(files));
  const limit = setTimeout(() => void endLateRun(), runMs);
  if (!isSelection) preparing = startNode(['scripts/tests/prepare-files.ts']);
  let exitCode = files.length === 0 ? await run(['scripts/check.ts']) : 0;
  await (exitCode === 0 ? preparing?.exit : preparing?.stop());
  if (exitCode === 0) exitCode = await (isSelection ? runFiles(files) : runPlan(files.length > 0 ? files : findTests({ isFast })));
  clearTimeout(limit);
  await closeDatabase();
  report(exitCode, startedAt);
  const warning = process.env.GITHUB_ACTIONS ? '::warning::' : '';
  for (const file of unreliable) console.log(`  ${warning}UNRELIABLE: ${file} passed only in its second run. Repair it.`);
  if (files.length === 0) console.log(describeSkipped());
  if (files.length === 0 && exitCode === 0) reportDuration();
  process.exitCode = exitCode;
}

/** The runner reports the files that it was running as failed. */
async function endLateRun(): Promise<void> {
  console.error(`\n  The run takes more than ${runMs / 60_000} minutes and is stopped.`);
  await child?.stop();
}

/** Prints how long a complete run took, with a warning if it took longer than promised. */
function reportDuration(): void {
  const seconds = (Date.now() - startedAt) / 1000;
  const duration = { seconds, processorSeconds: readProcessorSeconds() };
  const { text, isLate, isOverBudget } = judgeDuration(duration, isFast ? promisedMinutes.fast : promisedMinutes.everything);
  const warning = process.env.GITHUB_ACTIONS ? '::warning::' : '';
  if (isOverBudget) console.log(`  ${warning}OVER BUDGET: ${text}.`);
  else console.log(`  ${isLate ? `${warning}Later than promised: ` : ''}${text}.`);
}

async function runOnChange(): Promise<void> {
  for await (const changed of watchSources(root, ['server', 'test', 'migrations', 'scripts', 'web'])) {
    await child?.stop();
    if (changed.some((path) => path.startsWith('migrations'))) await closeDatabase();
    const from = changed.length === 0 ? startedAt : Date.now();
    // Not awaited: a change during a run stops it and starts the next.
    void runFiles(files).then((exitCode) => {
      report(exitCode, from);
      console.log('  Waiting for changes.');
    });
  }
}

function report(exitCode: number, from: number): void {
  console.log(`\n  ${exitCode === 0 ? 'Passed' : 'FAILED'} after ${((Date.now() - from) / 1000).toFixed(1)} s.`);
}

async function closeDatabase(): Promise<void> {
  const closing = await database?.catch(() => null);
  database = null;
  await closing?.close();
}

async function stop(): Promise<void> {
  await Promise.all([child?.stop(), preparing?.stop()]);
  plan?.remove();
  await closeDatabase();
  process.exit(1);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void stop());
process.once('disconnect', () => void stop());
// The launcher's message channel must not keep a finished run alive.
process.channel?.unref();

if (!isWatching) {
  await runOnce();
} else if (files.length > 0) {
  await runOnChange();
} else {
  console.error('  Name the test files to watch: npm run test:watch -- server/partners/affiliates/csv.test.ts');
  process.exitCode = 2;
}
