// The developers' screen: an order is tested without being recorded, recorded in a test program, and appears among the events.
// With SCREENSHOTS=1: pictures in .tributary/screens.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
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
    app = await openConsole();
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
});
