// The catalogue in the console: a product is added, changed and archived, a file is imported after a dry run that shows
// what is wrong with each row, and the feed is downloaded. With SCREENSHOTS=1: pictures in .tributary/screens.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { aGroup, anAffiliate } from '../support/builders.ts';
import { checkAccessibility } from '../support/screens/checks.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { takePictures } from '../support/screens/pictures.ts';
import { type Watched, waitForScreen, watchPage } from '../support/screens/watched-page.ts';

describe('the catalogue of a program', () => {
  let app: Console;
  let watched: Watched;
  let page: Page;

  before(async () => {
    app = await openConsole();
    const gold = await aGroup(app.service, 'Gold');
    await anAffiliate(app.service, { groupId: gold, status: 'active' });
    await anAffiliate(app.service, { status: 'active' });
    await app.signInAs(await app.service.asMember('admin', { name: 'Dana Calder' }));
    watched = await watchPage(app.context, app.origin);
    page = watched.page;
    page.setDefaultTimeout(60_000);
    await page.goto(`${app.origin}/console/${app.service.program.programId}/products`);
    await waitForScreen(page);
  });
  after(() => app?.close());

  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const sheet = () => page.getByRole('dialog');
  const list = async () => (await app.service.request('GET', `${app.service.program.path}/products`)).body.products;
  const shoot = (name: string) => takePictures(page, `products-${name}`);

  test('a product is added by keyboard, with every fault shown in the words of the form', async () => {
    await page.keyboard.press('c');
    await sheet().getByLabel('Name').waitFor();
    await page.keyboard.type('Sleep tea');
    await page.keyboard.press('Enter');
    await page.getByText('2 fields need').or(page.getByRole('alert')).first().waitFor();
    await sheet().getByLabel('Price', { exact: true }).fill('14.90');
    await sheet().getByLabel('Page in the store').fill('shop.example/tea');
    await page.keyboard.press('Enter');
    await sheet().getByText('http').first().waitFor();
    await sheet().getByLabel('Page in the store').fill('https://shop.example/tea');
    await sheet().getByLabel('SKU').fill('TEA-1');
    await sheet().getByLabel('Store ID').fill('tea-1');
    await sheet().getByText('2 active affiliates can promote it.').waitFor();
    await sheet().getByLabel('Who can promote').click();
    await page.getByRole('option', { name: 'Gold' }).click();
    await page.keyboard.press('Escape');
    await sheet().getByText('1 active affiliate can promote it.').waitFor();
    await checkAccessibility(page, 'a new product');
    await shoot('create');
    await button('Add product').last().click();
    await page.getByText('Sleep tea was added.').waitFor();
    const [product] = await list();
    assert.deepEqual([product.name, product.priceCents, product.sku, product.allowedGroupIds.length], ['Sleep tea', 1490, 'TEA-1', 1]);
  });

  test('a store ID that is taken is shown at its field, and nothing that was typed is lost', async () => {
    await page.keyboard.press('c');
    await sheet().getByLabel('Name').fill('Another tea');
    await sheet().getByLabel('Price', { exact: true }).fill('5');
    await sheet().getByLabel('Page in the store').fill('https://shop.example/other');
    await sheet().getByLabel('Store ID').fill('tea-1');
    await button('Add product').last().click();
    await sheet().getByLabel('Store ID').and(page.locator('[aria-invalid=true]')).waitFor();
    assert.equal(await sheet().getByLabel('Name').inputValue(), 'Another tea');
    await button('Cancel').click();
    await button('Discard changes').click();
    await sheet().waitFor({ state: 'detached' });
  });

  test('its sheet shows who may promote it and which rule applies; it is changed and archived, and archiving can be undone', async () => {
    await page.getByRole('link', { name: 'Sleep tea' }).click();
    await sheet().getByText('No rule applies').waitFor();
    await sheet().getByText('1 active affiliate can promote it.').waitFor();
    await checkAccessibility(page, 'a product');
    await shoot('sheet');
    await button('Edit').click();
    await sheet().getByLabel('Price', { exact: true }).fill('12.50');
    await page.keyboard.press('Control+s');
    await page.getByText('The product was saved.').waitFor();
    assert.equal((await list())[0].priceCents, 1250);
    await button('Archive').click();
    await page.getByText('Sleep tea was archived.').waitFor();
    assert.equal((await list())[0].status, 'archived');
    await button(/Undo/).click();
    await page.getByText('Sleep tea is active.').waitFor();
    assert.equal((await list())[0].status, 'active');
    await page.keyboard.press('Escape');
  });

  test('an import shows what it would do to each row before anything is changed', async () => {
    const url = 'https://shop.example/x';
    const csv = `externalId,name,priceCents,checkoutUrl\ntea-1,Sleep tea,1300,${url}\nmug-1,Mug,900,${url}\ncup-1,Cup,9.5,${url}\n,Nameless,1,${url}\n`;
    await button('Import').click();
    await shoot('import');
    await page.locator('input[type=file]').setInputFiles({ name: 'shop.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await sheet().getByText('1 new').waitFor();
    await sheet().getByText('1 changed').waitFor();
    await sheet().getByText('2 rejected').waitFor();
    await sheet().getByRole('cell', { name: 'cup-1' }).waitFor();
    assert.equal((await list()).length, 1);
    await checkAccessibility(page, 'an import');
    await shoot('import-checked');
    await button('Import 2 products').click();
    await sheet().getByText('Added: 1. Updated: 1. Rejected: 2.').waitFor();
    await button('Close').last().click();
    await page.getByRole('link', { name: 'Mug' }).waitFor();
    assert.equal((await list()).length, 2);
  });

  test('the feed is downloaded in the chosen format', async () => {
    await button('Feed').click();
    await sheet().getByText('Address for other systems').waitFor();
    await checkAccessibility(page, 'the feed');
    await shoot('feed');
    const [file] = await Promise.all([page.waitForEvent('download'), button('Download feed').click()]);
    assert.match(readFileSync(await file.path(), 'utf8'), /Mug/);
    await page.keyboard.press('Escape');
    await sheet().waitFor({ state: 'detached' });
    await shoot('list');
  });

  test('selected ones are archived together, and undoing it restores the status that each had', async () => {
    const draft = (await list()).find(({ name }: { name: string }) => name === 'Mug');
    await app.service.request('PATCH', `${app.service.program.path}/products/${draft.id}`, { body: { status: 'draft' } });
    const statuses = async () => (await list()).map(({ name, status }: Record<string, string>) => `${name} ${status}`).sort();
    await page.goto(`${app.origin}/console/${app.service.program.programId}/products?tab=draft`);
    await page.getByRole('checkbox', { name: 'Select Mug' }).press('Space');
    const bar = page.getByRole('toolbar', { name: 'Selected rows' });
    await checkAccessibility(page, 'selected products');
    await shoot('selected');
    await bar.getByRole('button', { name: 'Archive' }).press('Enter');
    await page.getByText('1 product was archived.').first().waitFor();
    await bar.waitFor({ state: 'detached' });
    assert.deepEqual(await statuses(), ['Mug archived', 'Sleep tea active']);
    await page.keyboard.press('Control+z');
    await page.getByText('The change was undone.').first().waitFor();
    assert.deepEqual(await statuses(), ['Mug draft', 'Sleep tea active']);
    await page.getByRole('link', { name: 'Mug' }).waitFor();
    await app.service.request('PATCH', `${app.service.program.path}/products/${draft.id}`, { body: { status: 'active' } });
  });

  test('a member who may only read sees the products, and nothing to change them', async () => {
    await app.signInAs(await app.service.asMember('viewer', { name: 'Tom Ruiz' }));
    await page.goto(`${app.origin}/console/${app.service.program.programId}/products`);
    await waitForScreen(page);
    await page.getByRole('link', { name: 'Mug' }).click();
    await sheet().getByText('All affiliates').waitFor();
    assert.equal(await page.getByRole('checkbox').count(), 0, 'nothing can be selected');
    for (const name of ['Add product', 'Import', 'Edit', 'Archive']) assert.equal(await button(name).count(), 0, name);
    // A rejected form is a failed request, which browsers report.
    const faults = watched.takeFaults().filter((fault) => !/status of 4(00|09)/.test(fault));
    assert.deepEqual(faults, []);
  });
});
