// A page of the console that reports what must not happen: errors in the console, violations of the content security
// policy, requests to other sites.
import type { BrowserContext, Page } from 'playwright-core';

export type Watched = {
  page: Page;
  /** What was reported since the last call. */
  takeFaults(): string[];
};

/** The driver's own script, which the sandbox of a preview blocks; previews have none (test/browser/storefronts.test.ts). */
const blockedDriver = /Blocked script execution in '[^']*\/(email-)?preview\//;
/** Failed responses are expected where a test fails them on purpose. */
const failedResponse = /Failed to load resource/;

/** A page on which nothing is loading. */
const settled = 'body:not(:has([aria-busy=true]))';

/** Opens a page of a context. */
export async function watchPage(context: BrowserContext, origin: string, { isFailing = false } = {}): Promise<Watched> {
  const page = await context.newPage();
  let faults: string[] = [];
  page.on('console', (message) => {
    const isExpected = blockedDriver.test(message.text()) || (isFailing && failedResponse.test(message.text()));
    if ((message.type() === 'error' || message.type() === 'warning') && !isExpected) faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`page: ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !/^(data|blob):/.test(request.url())) faults.push(`other site: ${request.url()}`);
  });
  await page.exposeFunction('reportViolation', (text: string) => faults.push(`policy: ${text}`));
  await page.addInitScript(
    "addEventListener('securitypolicyviolation', (event) => reportViolation(event.violatedDirective + ' ' + event.blockedURI))",
  );
  return {
    page,
    takeFaults() {
      const found = faults;
      faults = [];
      return found;
    },
  };
}

/** Moves within the app, as the Back button does. */
export async function moveTo(page: Page, address: string): Promise<void> {
  const { pathname, search } = new URL(address, page.url());
  await page.evaluate(`history.pushState({}, '', ${JSON.stringify(pathname + search)}); dispatchEvent(new PopStateEvent('popstate'))`);
}

/**
 * Opens a screen and waits until it shows its content: within the app if the page shows another screen of the same program,
 * because loading the app takes several times as long as most screens.
 */
export async function openScreen(page: Page, address: string): Promise<void> {
  const [program = ''] = /^https?:\/\/[^/]+\/(console|portal)\/[^/?]+/.exec(address) ?? [];
  const isOther = new URL(page.url()).pathname !== new URL(address).pathname;
  if (program === '' || !page.url().startsWith(program) || !isOther) return loadScreen(page, address);
  // The previous screen keeps its headline until the next one is ready.
  await page.evaluate("for (const each of document.querySelectorAll('main h1')) each.dataset.isLeft = ''");
  await moveTo(page, address);
  await page.locator(`${settled} main h1:not([data-is-left])`).first().waitFor({ state: 'attached', timeout: 60_000 });
}

/** Waits until the screen shows its content: a headline, and nothing that is still loading. */
export async function waitForScreen(page: Page): Promise<void> {
  await page.locator(`${settled} main h1`).first().waitFor({ state: 'attached', timeout: 60_000 });
}

/** Loads the app, and waits until the screen shows its content. */
export async function loadScreen(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await waitForScreen(page);
}

/** Waits until nothing moves, apart from what moves without an end. For pictures. */
export async function waitUntilStill(page: Page): Promise<void> {
  await page.waitForFunction(
    "document.getAnimations().every((each) => each.playState !== 'running' || each.effect?.getComputedTiming().endTime === Infinity)",
  );
}

/** Changes the size of the window, and waits until the page is drawn in it. */
export async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size);
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(null))))');
}
