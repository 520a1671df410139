// Prepares a checkout: installs the packages of package-lock.json and finds a recent Node. Plain JavaScript without
// dependencies, because it runs before any are installed, under Node 20. It is a single long file so that the whole
// installation can be read in one place.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const checkout = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

const modules = path.join(checkout, 'node_modules');
const ownFolder = path.join(checkout, '.tributary');
const logFile = path.join(ownFolder, 'install.log');
const lockFolder = path.join(ownFolder, 'install.lock');
const minimumNode = [24, 16];
const label = 'Packages';

/**
 * Installs the packages of package-lock.json that are missing in node_modules. Ends the process with an explanation if
 * that fails.
 *
 * @param {{ dev: boolean }} options dev: also install development packages
 */
export async function ensureInstalled({ dev }) {
  if (major(process.versions.node) < 20) fail('Node is too old', [`Tributary needs Node 20 or newer; this is ${process.versions.node}.`]);
  if (missingPackages({ dev }).length === 0) return;
  makeOwnFolder();
  const release = await takeLock();
  try {
    // Another process may have installed them in the meantime.
    if (missingPackages({ dev }).length > 0) await install({ dev });
  } finally {
    release();
  }
}

/** The path of a Node that runs TypeScript directly: this one, or the one installed as a package. */
export function pinnedNode() {
  if (isRecentEnough()) return process.execPath;
  const packaged = path.join(modules, '.bin', 'node');
  if (fs.existsSync(packaged)) return packaged;
  process.stderr.write(
    `Tributary needs Node ${minimumNode.join('.')} or newer; this is ${process.versions.node}. Install Node 24, or use Linux x64/arm64, where it is installed as a package.\n`,
  );
  process.exit(1);
}

/** Whether this Node runs the service, so that the packaged one is not needed. Container images leave it out. */
function isRecentEnough() {
  const [wantedMajor, wantedMinor] = minimumNode;
  const [runningMajor, runningMinor] = process.versions.node.split('.').map(Number);
  return runningMajor > wantedMajor || (runningMajor === wantedMajor && runningMinor >= wantedMinor);
}

/** Prints one step in the format of all output: mark, label, text. */
export function printStep(mark, name, text) {
  process.stderr.write(`  ${mark} ${name.padEnd(12)}${text}\n`);
}

/** The required packages that are not installed in the locked version, as { at, isOptional }. */
function missingPackages({ dev }) {
  const wanted = readPackages(path.join(checkout, 'package-lock.json'));
  if (!wanted) fail('package-lock.json is missing', ['This checkout is incomplete; clone it again.']);
  const installed = readPackages(path.join(modules, '.package-lock.json')) ?? {};
  return Object.entries(wanted)
    .filter(([at, entry]) => at !== '' && isNeeded(entry, dev))
    .filter(([at]) => !(at.startsWith('node_modules/node-linux-') && isRecentEnough()))
    .filter(([at, entry]) => installed[at]?.version !== entry.version || !fs.existsSync(path.join(checkout, at, 'package.json')))
    .map(([at, entry]) => ({ at, isOptional: isOptional(entry) }));
}

function readPackages(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')).packages ?? null;
  } catch {
    return null;
  }
}

/** npm omits optional packages for other platforms, and packages that only those need. */
function isNeeded(entry, dev) {
  if (entry.dev && !dev) return false;
  if (!isOptional(entry)) return true;
  const isForSomePlatform = Boolean(entry.os || entry.cpu || entry.libc);
  return isForSomePlatform && allows(entry.os, () => process.platform) && allows(entry.cpu, () => process.arch) && allows(entry.libc, libc);
}

function isOptional(entry) {
  return Boolean(entry.optional || entry.devOptional);
}

function allows(list, actual) {
  if (!list) return true;
  const names = [list].flat();
  if (names.includes(`!${actual()}`)) return false;
  const positive = names.filter((name) => !name.startsWith('!'));
  return positive.length === 0 || positive.includes(actual());
}

let knownLibc;
function libc() {
  if (process.platform !== 'linux') return '';
  if (knownLibc === undefined) {
    // Without this the report looks up the names of all network peers.
    process.report.excludeNetwork = true;
    knownLibc = process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl';
  }
  return knownLibc;
}

async function install({ dev }) {
  const before = missingPackages({ dev });
  const installed = readPackages(path.join(modules, '.package-lock.json'));
  // "npm ci" deletes everything first, including files that a running server uses, and "--omit=dev" deletes development
  // packages that may be in use.
  const hasDev = Object.values(installed ?? {}).some((entry) => entry.dev);
  const scope = dev || hasDev ? '--include=dev' : '--omit=dev';
  if (installed) removeHalfInstalled(before);

  const step = startStep();
  const outcome = await runNpm([...(installed ? ['install', '--no-save'] : ['ci']), scope]);
  const after = missingPackages({ dev });
  if (after.every((entry) => entry.isOptional)) {
    const without = after.length > 0 ? `, without ${after.map(({ at }) => at.replace(/^.*node_modules\//, '')).join(', ')}` : '';
    step.finish(`${before.length - after.length} installed in ${step.seconds()} s${without}`);
    return;
  }
  step.clear();
  const output = outcome.log.trim();
  const details = outcome.signal || !output ? [] : ['', ...output.split('\n').slice(-8), '', `The complete log: ${logFile}`];
  fail('could not be installed', [explain(outcome), ...details]);
}

