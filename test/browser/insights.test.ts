// Insights in the console: every choice is in the URL, a figure leads to what it counts, and the rows are saved as a file. With
// SCREENSHOTS=1: pictures in .tributary/screens.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { aClick, anAffiliate, anOrder, aProduct, aRule } from '../support/builders.ts';
import { checkAppearances } from '../support/screens/appearances.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { type Watched, waitForScreen, watchPage } from '../support/screens/watched-page.ts';

describe('insights', () => {
  let app: Console;
  let watched: Watched;
  let page: Page;
  let kit: string;
  let owner: Awaited<ReturnType<Console['service']['asMember']>>;

  before(async () => {
    app = await openConsole();
    const { service } = app;
    await aRule(service, { rate: 10 });
    kit = await aProduct(service, { name: 'Kit' });
    const ada = await anAffiliate(service, { firstName: 'Ada', lastName: 'Lindqvist', status: 'active' });
    const noor = await anAffiliate(service, { firstName: 'Noor', lastName: 'Haddad', status: 'active' });
    await anOrder(service, { affiliateId: ada.id, orderId: 'FF-1', amountCents: 12_000 });
    await anOrder(service, { affiliateId: ada.id, orderId: 'FF-2', amountCents: 4000 });
    const items = [{ productId: kit, quantity: 1, amountCents: 9000 }];
    await anOrder(service, { affiliateId: noor.id, orderId: 'FF-3', amountCents: 9000, items });
    await aClick(service, ada.id);
    const clickId = await aClick(service, noor.id);
    await service.pool.query(`update clicks set country = 'DE' where id = $1`, [clickId]);
    owner = await service.asMember('owner', { name: 'Dana Calder' });
    await app.signInAs(owner);
    watched = await watchPage(app.context, app.origin);
    page = watched.page;
    page.setDefaultTimeout(60_000);
    await page.goto(`${app.origin}/console/${service.program.programId}/insights`);
    await waitForScreen(page);
  });
  after(() => app?.close());

  const row = (name: string) => page.locator('tbody tr', { hasText: name });
  const search = () => new URL(page.url()).searchParams;
  const widen = (name: string) => page.getByRole('button', { name: `Remove ${name}` }).click();

  test('shows the highest first, with shares that add up', async () => {
    const cells = await page.locator('tbody tr').allInnerTexts();
    assert.match(cells[0] ?? '', /Ada Lindqvist\s+1\s+2\s+\$160\.00\s+\$16\.00\s+64\.0%/);
    assert.match(cells[1] ?? '', /Noor Haddad\s+1\s+1\s+\$90\.00\s+\$9\.00\s+36\.0%/);
    await checkAppearances(page, 'insights-affiliates');
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  test('cohorts show who is still selling, and what they sell', async () => {
    const cohorts = page.getByRole('table', { name: 'Cohorts by first order' });
    const cells = () => cohorts.locator('tbody tr').allInnerTexts();
    assert.match((await cells()).join(), /2\s+2 100\.0%/);
    await page.getByRole('region', { name: 'Cohorts by first order' }).getByRole('button', { name: 'Sales' }).click();
    await cohorts.getByText('$250.00').waitFor();
    assert.equal(search().get('cohorts'), 'salesCents');
  });

  test('a figure leads to the orders or commissions that it counts, and the list can be widened', async () => {
    await row('Ada Lindqvist').getByRole('link', { name: '$160.00' }).click();
    await page.getByText('Only orders of one affiliate').waitFor();
    await row('FF-2').waitFor();
    assert.equal(await page.locator('tbody tr').count(), 2);
    await widen('Only orders of one affiliate');
    await row('FF-3').waitFor();
    await page.goBack();
    await page.goBack();
    await row('Ada Lindqvist').getByRole('link', { name: '$16.00' }).click();
    await page.getByText('Only one affiliate').waitFor();
    await row('Ada Lindqvist').first().waitFor();
    assert.equal(await page.locator('tbody tr').count(), 2);
    await widen('Only one affiliate');
    await row('Noor Haddad').waitFor();
    await page.goBack();
    await page.goBack();
    await row('Ada Lindqvist').waitFor();
  });

  test('clicks, and orders without a value, lead to their rows', async () => {
    await page.getByRole('button', { name: 'By affiliate' }).click();
    await page.getByRole('menuitem', { name: 'By country' }).click();
    await row('None or unknown').getByRole('link', { name: '3', exact: true }).click();
    await page.getByText('Only orders with none or unknown').waitFor();
    await page.locator('tbody tr', { hasText: 'FF-3' }).waitFor();
    assert.equal(await page.locator('tbody tr').count(), 3);
    await page.goBack();
    await row('Germany').getByRole('link', { name: '1', exact: true }).click();
    await page.getByText('Only clicks from one country').waitFor();
    await page.locator('tbody tr', { hasText: 'Noor Haddad' }).waitFor();
    assert.equal(await page.locator('tbody tr').count(), 1);
    await checkAppearances(page, 'insights-clicks');
    await page.setViewportSize({ width: 1440, height: 900 });
    await widen('Only clicks from one country');
    await row('Ada Lindqvist').waitFor();
    await page.goBack();
    await page.goBack();
    await row('Germany').waitFor();
    await page.getByRole('button', { name: 'By country' }).click();
    await page.getByRole('menuitem', { name: 'By affiliate' }).click();
    await row('Ada Lindqvist').waitFor();
  });

  test('the metric and the breakdown are in the URL, which a link or reloading restores', async () => {
    await page.getByRole('button', { name: /^Conversions/ }).click();
    await page.getByRole('button', { name: 'By affiliate' }).click();
    await page.getByRole('menuitem', { name: 'By product' }).click();
    await row('Kit').waitFor();
    assert.deepEqual([search().get('metric'), search().get('breakdown')], ['conversions', 'product']);
    await row('Kit').getByRole('link', { name: '1', exact: true }).click();
    await page.getByText('Only orders of one product').waitFor();
    await page.locator('tbody tr', { hasText: 'FF-3' }).waitFor();
    assert.equal(await page.locator('tbody tr').count(), 1);
    await page.goBack();
    await row('Kit').waitFor();
  });

  test('a view is saved for all members, and restored', async () => {
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Save view' }).click();
    const sheet = page.getByRole('dialog');
    await sheet.getByLabel('Name').fill('Kits');
    await sheet.getByRole('switch').check();
    await sheet.getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('button', { name: 'Kits' }).waitFor();
    await page.getByRole('button', { name: 'By product' }).click();
    await page.getByRole('menuitem', { name: 'By affiliate' }).click();
    await row('Ada Lindqvist').waitFor();
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Kits' }).click();
    await row('Kit').waitFor();
    const { savedViews } = (await owner.request('GET', `/app/programs/${app.service.program.programId}/saved-views?screen=insights`)).body;
    assert.deepEqual(savedViews[0].state, { query: { metric: 'conversions', breakdown: 'product', cohorts: 'salesCents' } });
    assert.equal(savedViews[0].isShared, true);
  });

  test('the rows are saved as a file, with amounts in cents', async () => {
    const saved = page.waitForEvent('download');
    await page.getByRole('region', { name: 'All figures' }).getByRole('button', { name: 'CSV' }).click();
    const [head, ...lines] = readFileSync(await (await saved).path(), 'utf8').split('\r\n');
    assert.equal(head, 'product,name,clicks,conversions,salesCents,commissionsCents');
    assert.deepEqual(lines, [`${kit},Kit,0,1,9000,900`, '']);
    const cohorts = page.waitForEvent('download');
    await page.getByRole('region', { name: 'Cohorts by first order' }).getByRole('button', { name: 'CSV' }).click();
    const file = readFileSync(await (await cohorts).path(), 'utf8');
    assert.match(file, /^cohort,month,affiliates,conversions,salesCents,commissionsCents\r\n(\d{4}-\d\d-01),\1,2,3,25000,2500\r\n$/);
    assert.deepEqual(watched.takeFaults(), []);
  });
});
