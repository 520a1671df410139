// The example shop in a browser: a click, a purchase, a renewal, a refund, the webhooks of them, and the partner's account.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { deliverDue } from '../../server/messaging/webhooks/dispatch/dispatcher.ts';
import { prepareWeb } from '../../server/platform/http/web/prepare.ts';
import { findFreePort } from '../../server/platform/lib/network/free-port.ts';
import { openBrowser } from '../support/browser.ts';
import { chrome } from '../support/browsers.ts';
import { anAffiliate, aRule } from '../support/builders.ts';
import { openTestService, type TestService } from '../support/harness.ts';
import { until } from '../support/time/wait.ts';

describe('the example shop', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-shop-'));
  let service: TestService;
  let origin: string;
  let browser: Browser;
  let page: Page;
  let shop: ChildProcess;
  let shopUrl: string;
  let ada: { id: string; referralCode: string };

  before(async () => {
    const web = prepareWeb({ log: { error: console.error, info: () => {} } });
    const port = await findFreePort('127.0.0.1');
    service = await openTestService({ web, environment: { PUBLIC_URL: `http://127.0.0.1:${port}` } });
    await web.settled;
    // Deliveries are signed with the time, which the shop compares with its own clock.
    service.clock.advance({ seconds: (Date.now() - service.clock.now().getTime()) / 1000 });
    origin = await service.app.listen({ port, host: '127.0.0.1' });
    cpSync('examples/shop', folder, { recursive: true });
    linkClient(folder);
    await aRule(service, { rate: 10 });
    ada = await anAffiliate(service, { status: 'active', email: 'ada@example.com' });
    const eventTypes = ['conversion.created', 'refund.created'];
    const webhook = await service.request('POST', `${service.program.path}/webhooks`, { body: { url: `${origin}/later`, eventTypes } });
    assert.equal(webhook.status, 201, webhook.text);
    await startShop(webhook.body.secret);
    const change = { url: `${shopUrl}/webhooks` };
    assert.equal((await service.request('PATCH', `${service.program.path}/webhooks/${webhook.body.id}`, { body: change })).status, 200);
    const settings = { websiteUrl: shopUrl, destinationHosts: [], embedOrigins: [shopUrl] };
    assert.equal((await service.request('PATCH', service.program.path, { body: settings })).status, 200);
    browser = await openBrowser();
    page = await (await browser.newContext({ userAgent: chrome })).newPage();
  });
  after(async () => {
    await browser?.close();
    shop?.kill();
    await service?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function startShop(secret: string): Promise<void> {
    const env = {
      PORT: '0',
      TRIBUTARY_URL: origin,
      TRIBUTARY_API_KEY: service.program.key,
      WEBHOOK_SECRET: secret,
      SHOP_USER: 'ada@example.com',
    };
    shop = spawn(process.execPath, ['main.js'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
    assert.ok(shop.stdout);
    const [line] = await once(createInterface(shop.stdout), 'line');
    shopUrl = String(line).slice(String(line).indexOf('http'));
  }

  const readOrder = async () => {
    const id = page.url().split('/').at(-1);
    const { body } = await service.request('GET', `${service.program.path}/conversions?search=${id}`);
    return body.conversions[0];
  };
  const buy = async (product: string) => {
    const form = page.getByRole('form', { name: product });
    await form.getByLabel('Email').fill('rosa@example.com');
    await form.getByRole('button', { name: 'Buy' }).click();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
  };

  test('credits no affiliate for an order without a click', async () => {
    await page.goto(shopUrl);
    await buy('Evening tea, one tin');
    await page.getByText('No affiliate is credited.').waitFor();
    assert.equal(await readOrder(), undefined);
  });

  test('credits the affiliate whose link the visitor followed', async () => {
    await page.goto(`${origin}/r/${ada.referralCode}`);
    assert.ok(page.url().startsWith(shopUrl));
    await buy('Tea box, every month');
    await page.getByText('An affiliate earns $3.90.').waitFor();
    const { affiliateId, commissionCents } = await readOrder();
    assert.deepEqual([affiliateId, commissionCents], [ada.id, 390]);
  });

  test('reports the next payment of a subscription without a click', async () => {
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Charge the next month' }).click();
    await page.getByText('payment 2').waitFor();
    await page.getByText('An affiliate earns $3.90.').waitFor();
    assert.equal((await readOrder()).affiliateId, ada.id);
  });

  test('reports a refund, which reverses the commission in proportion', async () => {
    await page.getByRole('button', { name: 'Refund $10.00' }).click();
    await page.getByText('Refunded: $10.00').waitFor();
    const { refundedCents, reversedCents } = await readOrder();
    assert.deepEqual([refundedCents, reversedCents], [1000, 100]);
  });

  test('shows the signed-in partner their account, in its own page', async () => {
    await page.goto(shopUrl);
    await page.getByRole('link', { name: 'Partners' }).click();
    const { body: affiliate } = await service.request('GET', `${service.program.path}/affiliates/${ada.id}`);
    const widget = page.getByRole('region', { name: 'Referral program' });
    assert.equal(await widget.getByRole('textbox', { name: 'Your link' }).inputValue(), affiliate.linkUrl);
    await widget.getByText('$6.80').waitFor();
    const portal = page.frameLocator('iframe[title="Partner program"]');
    await portal.getByText('$6.80').first().waitFor();
    await portal.getByRole('link', { name: 'Earnings', exact: true }).click();
    await portal.getByRole('heading', { name: 'Earnings', level: 1 }).waitFor();
  });

  test('receives what happened, and rejects what Tributary did not sign', async () => {
    await until('the events have arrived', async () => {
      await deliverDue(service.ctx);
      await page.goto(`${shopUrl}/events`);
      return (await page.locator('li').count()) === 3;
    });
    const types = await page.locator('li code').allInnerTexts();
    assert.deepEqual(types.sort(), ['conversion.created', 'conversion.created', 'refund.created']);
    const forged = await fetch(`${shopUrl}/webhooks`, { method: 'POST', headers: { 'webhook-id': 'x' }, body: '{}' });
    assert.equal(forged.status, 400);
  });
});

/** Installs the client of this checkout, as `npm install` does once it is built (sdk/package.test.ts). */
function linkClient(folder: string): void {
  const installed = join(folder, 'node_modules/@tributary/client');
  mkdirSync(installed, { recursive: true });
  writeFileSync(join(installed, 'package.json'), JSON.stringify({ type: 'module', exports: './index.js' }));
  writeFileSync(
    join(installed, 'index.js'),
    `export * from '${pathToFileURL(resolve('sdk/index.ts'))}';
`,
  );
}
