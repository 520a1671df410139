// The console of a test service in a browser, signed in as a member.
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext } from 'playwright-core';
import type { WebFiles } from '../../../server/platform/http/web/files.ts';
import { prepareWeb } from '../../../server/platform/http/web/prepare.ts';
import { openBrowser } from '../browser.ts';
import { openTestService, type TestMember, type TestService } from '../harness.ts';

export type Console = {
  service: TestService;
  browser: Browser;
  origin: string;
  files: WebFiles;
  /** The only context: in the single-process Chromium of the registry, the network of all contexts has the cookies of the first. */
  context: BrowserContext;
  /** Replaces the session of the context. */
  signInAs(member: Pick<TestMember, 'cookie'>): Promise<void>;
  close(): Promise<void>;
};

type Options = Pick<NonNullable<Parameters<typeof openTestService>[0]>, 'withMail' | 'database' | 'vaultKey' | 'environment'>;

/** Starts the service with the web apps, and a browser. */
export async function openConsole(options: Options = {}): Promise<Console> {
  const web = prepareWeb({ log: { error: console.error, info: () => {} } });
  const [service, outcome, browser] = await Promise.all([openTestService({ ...options, web }), web.settled, openBrowser()]);
  if (outcome.kind !== 'ready') {
    // What stays open would keep the process of the test running.
    await Promise.all([browser.close(), service.close()]);
    assert.fail('the web apps could not be built');
  }
  await service.app.listen({ port: 0, host: '127.0.0.1' });
  const origin = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`;
  const context = await browser.newContext({
    locale: 'en-US',
    colorScheme: 'light',
    reducedMotion: 'reduce',
    viewport: { width: 1440, height: 900 },
  });
  await context.clock.setFixedTime(service.clock.now());
  return {
    service,
    browser,
    origin,
    files: outcome.files,
    context,
    async signInAs({ cookie }) {
      const [name = '', value = ''] = cookie.split('=');
      await context.clearCookies();
      await context.addCookies([{ name, value, url: origin, httpOnly: true, sameSite: 'Lax' }]);
    },
    async close() {
      await browser.close();
      await service.close();
    },
  };
}
