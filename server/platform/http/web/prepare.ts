// The build of the web apps. It runs when the checkout has none for its sources, in a child process, while the database
// starts; until it is complete, the API serves and /console shows a page that waits.
import { spawn } from 'node:child_process';
import { access, constants, lstat, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { loadWebFiles, type WebFiles } from './files.ts';
import { calculateFingerprint } from './fingerprint.ts';

export type WebState = { kind: 'building' } | { kind: 'failed'; reason: string } | { kind: 'ready'; files: WebFiles };

export type Web = {
  state(): WebState;
  /** Resolves when the build is complete or has failed; never rejects. */
  settled: Promise<WebState>;
  /** Ends a build that is still running. */
  stop(): void;
};

type Options = {
  checkout?: string;
  log: Pick<Logger, 'error' | 'info'>;
  /** Where builds are kept, if that folder can be written to. */
  folder?: string;
};

const checkoutFolder = join(import.meta.dirname, '..', '..', '..', '..');
const keptBuilds = 3;
const abandonedMs = 86_400_000;
const maxOutput = 4000;
const maxAttempts = 60;
const retryMs = 1000;

/** Finds the build of this checkout, or starts one. */
export function prepareWeb({ checkout = checkoutFolder, log, folder = join(checkout, '.tributary', 'web') }: Options): Web {
  const stopping = new AbortController();
  let state: WebState = { kind: 'building' };
  const settled = prepareOnceOpenable(checkout, folder, stopping.signal)
    .then((files): WebState => ({ kind: 'ready', files }))
    .catch((error: unknown): WebState => {
      if (!stopping.signal.aborted) log.error({ err: error }, 'the web apps could not be built');
      return { kind: 'failed', reason: error instanceof Error ? error.message : String(error) };
    })
    .then((outcome) => {
      state = outcome;
      return outcome;
    });
  return { state: () => state, settled, stop: () => stopping.abort() };
}

/** Repeats what failed only because too many files were open: the server would otherwise have no console until it is restarted. */
async function prepareOnceOpenable(checkout: string, folder: string, signal: AbortSignal): Promise<WebFiles> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await prepare(checkout, folder, signal);
    } catch (error) {
      const isTooMany = error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE');
      if (!isTooMany || attempt === maxAttempts) throw error;
      await sleep(retryMs, undefined, { signal, ref: false });
    }
  }
}

async function prepare(checkout: string, folder: string, signal: AbortSignal): Promise<WebFiles> {
  const fingerprint = await calculateFingerprint(checkout);
  if (await isFolder(join(folder, fingerprint))) return loadWebFiles(join(folder, fingerprint));
  const place = (await isWritable(folder)) ? folder : await openTemporaryFolder();
  if (await isFolder(join(place, fingerprint))) return loadWebFiles(join(place, fingerprint));
  await runBuild(checkout, join(place, fingerprint), signal);
  await deleteOldBuilds(place, fingerprint);
  return loadWebFiles(join(place, fingerprint));
}

/** For a read-only checkout. Other accounts of the machine must not be able to place a build there. */
async function openTemporaryFolder(): Promise<string> {
  const { uid } = userInfo();
  const folder = join(tmpdir(), `tributary-web-${uid}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const entry = await lstat(folder);
  const isPrivate = entry.isDirectory() && entry.uid === uid && (entry.mode & 0o022) === 0;
  return isPrivate ? folder : mkdtemp(`${folder}-`);
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
}

async function isWritable(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function runBuild(checkout: string, target: string, signal: AbortSignal): Promise<void> {
  const script = join(checkout, 'scripts', 'web', 'build.ts');
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, target], {
    cwd: checkout,
    signal,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  const collect = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-maxOutput);
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`The build ended with code ${code}.\n${output.replaceAll(checkout, '.').trim()}`));
    });
  });
}

/** 0 for a build that another starting server has just deleted. */
async function builtAt(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}

/**
 * Running servers hold their files in memory, so older builds are only kept for checkouts that switch back. Drafts of builds that
 * run at the same time are not among them; those of killed builds are deleted by builds of later days.
 */
async function deleteOldBuilds(place: string, current: string): Promise<void> {
  const found = await Promise.all((await readdir(place)).map(async (name) => ({ name, at: await builtAt(join(place, name)) })));
  const [drafts, builds] = [found.filter(({ name }) => name.includes('.')), found.filter(({ name }) => !name.includes('.'))];
  const older = builds.filter(({ name }) => name !== current).sort((a, b) => b.at - a.at);
  const currentAt = builds.find(({ name }) => name === current)?.at ?? 0;
  const abandoned = drafts.filter(({ at }) => currentAt - at > abandonedMs);
  const deleted = [...older.slice(keptBuilds - 1), ...abandoned];
  await Promise.all(deleted.map(({ name }) => rm(join(place, name), { recursive: true, force: true })));
}
