// A Chromium for tests: the system's where there is one, else the one from the registry.
import { accessSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as driver } from 'playwright-core';

const systemBrowsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/** What that build turns off, and our tests want on: pages of other sites are other sites. */
const careless = ['--disable-web-security', '--disable-site-isolation-trials'];

/** Starts a headless browser; close it after the test. */
export async function openBrowser(): Promise<Browser> {
  const found = systemBrowsers.find((path) => {
    try {
      accessSync(path);
      return true;
    } catch {
      return false;
    }
  });
  if (found) return driver.launch({ executablePath: found, args: quiet });
  // It unpacks itself into the temporary folder: one of our own, since test files run side by side.
  const folder = mkdtempSync(join(tmpdir(), 'tributary-browser-'));
  process.env.TMPDIR = folder;
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return driver.launch({
    executablePath: await chromium.executablePath(),
    args: [...chromium.args.filter((arg) => !careless.includes(arg)), ...quiet],
  });
}
