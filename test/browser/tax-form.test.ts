// An affiliate who can't be paid without a tax form submits it in the portal, on a phone and using only the keyboard.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { anAffiliate } from '../support/builders.ts';
import { checkAccessibility } from '../support/screens/checks.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { waitForScreen } from '../support/screens/watched-page.ts';

describe('the tax form in the portal', () => {
  let app: Console;
  let page: Page;
  before(async () => {
    app = await openConsole();
    const ada = await anAffiliate(app.service, { status: 'active', firstName: 'Ada', lastName: 'Lindqvist', email: 'ada@example.com' });
    await app.service.pool.query(`update programs set tax_forms = 'required'`);
    await app.signInAs(await app.service.asAffiliate(ada));
    page = await app.context.newPage();
    page.setDefaultTimeout(60_000);
    await page.setViewportSize({ width: 390, height: 844 });
  });
  after(() => app?.close());

  const open = async (path: string) => {
    await page.goto(`${app.origin}/portal/${app.service.program.programId}${path}`);
    await waitForScreen(page);
  };
  const picture = async (name: string) => {
    if (process.env.SCREENSHOTS !== '1') return;
    mkdirSync('.tributary/screens', { recursive: true });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `.tributary/screens/${name}-${colorScheme}.png` });
    }
  };

  test('is reached from the payouts that wait for it, and every fault is at its field', async () => {
    await open('');
    await page.getByRole('link', { name: 'Tax form' }).waitFor();
    await open('/payouts');
    await picture('tax-form-payouts');
    await page.getByRole('link', { name: 'Submit a tax form' }).press('Enter');
    await page.getByRole('button', { name: 'Submit a tax form' }).press('Enter');
    await page.getByRole('button', { name: /person outside the United States/ }).waitFor();
    await picture('tax-form-kinds');
    await page.getByRole('button', { name: /person outside the United States/ }).press('Enter');
    await page.getByLabel('Name, as on your tax return').fill('Ada Lindqvist');
    await page.getByLabel('US tax number (optional)').fill('123');
    await page.getByRole('button', { name: 'Sign and submit' }).press('Enter');
    await page.getByText('Check this number').first().waitFor();
    await page.getByRole('alert').last().scrollIntoViewIfNeeded();
    await picture('tax-form-faults');
    await checkAccessibility(page, 'a tax form with faults');
    const problems = await page.getByRole('alert').last().locator('li').allInnerTexts();
    assert.ok(problems.length >= 7 && problems.every((text) => !/address\.|[a-z]+[A-Z]/.test(text)), problems.join('\n'));
    assert.match(problems[0] ?? '', /^Date of birth/, 'in the order of the form');
    await page.getByLabel('Date of birth').and(page.locator(':focus')).waitFor();
  });

  test('is submitted by keyboard, and then only its kind, country and dates are shown', async () => {
    await page.getByLabel('US tax number (optional)').fill('');
    await page.getByLabel('Date of birth').fill('31 Dec 1980');
    await page.getByLabel('Country of residence for tax').selectOption({ label: 'Sweden' });
    await page.getByLabel('Street', { exact: true }).fill('Storgatan 1');
    await page.getByLabel('City', { exact: true }).fill('Umeå');
    await page.getByLabel('Country', { exact: true }).selectOption({ label: 'Sweden' });
    await page.getByLabel('Tax number of your country (optional)').fill('801231-9999');
    await page.getByLabel('Your full name, as your signature').fill('Ada Lindqvist');
    await page.getByLabel('I certify this').press('Space');
    await picture('tax-form-filled');
    await page.getByRole('button', { name: 'Sign and submit' }).press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('Form W-8BEN', { exact: true }).waitFor();
    await page.getByText('Sweden').waitFor();
    await picture('tax-form-on-file');
    assert.equal(await page.getByText(/801231|Storgatan|1980/).count(), 0, 'the contents are never shown');
    await checkAccessibility(page, 'a tax form on file');
    await open('/payouts');
    assert.equal(await page.getByText('A tax form is missing').count(), 0);
  });
});
