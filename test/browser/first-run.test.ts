// What a new user does first: follows the link that `npm start` prints, approves an affiliate, opens an order to see how its
// commission came about, and gets a test conversion in a program that they create. With SCREENSHOTS=1: pictures in .tributary/screens.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { type FirstStart, startFirstTime } from '../support/embedded/first-start.ts';
import { waitForScreen } from '../support/screens/watched-page.ts';

const folder = join(import.meta.dirname, '..', '..', '.tributary', 'screens');

describe('the first run', () => {
  let started: FirstStart;
  let browser: Browser;
  let page: Page;
  before(async () => {
    mkdirSync(folder, { recursive: true });
    [started, browser] = await Promise.all([startFirstTime(), openBrowser()]);
    page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: 'en-US' });
    page.setDefaultTimeout(60_000);
  });
  after(async () => {
    await browser?.close();
    await started?.close();
  });

  async function shoot(name: string): Promise<void> {
    if (process.env.SCREENSHOTS) await page.screenshot({ path: join(folder, `first-run-${name}.png`) });
  }

  /** Reads what the API answers about the demo program, with the printed key. */
  async function get(path: string): Promise<Record<string, unknown>> {
    const [, key = ''] = /export KEY=(\S+)/.exec(started.printed) ?? [];
    const origin = new URL(page.url()).origin;
    const response = await fetch(`${origin}${path}`, { headers: { authorization: `Bearer ${key}` } });
    assert.equal(response.status, 200, path);
    return (await response.json()) as Record<string, unknown>;
  }

  test('the printed link signs in after a click, and opens the overview', async () => {
    const [, link = ''] = /Console +(http\S+\/enter\/\S+)/.exec(started.printed) ?? [];
    await page.goto(link);
    await shoot('1-link');
    await page.getByRole('button', { name: /Continue/ }).click();
    await page.waitForURL(/\/console\/[0-9a-f-]{36}/);
    await waitForScreen(page);
    await page.getByRole('region', { name: 'Needs attention' }).waitFor();
    await shoot('2-overview');
  });

  test('an applicant is approved in the review inbox, which the overview links to', async () => {
    const [, programId = ''] = /console\/([0-9a-f-]{36})/.exec(page.url()) ?? [];
    const countPending = async () => (await get(`/v1/programs/${programId}/affiliates?status=pending`)).total as number;
    const before = await countPending();
    await page.getByRole('link', { name: /Affiliates? to approve/ }).click();
    await page.waitForURL(/review\?kind=application/);
    await page
      .getByRole('button', { name: /^Approve/ })
      .first()
      .waitFor();
    await shoot('3-applicant');
    await page
      .getByRole('button', { name: /^Approve/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    assert.equal(await countPending(), before - 1);
    await shoot('4-approved');
  });

  test('an order opens to the path from its signals to its commission', async () => {
    await page.getByRole('link', { name: 'Conversions' }).first().click();
    await waitForScreen(page);
    await page.locator('[data-row] a').first().click();
    await page.getByRole('heading', { level: 1, name: /earned \$/ }).waitFor();
    const amount = /earned (\$[\d,.]+)/.exec(await page.locator('main h1').innerText())?.[1] ?? '';
    await page.getByText('Credited to').first().waitFor();
    await page.getByText('Rule applied').first().waitFor();
    assert.ok((await page.locator('main').getByText(amount, { exact: true }).count()) > 0, `the path ends in ${amount}`);
    await shoot('5-order');
  });

  test('a new program has a test conversion within three minutes, by clicks only', async () => {
    const started = performance.now();
    await page.getByRole('button', { name: /^Switch program/ }).click();
    await page.getByRole('link', { name: 'Create program' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Quiet Shores');
    await page.getByRole('dialog').getByRole('button', { name: 'Create program' }).click();
    await page.getByText('Quiet Shores was created.').waitFor();
    await page.getByRole('link', { name: 'First commission rule' }).click();
    await page.getByRole('button', { name: 'Add rule' }).first().click();
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Standard');
    await page.getByRole('dialog').getByLabel('Percentage').fill('10');
    await page.getByRole('dialog').getByRole('button', { name: 'Add rule' }).click();
    await page.getByText('Standard applies from now on').waitFor();
    await page.getByRole('link', { name: 'Affiliates', exact: true }).click();
    await page.getByRole('link', { name: 'Invite affiliates' }).first().click();
    await page.getByLabel('Email addresses').fill('Ada Lovelace <ada@example.com>');
    await page.getByLabel('Approve automatically').click();
    await page.getByRole('button', { name: 'Invite 1 affiliate' }).click();
    await page.getByText('1 affiliate invited').first().waitFor();
    await page.getByRole('link', { name: 'Developers' }).click();
    const code = await page.getByText(/"referralCode": "[A-Z0-9]{8}"/).innerText();
    await page.getByLabel('Amount').fill('49.80');
    await page.getByLabel('Referral code').fill(/"referralCode": "(\w+)"/.exec(code)?.[1] ?? '');
    await page.getByRole('button', { name: 'Test order' }).click();
    await page.locator('[data-total-cents]').getByText('$4.98').waitFor();
    await page.getByRole('button', { name: 'Record this order' }).click();
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('heading', { level: 1, name: /earned \$4\.98/ }).waitFor();
    const seconds = Math.round((performance.now() - started) / 1000);
    console.log(`  from a signed-in member to a test conversion: ${seconds} s`);
    assert.ok(seconds < 180, `${seconds} s`);
    await shoot('6-test-conversion');
  });
});
