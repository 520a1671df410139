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

/** Waits until the screen shows its content: a headline, and nothing that is still loading. */
export async function waitForScreen(page: Page): Promise<void> {
  await page.locator('body:not(:has([aria-busy=true])) main h1').first().waitFor({ state: 'attached', timeout: 20_000 });
}

/** Waits until nothing moves, apart from what moves without an end. For pictures. */
export async function waitUntilStill(page: Page): Promise<void> {
  await page.waitForFunction(
    "document.getAnimations().every((each) => each.playState !== 'running' || each.effect?.getComputedTiming().endTime === Infinity)",
  );
}
