// The developers' screen: an order is tested without being recorded, recorded in a test program, and appears among the events.
// With SCREENSHOTS=1: pictures in .tributary/screens.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { getPublicUrl } from '../../server/platform/lib/network/public-url.ts';
import { anAffiliate, aRule } from '../support/builders.ts';
import { checkAccessibility } from '../support/screens/checks.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { takePictures } from '../support/screens/pictures.ts';
import { waitForScreen } from '../support/screens/watched-page.ts';
import { openSandbox, type Sandbox } from '../support/test-clocks/sandbox.ts';

describe('the screen of developers', () => {
  let app: Console;
  let page: Page;
  let sandbox: Sandbox;
  let ada: { id: string; referralCode: string };

  before(async () => {
    app = await openConsole({ environment: { REQUEST_LOG_DAYS: '7' } });
    sandbox = await openSandbox(app.service, 'Sandbox');
    const program = { ...sandbox, readKey: sandbox.key, path: `/v1/programs/${sandbox.programId}` };
    ada = await anAffiliate(app.service, { status: 'active', autoApprove: true }, program);
    await aRule(app.service, { name: 'Standard', rate: 10 }, program);
    await app.signInAs(await app.service.asMember('owner', { name: 'Dana Calder', program: sandbox }));
    page = await app.context.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(`${app.origin}/console/${sandbox.programId}/developers`);
    await waitForScreen(page);
  });
  after(() => app?.close());

  const countOrders = async () => {
    const { rows } = await app.service.pool.query('select 1 from conversions where program_id = $1', [sandbox.programId]);
    return rows.length;
  };

  test('shows code with the address and a referral code of the program', async () => {
    await page.getByText(`"referralCode": "${ada.referralCode}"`).waitFor();
    await page.getByRole('button', { name: 'TypeScript' }).click();
    await page.getByText(`referralCode: '${ada.referralCode}'`).waitFor();
    await page.getByText(`data-program="${sandbox.programId}"`).waitFor();
  });

  test('says why an order is not credited', async () => {
    await page.getByLabel('Amount').fill('49.80');
    await page.getByLabel('Referral code').fill('UNKNOWN0');
    await page.getByRole('button', { name: 'Test order' }).click();
    await page.getByText('No affiliate would be credited').waitFor();
    await checkAccessibility(page, 'developers, not credited');
    await takePictures(page, 'developers-uncredited', [390]);
  });

  test('shows the path of an order, and records nothing', async () => {
    await page.getByLabel('Referral code').fill(ada.referralCode);
    await page.getByRole('button', { name: 'Test order' }).click();
    await page.locator('[data-total-cents]').getByText('$4.98').waitFor();
    assert.equal(await countOrders(), 0);
    await checkAccessibility(page, 'developers, path');
    await takePictures(page, 'developers-path', [1440, 390]);
  });

  test('records the order in a test program, and shows its events', async () => {
    await page.getByRole('button', { name: 'Record this order' }).click();
    await page.getByText(/Order test-\w{8} is recorded/).waitFor();
    assert.equal(await countOrders(), 1);
    await page.getByText('conversion.created').first().waitFor();
  });

  test('shows what the servers of the program sent, masked, and how to send it again', async () => {
    const body = { orderId: 'FF-1', customer: { email: 'grace@example.com' } };
    const headers = { 'x-request-id': 'checkout-4711' };
    const { status } = await app.service.request('POST', '/v1/conversions', { key: sandbox.key, body, headers });
    assert.equal(status, 400);
    await page.getByLabel('Search by request id').fill('checkout-4711');
    await page.getByRole('button', { name: '400 POST /v1/conversions' }).click();
    const sheet = page.getByRole('dialog');
    await sheet.getByText('amountCents is required').waitFor();
    await sheet.getByText(`curl -X POST '${app.origin}/v1/conversions'`).waitFor();
    await sheet.getByText('"email": "***"').waitFor();
    assert.equal(await sheet.getByText('grace').count(), 0);
    await checkAccessibility(page, 'developers, logged request');
    await takePictures(page, 'developers-request', [1440, 390]);
    await page.keyboard.press('Escape');
    await page.getByLabel('Search by request id').fill('unknown-4711');
    await page.getByText('No request matches').waitFor();
    await page.getByLabel('Search by request id').fill('');
    await page.getByRole('button', { name: '400 POST /v1/conversions' }).scrollIntoViewIfNeeded();
    await takePictures(page, 'developers-requests', [1440, 390]);
  });

  test('says whether the script works in the website', async () => {
    const html = `<script src="${getPublicUrl(app.service.ctx.config)}/t.js" data-program="${sandbox.programId}"></script>`;
    const website = createServer((request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(request.url === '/ready' ? html : '<p>Tea</p>');
    });
    await new Promise<void>((resolve) => website.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(website.address() as AddressInfo).port}`;
    try {
      await sandbox.call('PATCH', '', { websiteUrl: null });
      await page.getByRole('button', { name: 'Check now' }).click();
      await page.getByText('The website of the program is missing.').waitFor();
      await sandbox.call('PATCH', '', { websiteUrl: `${origin}/` });
      await page.getByRole('button', { name: 'Check now' }).click();
      await page.getByText(`The script is not in ${origin}/.`).waitFor();
      await checkAccessibility(page, 'developers, website');
      await takePictures(page, 'developers-website', [1440, 390]);
      await sandbox.call('PATCH', '', { websiteUrl: `${origin}/ready` });
      await page.getByRole('button', { name: 'Check now' }).click();
      await page.getByText('The script is installed').waitFor();
    } finally {
      website.close();
    }
  });
});
