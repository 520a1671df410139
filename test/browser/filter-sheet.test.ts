// Filters on phones: one sheet with all of them, the number of results while they are chosen, and a way to clear them. With
// SCREENSHOTS=1: pictures in .tributary/screens.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { anAffiliate } from '../support/builders.ts';
import { checkAccessibility, checkWidth } from '../support/screens/checks.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { takePictures } from '../support/screens/pictures.ts';
import { type Watched, waitForScreen, watchPage } from '../support/screens/watched-page.ts';

const phone = { width: 390, height: 844 };

describe('filters on a phone', () => {
  let app: Console;
  let watched: Watched;
  let page: Page;

  before(async () => {
    app = await openConsole();
    for (const firstName of ['Ada', 'Noor', 'Mei']) await anAffiliate(app.service, { firstName, status: 'active' });
    await anAffiliate(app.service, { firstName: 'Tom', status: 'suspended' });
    await app.signInAs(await app.service.asMember('admin', { name: 'Dana Calder' }));
    watched = await watchPage(app.context, app.origin);
    page = watched.page;
    page.setDefaultTimeout(60_000);
    await page.setViewportSize(phone);
    await page.goto(`${app.origin}/console/${app.service.program.programId}/affiliates`);
    await waitForScreen(page);
  });
  after(() => app?.close());

  const sheet = () => page.getByRole('dialog', { name: 'Filters' });
  const openFilter = (name: string) => sheet().locator('summary').filter({ hasText: name }).click();
  const names = () => page.locator('[data-row]').count();

  test('open in one sheet, apply while they are chosen, and count the results', async () => {
    await page.getByRole('button', { name: 'Filter' }).click();
    await sheet().getByText('4 results', { exact: true }).waitFor();
    for (const name of ['Status', 'Joined', 'Clicks', 'Commission', 'Page'])
      await sheet().locator('summary').getByText(name, { exact: true }).waitFor();
    await openFilter('Status');
    await sheet().getByRole('checkbox', { name: 'Suspended' }).check();
    await sheet().getByRole('button', { name: 'Show 1 result' }).waitFor();
    await sheet().getByRole('checkbox', { name: 'Active' }).check();
    await sheet().getByRole('button', { name: 'Show 4 results' }).waitFor();
    await sheet().getByRole('checkbox', { name: 'Suspended' }).uncheck();
    await sheet().getByRole('button', { name: 'Show 3 results' }).waitFor();
    await checkAccessibility(page, 'the filter sheet');
    await checkWidth(page, 'the filter sheet');
    await takePictures(page, 'filter-sheet', [390]);
    await sheet().getByRole('button', { name: 'Show 3 results' }).click();
    await sheet().waitFor({ state: 'detached' });
    await page.getByText('1–3 of 3').waitFor();
    assert.equal(await names(), 3);
    assert.match(page.url(), /status=active/);
    await page.getByRole('button', { name: 'Filter (1)' }).waitFor();
  });

  test('that are typed apply when the sheet closes, and are cleared together', async () => {
    await page.getByRole('button', { name: 'Filter (1)' }).click();
    await openFilter('Clicks');
    await sheet().getByRole('textbox', { name: 'is at least' }).fill('1');
    await page.keyboard.press('Escape');
    await sheet().waitFor({ state: 'detached' });
    await page.getByText('Nothing matches these filters.').waitFor();
    await page.getByRole('button', { name: 'Filter (2)' }).click();
    await sheet().getByRole('button', { name: 'Show 0 results' }).waitFor();
    await sheet().getByRole('button', { name: 'Clear' }).click();
    await sheet().getByRole('button', { name: 'Show 4 results' }).click();
    await sheet().waitFor({ state: 'detached' });
    await page.getByText('1–4 of 4').waitFor();
    assert.deepEqual([await names(), new URL(page.url()).search], [4, '']);
    assert.deepEqual(watched.takeFaults(), []);
  });

  test('remain a menu on wider screens', async () => {
    await page.setViewportSize({ width: 820, height: 900 });
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('button', { name: 'Status' }).last().click();
    await page.getByRole('button', { name: 'Done' }).waitFor();
    assert.equal(await page.getByRole('dialog', { name: 'Filters' }).count(), 0);
  });
});
