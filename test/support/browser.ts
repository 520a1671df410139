// A Chromium for tests: the pinned one from the registry, so that every machine sees the same. `BROWSER=/usr/bin/chromium`
// runs the tests in another one.
import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as driver } from 'playwright-core';

const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  // A page lives for seconds: compiling its hot functions to faster code takes a quarter of the processor time of a test.
  '--js-flags=--no-maglev --no-turbofan',
];

const root = join(import.meta.dirname, '..', '..');
const folder = join(root, '.tributary');
const { version } = JSON.parse(readFileSync(join(root, 'node_modules/@sparticuz/chromium/package.json'), 'utf8')) as { version: string };

const unpackScript = `import chromium from '@sparticuz/chromium'; await chromium.executablePath();`;

/** What that build turns off, and our tests want on: pages of other sites are other sites. */
const careless = ['--disable-web-security', '--disable-site-isolation-trials'];

/** Starts a headless browser; close it after the test. A `BROWSER` that can't be started fails the test. */
export async function openBrowser(): Promise<Browser> {
  const requested = process.env.BROWSER;
  if (requested) return driver.launch({ executablePath: requested, args: quiet });
  return driver.launch({
    executablePath: await unpackBrowser(),
    args: [...chromium.args.filter((arg) => !careless.includes(arg)), ...quiet],
  });
}

/**
 * The browser of the registry, unpacked once for all test files and runs: that takes two seconds of processor time. It
 * unpacks itself into the temporary folder, so a process does it whose temporary folder is ours. Of processes that do so
 * at the same time, the folder of one is kept.
 */
export async function unpackBrowser(): Promise<string> {
  const kept = join(folder, `chromium-${version}-${process.getuid?.() ?? 0}`);
  const path = join(kept, 'chromium');
  if (existsSync(path)) return path;
  const parent = isWritable() ? folder : tmpdir();
  const draft = mkdtempSync(join(parent, 'chromium-draft-'));
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', unpackScript], {
    cwd: root,
    env: { ...process.env, TMPDIR: draft },
  });
  try {
    if (parent !== folder) throw new Error('The checkout is read-only.');
    renameSync(draft, kept);
  } catch {
    process.on('exit', () => rmSync(draft, { recursive: true, force: true }));
    return join(draft, 'chromium');
  }
  return path;
}

function isWritable(): boolean {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
