// An affiliate sets their payout details in the portal, using only the keyboard, and changes them later.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { anAffiliate } from '../support/builders.ts';
import { checkAccessibility } from '../support/screens/checks.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { waitForScreen } from '../support/screens/watched-page.ts';

describe('payout details in the portal', () => {
  let app: Console;
  let page: Page;
  before(async () => {
    app = await openConsole();
    const ada = await anAffiliate(app.service, { status: 'active', firstName: 'Ada', lastName: 'Lindqvist', email: 'ada@example.com' });
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
    await page.screenshot({ path: `.tributary/screens/${name}.png` });
  };

  test('are added from the first screen by keyboard, with every fault at its field', async () => {
    await open('');
    await page.getByRole('link', { name: 'Payout details' }).first().press('Enter');
    await page.getByRole('button', { name: 'Add payout details' }).press('Enter');
    await page.getByRole('button', { name: /Bank transfer/ }).waitFor();
    await picture('payout-details-methods');
    await page.getByRole('button', { name: /Bank transfer/ }).press('Enter');
    await page.getByLabel('Country of the bank').selectOption({ label: 'Germany' });
    await page.getByLabel('IBAN', { exact: true }).fill('DE89 3704 0044 0532 0130 01');
    await page.getByRole('button', { name: 'Save payout details' }).press('Enter');
    await page.getByText('There is a typing error in this number').first().waitFor();
    await picture('payout-details-faults');
    await checkAccessibility(page, 'payout details with faults');
    await page.getByLabel('Account holder').fill('Ada Lindqvist');
    await page.getByLabel('IBAN', { exact: true }).fill('DE89 3704 0044 0532 0130 00');
    await page.getByLabel('IBAN', { exact: true }).press('Enter');
    await page.getByText('In use').waitFor();
    assert.equal(await page.getByText('0532').count(), 0, 'the account is never shown');
  });

  test('wait after a change, and the screen says until when', async () => {
    await open('/payout-details');
    await page.getByRole('button', { name: 'Change' }).click();
    await page.getByRole('button', { name: /PayPal/ }).click();
    await page.getByText('Payouts wait 72 hours after this change').waitFor();
    await page.getByLabel('Email address at PayPal').fill('ada@payments.example');
    await page.getByRole('button', { name: 'Save payout details' }).click();
    await page.getByText('Payouts are paused for your safety').waitFor();
    await picture('payout-details-waiting');
  });

  test('have a currency that the affiliate chooses, and say when the program no longer pays in it', async () => {
    const allow = async (payoutCurrencies: string[]) => {
      const { path } = app.service.program;
      assert.equal((await app.service.request('PATCH', path, { body: { payoutCurrencies } })).status, 200);
      await open('/payout-details');
    };
    await allow(['EUR', 'JPY']);
    const currency = page.getByLabel('Currency of payouts');
    await currency.selectOption('EUR');
    await page.getByText('Your next payouts are in this currency.').waitFor();
    await picture('payout-details-currency');
    await checkAccessibility(page, 'the currency of payouts');
    await allow(['JPY']);
    await page.getByText("Fern & Field doesn't pay in EUR any more.").waitFor();
    await currency.selectOption('USD');
    await page.getByText("doesn't pay in EUR").waitFor({ state: 'detached' });
  });

  test('are deleted after a confirmation that states the consequences', async () => {
    await open('/payout-details');
    await page.getByRole('button', { name: 'Delete payout details' }).press('Enter');
    await page.getByRole('dialog').getByText("You aren't paid until you add new ones").waitFor();
    await picture('payout-details-delete');
    await checkAccessibility(page, 'deleting payout details');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete payout details' }).press('Enter');
    await page.getByText('Where should your money go?').waitFor();
  });
});
