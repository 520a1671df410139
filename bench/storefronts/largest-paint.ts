// The largest contentful paint of public pages in Chromium on a phone's screen, with an empty cache, compared with that of the same
// bytes sent from memory by a bare server in the same run.
import type { ChildProcess } from 'node:child_process';
import type { Browser, Page } from 'playwright-core';
import { openTemporaryDatabase } from '../../scripts/temporary-database.ts';
import { connect } from '../../server/platform/db/connect.ts';
import { migrate } from '../../server/platform/db/migrate.ts';
import { openBrowser } from '../../test/support/browser.ts';
import { median, readOption, startServer } from '../processes.ts';
import { type Figure, type Outcome, toFigure } from '../report/outcome.ts';
import { Copies } from './copies.ts';
import { fillPages } from './fill-pages.ts';

const limitMs = 1000;
const origin = 'http://127.0.0.1:9';
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 };

/** Runs the benchmark: a figure for each template. */
export async function benchStorefront(args: string[]): Promise<Outcome> {
  const rounds = readOption(args, '--rounds', 7);
  const children: ChildProcess[] = [];
  const database = await openTemporaryDatabase('bench', { settings: {} });
  const browser = await openBrowser();
  try {
    const pool = connect({ ...database.connection, max: 2 });
    await migrate(pool, new Date());
    const paths = await fillPages(pool, origin);
    await pool.end();
    const port = await startServer(database.connection, children, { PUBLIC_URL: origin });
    const page = await openUncachedPage(browser);
    const figures: Figure[] = [];
    for (const [name, path] of paths) figures.push(await runPage(page, { name, path, port, rounds }));
    return { figures, checks: [] };
  } finally {
    for (const child of children) child.kill();
    await browser.close();
    await database.close();
  }
}

type Measured = { name: string; path: string; port: number; rounds: number };

/** The service and the bare server in turns, so that a busy machine slows both. */
async function runPage(page: Page, { name, path, port, rounds }: Measured): Promise<Figure> {
  const copies = new Copies();
  await copies.take(page, `http://127.0.0.1:${port}${path}`);
  const bare = await copies.serve();
  const times = { service: [] as number[], bare: [] as number[] };
  try {
    for (let round = 0; round < rounds; round += 1) {
      times.service.push(await measurePaint(page, `http://127.0.0.1:${port}${path}`));
      times.bare.push(await measurePaint(page, `http://127.0.0.1:${bare.port}${path}`));
    }
  } finally {
    bare.server.closeAllConnections();
    bare.server.close();
  }
  const limit = median(times.bare);
  const more = { 'bare ms': limit, 'times bare': median(times.service) / limit, kB: copies.bytes / 1000 };
  return toFigure(name, times.service, { unit: 'ms', required: { most: limitMs }, more });
}

/** Milliseconds from the navigation to the last candidate. */
async function measurePaint(page: Page, address: string): Promise<number> {
  await page.goto('about:blank');
  await page.goto(address, { waitUntil: 'load' });
  const entries = `new Promise((resolve) => new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
    .observe({ type: 'largest-contentful-paint', buffered: true }))`;
  return (await page.evaluate(entries)) as number;
}

/** A page on a phone's screen that loads everything again with each navigation. */
async function openUncachedPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext(phone);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  return page;
}
