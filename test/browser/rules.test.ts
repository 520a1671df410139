// The commission rules in the console: the effect of a new rule, of another rate and of archiving on past orders is calculated
// before anything is saved. With SCREENSHOTS=1: pictures in .tributary/screens.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { anAffiliate, anOrder, aRule } from '../support/builders.ts';
import { checkAccessibility } from '../support/screens/checks.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { takePictures } from '../support/screens/pictures.ts';
import { type Watched, waitForScreen, watchPage } from '../support/screens/watched-page.ts';

describe('the commission rules of a program', () => {
  let app: Console;
  let watched: Watched;
  let page: Page;
  let ruleId = '';

  before(async () => {
    app = await openConsole();
    const { service } = app;
    ruleId = await aRule(service, { name: 'Everyone earns ten', rate: 10 });
    const ada = await anAffiliate(service, { firstName: 'Ada', lastName: 'Lindqvist', status: 'active' });
    const kofi = await anAffiliate(service, { firstName: 'Kofi', lastName: 'Mensah', status: 'active' });
    await anOrder(service, { affiliateId: ada.id, amountCents: 10_000 });
    await anOrder(service, { affiliateId: kofi.id, amountCents: 4000 });
    await app.context.clock.setFixedTime(service.clock.now());
    await app.signInAs(await service.asMember('admin', { name: 'Dana Calder' }));
    watched = await watchPage(app.context, app.origin);
    page = watched.page;
    page.setDefaultTimeout(60_000);
    await page.goto(`${app.origin}/console/${service.program.programId}/rules`);
    await waitForScreen(page);
  });
  after(() => app?.close());

  const sheet = () => page.getByRole('dialog');
  const calculate = () => sheet().getByRole('button', { name: 'Calculate' });
  const stored = async () => (await app.service.pool.query('select * from commission_rules order by id')).rows;
  const row = (name: string) => sheet().getByRole('row', { name });
  const fact = async (label: string) => (await sheet().locator('dl > div', { hasText: label }).locator('dd').textContent()) ?? '';

  test('the effect of a draft is calculated before it has a name, and nothing is saved', async () => {
    const before = await stored();
    await page.getByRole('button', { name: 'Add rule' }).first().press('Enter');
    await calculate().press('Enter');
    await sheet().getByLabel('Percentage').and(page.locator('[aria-invalid=true]')).waitFor();
    assert.equal(await sheet().locator('[aria-invalid=true]').count(), 1, 'a draft needs no name');
    await sheet().getByLabel('Percentage').fill('15');
    await sheet().getByRole('button', { name: 'Affiliate', exact: true }).press('Enter');
    await sheet()
      .getByRole('textbox', { name: 'Affiliate' })
      .or(sheet().getByRole('combobox', { name: 'Affiliate' }))
      .first()
      .click();
    await page.getByRole('option', { name: /Ada Lindqvist/ }).click();
    await calculate().press('Enter');
    await row('Ada Lindqvist $15.00 +$5.00').waitFor();
    assert.equal(await row('Kofi Mensah').count(), 0, 'only affiliates with a difference are listed');
    assert.deepEqual(
      [await fact('Commissions earned'), await fact('With this change'), await fact('Difference'), await fact('Orders')],
      ['$14.00', '$19.00', '+$5.00', '2'],
    );
    await checkAccessibility(page, 'the effect of a new rule');
    await calculate().scrollIntoViewIfNeeded();
    await takePictures(page, 'rules-draft');
    await sheet().getByLabel('Percentage').fill('20');
    await row('Ada Lindqvist').waitFor({ state: 'detached' });
    assert.deepEqual(await stored(), before);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /Discard/ }).click();
    await sheet().waitFor({ state: 'detached' });
  });

  test('the effect of another rate and of archiving is calculated for a rule', async () => {
    const before = await stored();
    await page.getByRole('link', { name: 'Everyone earns ten' }).click();
    await sheet().getByLabel('Percentage').fill('12.5');
    await calculate().press('Enter');
    await row('Ada Lindqvist $12.50 +$2.50').waitFor();
    await row('Kofi Mensah $5.00 +$1.00').waitFor();
    await sheet().getByRole('button', { name: 'Without this rule' }).press('Enter');
    await calculate().press('Enter');
    await row('Ada Lindqvist $0.00 −$10.00').waitFor();
    await checkAccessibility(page, 'the effect of a change of a rule');
    await calculate().scrollIntoViewIfNeeded();
    await takePictures(page, 'rules-change');
    const { body } = await app.service.request('GET', `${app.service.program.path}/commission-rules/${ruleId}`);
    assert.deepEqual([body.status, body.rate, body.version], ['active', 10, 1]);
    assert.deepEqual(await stored(), before);
    assert.deepEqual(watched.takeFaults(), []);
  });
});
