// Every screen of the console's table of contents, with data, without, when requests fail and without the role, in both
// colour schemes and at both widths. Screenshots: .tributary/screens.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { createDemo } from '../../server/operations/demo/demo.ts';
import type { WebFiles } from '../../server/platform/http/web/files.ts';
import { prepareWeb } from '../../server/platform/http/web/prepare.ts';
import { openBrowser } from '../support/browser.ts';
import { openTestService, type TestProgram, type TestService } from '../support/harness.ts';
import { checkAccessibility, checkFocus, checkHeadline, checkWidth } from '../support/screens/checks.ts';
import { findExamples } from '../support/screens/examples.ts';
import { type ListedScreen, listScreens } from '../support/screens/table-of-contents.ts';
import { type Watched, waitForScreen, watchPage } from '../support/screens/watched-page.ts';

const states = ['data', 'empty', 'error', 'forbidden'] as const;
type State = (typeof states)[number];

const screens = await listScreens();

const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };
const narrow = { width: 320, height: 700 };
const folder = join(import.meta.dirname, '..', '..', '.tributary', 'screens');

/** Kilobytes, compressed with gzip. */
const budgets = { script: 290, style: 25, font: 45, screen: 60 };

describe('the screens of the console', () => {
  let service: TestService;
  let browser: Browser;
  let origin: string;
  let files: WebFiles;
  let programs: Record<State, TestProgram>;
  let pages: Record<State, Watched>;
  let examples: Record<string, string>;
  const loaded = new Map<string, Set<string>>();

  before(async () => {
    mkdirSync(folder, { recursive: true });
    const web = prepareWeb({ log: { error: console.error, info: () => {} } });
    const [opened, outcome, launched] = await Promise.all([openTestService({ web }), web.settled, openBrowser()]);
    assert.ok(outcome.kind === 'ready', 'the web apps could not be built');
    service = opened;
    files = outcome.files;
    browser = launched;
    await service.app.listen({ port: 0, host: '127.0.0.1' });
    origin = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`;
    const { programId, apiKey } = await createDemo(service.ctx, async () => {});
    const demo = { programId, key: apiKey, readKey: apiKey, path: `/v1/programs/${programId}` };
    programs = { data: demo, empty: await service.newProgram('Quiet Shores'), error: demo, forbidden: demo };
    examples = await findExamples(service, demo);
    const opening = states.map(async (state) => [
      state,
      await watchPage(await openContext(state), origin, { isFailing: state === 'error' }),
    ]);
    pages = Object.fromEntries(await Promise.all(opening)) as Record<State, Watched>;
  });

  after(async () => {
    await browser?.close();
    await service?.close();
  });

  /** A browser of an owner, in which requests fail or lack a permission where the state says so. */
  async function openContext(state: State): Promise<BrowserContext> {
    const context = await browser.newContext({ viewport: desktop, colorScheme: 'light', locale: 'en-US', reducedMotion: 'reduce' });
    const { cookie } = await service.asMember('owner', { program: programs[state], name: 'Dana Calder' });
    const [name = '', value = ''] = cookie.split('=');
    await context.addCookies([{ name, value, url: origin, httpOnly: true, sameSite: 'Lax' }]);
    await context.clock.setFixedTime(service.clock.now());
    if (state === 'error') {
      const failure = { error: 'The service failed.', code: 'internal_error', requestId: '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f' };
      await context.route(/\/(app\/(?!me$)|v1\/)/, (route) => route.fulfill({ status: 500, json: failure }));
    }
    if (state === 'forbidden') {
      await context.route('**/app/me', async (route) => {
        const response = await route.fetch();
        const me = (await response.json()) as { programs: { permissions: string[] }[] };
        await route.fulfill({ response, json: { ...me, programs: me.programs.map((program) => ({ ...program, permissions: [] })) } });
      });
    }
    return context;
  }

  async function open(screen: ListedScreen, state: State): Promise<Page> {
    const { page } = pages[state];
    await page.setViewportSize(desktop);
    await page.emulateMedia({ colorScheme: 'light' });
    const path = screen.path.replace(/\$(\w+)/g, (_, name: string) => {
      const example = examples[name];
      assert.ok(example, `test/support/screens/examples.ts has no ${name}`);
      return example;
    });
    const requested = new Set<string>();
    const note = (request: { url(): string }) => void requested.add(new URL(request.url()).pathname);
    page.on('request', note);
    await page.goto(`${origin}/console/${programs[state].programId}/${path.replace(/^\//, '')}`);
    await waitForScreen(page);
    page.off('request', note);
    if (state === 'data') loaded.set(screen.id, requested);
    return page;
  }

  /** The four appearances of a page that is loaded. */
  async function checkAppearances(page: Page, name: string): Promise<void> {
    const shoot = (appearance: string) => page.screenshot({ path: join(folder, `${name}-${appearance}.png`), fullPage: true });
    await checkHeadline(page, name);
    await checkAccessibility(page, `${name}, light, 1440`);
    await shoot('light-1440');
    await page.emulateMedia({ colorScheme: 'dark' });
    await checkAccessibility(page, `${name}, dark, 1440`, { isContrastOnly: true });
    await shoot('dark-1440');
    await page.setViewportSize(phone);
    await checkAccessibility(page, `${name}, dark, 390`);
    await shoot('dark-390');
    await page.emulateMedia({ colorScheme: 'light' });
    await checkAccessibility(page, `${name}, light, 390`, { isContrastOnly: true });
    await shoot('light-390');
    await page.setViewportSize(narrow);
    await checkWidth(page, `${name} at 320 px`);
  }

  for (const screen of screens) {
    for (const state of states) {
      test(`${screen.id}: ${state}`, async () => {
        const page = await open(screen, state);
        if (state === 'data') await checkFocus(page, screen.id);
        await checkAppearances(page, `${screen.id}-${state}`);
        assert.deepEqual(pages[state].takeFaults(), [], `${screen.id}, ${state}`);
      });
    }
  }

  test('stays within its budgets', async () => {
    const { page } = pages.empty;
    const requested = new Set<string>();
    page.on('request', (request) => void requested.add(new URL(request.url()).pathname));
    await page.goto(`${origin}/console/none`);
    await waitForScreen(page);
    const sizeOf = (paths: Iterable<string>, ending: string) =>
      [...paths].filter((path) => path.endsWith(ending)).reduce((sum, path) => sum + kilobytes(files, path), 0);
    const sizes = { script: sizeOf(requested, '.js'), style: sizeOf(requested, '.css'), font: sizeOf(requested, '.woff2') };
    for (const kind of ['script', 'style', 'font'] as const)
      assert.ok(sizes[kind] <= budgets[kind], `${kind}: ${sizes[kind].toFixed(1)} of ${budgets[kind]} kB`);
    for (const [id, paths] of loaded) {
      const own = sizeOf(paths.difference(requested), '.js') + sizeOf(paths.difference(requested), '.css');
      assert.ok(own <= budgets.screen, `${id}: ${own.toFixed(1)} of ${budgets.screen} kB`);
    }
  });
});

function kilobytes(files: WebFiles, path: string): number {
  const file = files.assets.get(path);
  return (file?.gzip ?? file?.bytes ?? Buffer.alloc(0)).length / 1000;
}
