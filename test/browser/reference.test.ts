import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { openTestService, type TestService } from '../support/harness.ts';

describe('the API reference in a browser', () => {
  let service: TestService;
  let browser: Browser;
  let origin: string;
  before(async () => {
    service = await openTestService();
    await service.app.listen({ port: 0, host: '127.0.0.1' });
    origin = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`;
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await service.close();
  });

  test('shows every operation, loads nothing from elsewhere, and reports no error', async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    const foreign: string[] = [];
    const faults: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(origin) && !/^(data|blob):/.test(request.url())) foreign.push(request.url());
    });
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    await page.goto(`${origin}/docs/api`);
    await page.getByRole('heading', { name: 'Tributary', exact: true }).waitFor({ timeout: 60_000 });
    if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/reference.png` });
    for (const summary of ["Get the API key's program", 'Invite an affiliate', 'Create or update a landing page']) {
      await page.getByText(summary).first().waitFor({ timeout: 60_000 });
    }
    assert.deepEqual(foreign, []);
    assert.deepEqual(faults, []);
  });
});
