// Coupons in the console: one is created for an affiliate, many by a pattern after a dry run, and one that looks leaked shows
// its evidence and is disabled. With SCREENSHOTS=1: pictures in .tributary/screens.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { transact } from '../../server/platform/db/transact.ts';
import { markLeaks } from '../../server/promotion/coupons/detect-leaks.ts';
import { aCoupon, anAffiliate, anOrder, aProduct } from '../support/builders.ts';
import { checkAccessibility } from '../support/screens/checks.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { takePictures } from '../support/screens/pictures.ts';
import { type Watched, waitForScreen, watchPage } from '../support/screens/watched-page.ts';
import { until } from '../support/time/wait.ts';

describe('the coupons of a program', () => {
  let app: Console;
  let watched: Watched;
  let page: Page;

  before(async () => {
    app = await openConsole();
    const { service } = app;
    const people = [];
    for (const firstName of ['Ada', 'Zoë', 'Kofi'])
      people.push(await anAffiliate(service, { firstName, lastName: 'Lindqvist', status: 'active' }));
    await aCoupon(service, { affiliateId: people[0]?.id ?? '', code: 'LEAKED20' });
    for (let index = 0; index < 22; index += 1)
      await anOrder(service, { orderId: `leak-${index}`, couponCode: 'LEAKED20', amountCents: 5000 });
    await transact(service.ctx, (tx) => markLeaks(tx, service.program.programId));
    await app.signInAs(await service.asMember('admin', { name: 'Dana Calder' }));
    watched = await watchPage(app.context, app.origin);
    page = watched.page;
    page.setDefaultTimeout(60_000);
    await page.goto(`${app.origin}/console/${service.program.programId}/coupons`);
    await waitForScreen(page);
  });
  after(() => app?.close());

  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const sheet = () => page.getByRole('dialog');
  const shoot = (name: string) => takePictures(page, `coupons-${name}`);
  const list = async () => (await app.service.request('GET', `${app.service.program.path}/coupons`)).body.coupons;

  test('one is created for an affiliate; a code that is taken is shown at its field', async () => {
    await page.keyboard.press('c');
    await sheet().getByLabel('Affiliate', { exact: true }).click();
    await page.getByRole('option', { name: /Kofi/ }).click();
    await sheet().getByLabel('Code').fill('leaked20');
    await sheet().getByLabel('Percent').fill('15');
    await button('Add coupon').last().click();
    await sheet().getByLabel('Code').and(page.locator('[aria-invalid=true]')).waitFor();
    await sheet().getByLabel('Code').fill('KOFI15');
    await checkAccessibility(page, 'a new coupon');
    await shoot('create');
    await button('Add coupon').last().click();
    await page.getByText('KOFI15 was created.').waitFor();
    const created = (await list()).find(({ code }: { code: string }) => code === 'KOFI15');
    assert.deepEqual([created.discountType, created.discountRate], ['percentage', 15]);
  });

  test('one is restricted to products by keyboard, and the restriction is changed later', async () => {
    const [tea, mug] = [await aProduct(app.service, { name: 'Sleep tea' }), await aProduct(app.service, { name: 'Blue mug' })];
    const kofi = (await list()).find(({ code }: { code: string }) => code === 'KOFI15');
    await page.goto(`${app.origin}/console/${app.service.program.programId}/coupons?coupon=${kofi.id}`);
    await sheet().getByText('All products').waitFor();
    const choose = async (name: string) => {
      await button('Edit').click();
      await sheet()
        .getByRole('combobox', { name: 'Products' })
        .or(sheet().getByLabel('Products', { exact: true }))
        .first()
        .focus();
      await page.keyboard.type(name);
      await page.getByRole('option').first().filter({ hasText: name }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      await shoot('products');
      await page.keyboard.press('Control+s');
      await page.getByText('The coupon was saved.').first().waitFor();
    };
    const stored = async () => (await list()).find(({ id }: { id: string }) => id === kofi.id).productIds;
    await choose('Sleep tea');
    assert.deepEqual(await stored(), [tea]);
    await sheet().getByText('Sleep tea').waitFor();
    await choose('Blue mug');
    await until('both products are stored', async () => (await stored()).join() === [tea, mug].sort().join());
    await sheet()
      .getByText(/Sleep tea, Blue mug|Blue mug, Sleep tea/)
      .waitFor();
    await page.keyboard.press('Escape');
    await sheet().waitFor({ state: 'detached' });
  });

  test('coupons for many are created by a pattern, after every code was shown', async () => {
    await button('Add many').click();
    await sheet().getByLabel('Percent').fill('20');
    await button('Show codes').click();
    await sheet().getByRole('cell', { name: 'ZOE20' }).waitFor();
    await sheet().getByText('New: 1. Left out: 2.').waitFor();
    assert.equal((await list()).length, 2);
    await checkAccessibility(page, 'coupons for many');
    await shoot('bulk');
    await button('Create 1 coupon').click();
    await page.getByText('1 coupon was created.').waitFor();
    assert.ok((await list()).some(({ code }: { code: string }) => code === 'ZOE20'));
    await shoot('list');
  });

  test('a code that looks leaked shows its evidence, and is disabled', async () => {
    await page.getByRole('tab', { name: /Suspected leaks/ }).click();
    await page.getByRole('link', { name: 'LEAKED20' }).click();
    await sheet().getByText('This code may have leaked').waitFor();
    await sheet().getByText('22 (100%)').waitFor();
    await checkAccessibility(page, 'a coupon that may have leaked');
    await shoot('leak');
    await button('Credit clicks instead').click();
    await page.getByText('Orders with a click are credited to the click.').waitFor();
    await button('Disable').click();
    await page.getByText('LEAKED20 was disabled.').first().waitFor();
    const leaked = (await list()).find(({ code }: { code: string }) => code === 'LEAKED20');
    assert.deepEqual([leaked.status, leaked.creditPolicy], ['archived', 'only_without_click']);
    const faults = watched.takeFaults().filter((fault) => !/status of 409/.test(fault));
    assert.deepEqual(faults, []);
    await page.keyboard.press('Escape');
    await sheet().waitFor({ state: 'detached' });
  });

  test('selected ones are disabled by keyboard, undone, and restored; one that another request disabled is named', async () => {
    await page.goto(`${app.origin}/console/${app.service.program.programId}/coupons`);
    const statuses = async () => (await list()).map(({ code, status }: Record<string, string>) => `${code} ${status}`).sort();
    const before = await statuses();
    assert.deepEqual(before, ['KOFI15 active', 'LEAKED20 archived', 'ZOE20 active']);
    await page.getByRole('checkbox', { name: 'Select KOFI15' }).press('Space');
    await page.getByRole('checkbox', { name: 'Select ZOE20' }).press('Space');
    const bar = page.getByRole('toolbar', { name: 'Selected rows' });
    await bar.getByText('2 selected').waitFor();
    await checkAccessibility(page, 'selected coupons');
    await shoot('selected');
    await bar.getByRole('button', { name: 'Disable' }).press('Enter');
    await page.getByText('2 coupons were disabled.').first().waitFor();
    await bar.waitFor({ state: 'detached' });
    assert.deepEqual(await statuses(), ['KOFI15 archived', 'LEAKED20 archived', 'ZOE20 archived']);
    await page.keyboard.press('Control+z');
    await page.getByText('The change was undone.').first().waitFor();
    assert.deepEqual(await statuses(), before);
    await page.getByRole('checkbox', { name: 'Select KOFI15' }).press('Space');
    await page.getByRole('checkbox', { name: 'Select ZOE20' }).press('Space');
    const zoe = (await list()).find(({ code }: { code: string }) => code === 'ZOE20');
    await app.service.request('PATCH', `${app.service.program.path}/coupons/${zoe.id}`, { body: { status: 'archived' } });
    await bar.getByRole('button', { name: 'Disable' }).press('Enter');
    await page.getByText('1 coupon was disabled. Unchanged: ZOE20.').first().waitFor();
    await page.getByRole('tab', { name: 'Disabled' }).click();
    await page.getByRole('checkbox', { name: 'Select KOFI15' }).press('Space');
    await page.getByRole('checkbox', { name: 'Select ZOE20' }).press('Space');
    await bar.getByRole('button', { name: 'Restore' }).press('Enter');
    await page.getByText('2 coupons are active.').first().waitFor();
    assert.deepEqual(await statuses(), before);
    assert.deepEqual(watched.takeFaults(), []);
  });
});
