// The console of a test service in a browser, signed in as a member.
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import type { WebFiles } from '../../../server/platform/http/web/files.ts';
import { prepareWeb } from '../../../server/platform/http/web/prepare.ts';
import { openBrowser } from '../browser.ts';
import { openTestService, type TestMember, type TestService } from '../harness.ts';

export type Console = {
  service: TestService;
  browser: Browser;
  origin: string;
  files: WebFiles;
  /** A context of its own, with the member's session. */
  openContext(member: Pick<TestMember, 'cookie'>, options?: BrowserContextOptions): Promise<BrowserContext>;
  close(): Promise<void>;
};

/** Starts the service with the web apps, and a browser. */
export async function openConsole(): Promise<Console> {
  const web = prepareWeb({ log: { error: console.error, info: () => {} } });
  const [service, outcome, browser] = await Promise.all([openTestService({ web }), web.settled, openBrowser()]);
  assert.ok(outcome.kind === 'ready', 'the web apps could not be built');
  await service.app.listen({ port: 0, host: '127.0.0.1' });
  const origin = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`;
  return {
    service,
    browser,
    origin,
    files: outcome.files,
    async openContext({ cookie }, options = {}) {
      const context = await browser.newContext({
        locale: 'en-US',
        reducedMotion: 'reduce',
        viewport: { width: 1440, height: 900 },
        ...options,
      });
      await addSession(context, origin, cookie);
      await context.clock.setFixedTime(service.clock.now());
      return context;
    },
    async close() {
      await browser.close();
      await service.close();
    },
  };
}

/** Signs a context in: `cookie` is `name=value`. */
export async function addSession(context: BrowserContext, origin: string, cookie: string): Promise<void> {
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url: origin, httpOnly: true, sameSite: 'Lax' }]);
}
