// Commissions in the console: one is held, released and adjusted with the reason that the affiliate reads, several are held
// together, and a bonus names its sum before it is granted. With SCREENSHOTS=1: pictures in .tributary/screens.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { anAffiliate, anOrder, aRule } from '../support/builders.ts';
import { checkAppearances } from '../support/screens/appearances.ts';
import { checkAccessibility } from '../support/screens/checks.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { type Watched, waitForScreen, waitUntilStill, watchPage } from '../support/screens/watched-page.ts';

const folder = join(import.meta.dirname, '..', '..', '.tributary', 'screens');

describe('the commissions of a program', () => {
  let app: Console;
  let watched: Watched;
  let page: Page;

  before(async () => {
    mkdirSync(folder, { recursive: true });
    app = await openConsole();
    const { service } = app;
    await aRule(service, { rate: 10 });
    const ada = await anAffiliate(service, { firstName: 'Ada', lastName: 'Lindqvist', status: 'active' });
    await anAffiliate(service, { firstName: 'Leo', lastName: 'Brandt', status: 'active' });
    for (const [index, amountCents] of [12_000, 8000, 4550].entries())
      await anOrder(service, { orderId: `FF-${index + 1}`, affiliateId: ada.id, amountCents, customer: { externalId: `c-${index}` } });
    await app.signInAs(await service.asMember('owner', { name: 'Dana Calder' }));
    watched = await watchPage(app.context, app.origin);
    page = watched.page;
    page.setDefaultTimeout(60_000);
    await page.goto(`${app.origin}/console/${service.program.programId}/commissions`);
    await waitForScreen(page);
  });
  after(() => app?.close());

  const sheet = () => page.getByRole('dialog');
  const button = (name: string | RegExp) => sheet().getByRole('button', { name, exact: true });
  const list = async (query = '') => (await app.service.request('GET', `${app.service.program.path}/commissions${query}`)).body;
  const find = async (orderId: string) =>
    (await list()).commissions.find((one: { orderId: string | null }) => one.orderId === orderId) as Record<string, unknown>;
  const picture = async (name: string) => {
    await waitUntilStill(page);
    if (process.env.SCREENSHOTS) await page.screenshot({ path: join(folder, `${name}.png`) });
  };

  test('one is held with a reason, and released', async () => {
    await page.getByText('FF-1').first().click();
    await sheet().getByText('Pending').first().waitFor();
    await checkAppearances(page, 'commission-sheet');
    await page.setViewportSize({ width: 1440, height: 900 });
    await button('Hold').click();
    await sheet().getByLabel('Reason').fill('Waiting for the return window');
    await checkAccessibility(page, 'the form of a hold');
    await button('Hold commission').click();
    await sheet().getByText('On hold by a member of your team').waitFor();
    const held = await find('FF-1');
    assert.deepEqual([held.status, held.note], ['held', 'Waiting for the return window']);
    await sheet().getByRole('region', { name: 'History' }).getByText('Dana Calder').waitFor();
    await picture('commission-held');
    await button('Release').click();
    await button('Release commission').click();
    await sheet().getByText('On hold by a member of your team').waitFor({ state: 'detached' });
    assert.equal((await find('FF-1')).status, 'pending');
  });

  test('one is adjusted, and the sheet shows the amount before and after', async () => {
    await button('Adjust').click();
    await sheet().getByRole('textbox', { name: 'Amount' }).fill('2.50');
    await sheet().getByText('$12.00 → $9.50').waitFor();
    await sheet().getByLabel('Reason').fill('Shipping was included');
    await picture('commission-adjust');
    await button('Adjust commission').click();
    await page.getByText('The commission was adjusted.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('row', { name: /Adjustment/ }).waitFor();
    const [adjustment] = (await list('?kind=adjustment')).commissions;
    assert.deepEqual([adjustment.amountCents, adjustment.note], [-250, 'Shipping was included']);
  });

  test('several are held together, and the sheet names what they add up to', async () => {
    for (const orderId of ['FF-2', 'FF-3']) await page.getByRole('checkbox', { name: new RegExp(orderId) }).check();
    await page.getByRole('toolbar').getByText('$12.55').waitFor();
    await page.getByRole('toolbar').getByRole('button', { name: 'Hold' }).click();
    await sheet().getByText('2 commissions of $12.55 in total will be held.').waitFor();
    await sheet().getByLabel('Reason').fill('Checking returns');
    await picture('commissions-bulk');
    await sheet().getByRole('button', { name: 'Hold 2 commissions' }).click();
    await page.getByText('2 commissions are on hold.').waitFor();
    assert.equal((await list('?status=held')).total, 2);
    await page.getByRole('tab', { name: 'On hold' }).click();
    await page.getByText('FF-3').first().waitFor();
    assert.equal(await page.getByRole('row', { name: /FF-1/ }).count(), 0);
  });

  test('a bonus for two affiliates names its sum before it is granted', async () => {
    await page.getByRole('button', { name: 'Grant a bonus' }).click();
    for (const name of ['Ada Lindqvist', 'Leo Brandt']) {
      await sheet().getByLabel('Affiliates').fill(name.slice(0, 3));
      await page.getByRole('option', { name: new RegExp(name) }).click();
    }
    await sheet().getByLabel('Amount for each affiliate').fill('25');
    await sheet().getByLabel('Reason').fill('Speaker fee');
    await checkAccessibility(page, 'the form of a bonus');
    await picture('commissions-bonus');
    await button('Grant $50.00 to 2 affiliates').click();
    await page.getByText('Bonuses of $50.00 were granted to 2 affiliates.').waitFor();
    const { total, commissions } = await list('?kind=bonus');
    assert.deepEqual([total, commissions[0].amountCents, commissions[0].status], [2, 2500, 'approved']);
    assert.deepEqual(watched.takeFaults(), []);
  });
});