/** npm treats a folder that an interrupted run left incomplete as an installed package. */
function removeHalfInstalled(missing) {
  try {
    for (const { at } of missing) fs.rmSync(path.join(checkout, at), { recursive: true, force: true });
  } catch {
    // A read-only folder: npm reports it more clearly.
  }
}

async function runNpm(args) {
  const { npm_execpath: inner } = process.env;
  const [program, first] = inner?.endsWith('npm-cli.js') && fs.existsSync(inner) ? [process.execPath, [inner]] : ['npm', []];
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error', '--no-engine-strict', '--no-update-notifier'];
  const log = fs.openSync(logFile, 'w');
  const child = spawn(program, [...first, ...args, ...quiet], { cwd: checkout, stdio: ['ignore', log, log] });
  fs.closeSync(log);
  if (child.pid) writeOwners([process.pid, child.pid]);
  let passed;
  const pass = (signal) => {
    passed = signal;
    child.kill(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, pass);

  const end = await new Promise((resolve) => {
    child.once('error', (error) => resolve({ error }));
    child.once('exit', (_code, signal) => resolve({ signal: passed ?? signal }));
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeListener(signal, pass);
  return { ...end, log: fs.readFileSync(logFile, 'utf8') };
}

function explain({ error, signal, log }) {
  if (error?.code === 'ENOENT') return 'npm was not found on the PATH. It is part of Node: https://nodejs.org';
  if (signal) return `npm was interrupted (${signal}). Run this again to continue.`;
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT/.test(log)) {
    return 'npm could not reach the package registry. Check the network and proxy settings, then run this again.';
  }
  if (/EACCES|EROFS|EPERM/.test(log)) return `This user may not write to ${modules}. Run "npm ci --omit=dev" there as its owner.`;
  if (/ETARGET|E404/.test(log)) return 'The registry does not have, or .npmrc does not allow, a version in package-lock.json.';
  if (/ENOSPC/.test(log)) return 'The disk is full.';
  return 'npm failed. The end of its output:';
}

function makeOwnFolder() {
  try {
    fs.mkdirSync(ownFolder, { recursive: true });
    fs.accessSync(ownFolder, fs.constants.W_OK);
  } catch {
    fail('are missing, and this folder is read-only', [`Run "npm ci --omit=dev" in ${checkout} as a user who may write to it.`]);
  }
}

/** Allows one installation at a time. Returns a function that releases the lock. */
async function takeLock() {
  let isAnnounced = false;
  for (;;) {
    try {
      fs.mkdirSync(lockFolder);
      writeOwners([process.pid]);
      const release = () => fs.rmSync(lockFolder, { recursive: true, force: true });
      process.once('exit', release);
      return release;
    } catch (error) {
      if (error.code !== 'EEXIST') fail('could not be installed', [error.message]);
    }
    const owners = readOwners();
    if (owners?.every((owner) => identify(owner.split(' ')[0]) !== owner)) {
      // Renamed first, because only one of two processes that find the same stale lock can do that.
      const stale = `${lockFolder}.stale-${process.pid}`;
      try {
        fs.renameSync(lockFolder, stale);
        fs.rmSync(stale, { recursive: true, force: true });
      } catch {
        // The other process was faster.
      }
      continue;
    }
    if (!isAnnounced) printStep('·', label, 'waiting for another installation');
    isAnnounced = true;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Includes npm, which continues if this process is killed with SIGKILL. */
function writeOwners(pids) {
  const draft = path.join(lockFolder, 'draft');
  fs.writeFileSync(draft, pids.map(identify).join('\n'));
  fs.renameSync(draft, path.join(lockFolder, 'owners'));
}

/** Null while the owners are being written; a lock without owners for 5 seconds is abandoned. */
function readOwners() {
  try {
    return fs.readFileSync(path.join(lockFolder, 'owners'), 'utf8').split('\n');
  } catch {
    const since = fs.statSync(lockFolder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    return Date.now() - since > 5_000 ? [] : null;
  }
}

/** A pid with the process's start time if available, because pids are reused. '' if the process doesn't exist. */
function identify(pid) {
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    if (error.code === 'ESRCH') return '';
  }
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? '' : `${pid} ${fields[19]}`;
  } catch {
    return `${pid}`;
  }
}

/** A spinner with seconds on a terminal, otherwise a line at the start and one at the end. */
function startStep() {
  const startedAt = Date.now();
  const seconds = () => Math.max(1, Math.round((Date.now() - startedAt) / 1000));
  const isTerminal = Boolean(process.stderr.isTTY);
  const clear = () => {
    clearInterval(timer);
    if (isTerminal) process.stderr.write('\r\x1b[2K');
  };
  let frame = 0;
  const draw = () => {
    const mark = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'[frame++ % 10];
    process.stderr.write(`\r\x1b[2K  ${mark} ${label.padEnd(12)}installing, ${seconds()} s`);
  };
  const timer = isTerminal ? setInterval(draw, 100) : undefined;
  if (!isTerminal) printStep('·', label, 'installing');
  return {
    seconds,
    clear,
    finish(text) {
      clear();
      printStep('✓', label, text);
    },
  };
}

function fail(text, lines) {
  printStep('✗', label, text);
  process.stderr.write(`\n${lines.map((line) => (line ? `    ${line}` : '')).join('\n')}\n`);
  process.exit(1);
}

function major(version) {
  return Number(version.split('.')[0]);
}
