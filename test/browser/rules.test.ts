// The commission rules in the console: which rule applies to an order and why, with or without a draft; the effect of a change on past
// orders; a change as a new version, with its history. With SCREENSHOTS=1: pictures in .tributary/screens.
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
    await aRule(service, {
      name: 'First orders',
      rate: 20,
      trigger: 'first',
      conditions: [{ field: 'couponUsed', operator: 'is', value: false }],
    });
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
  const chart = () => sheet().getByRole('list', { name: /largest differences|größten Unterschieden/ });
  const bar = (name: string, ...amounts: string[]) =>
    amounts.reduce((found, hasText) => found.filter({ hasText }), chart().getByRole('listitem').filter({ hasText: name }));
  const fact = async (label: string) => (await sheet().locator('dl > div', { hasText: label }).locator('dd').textContent()) ?? '';

  const choose = async (label: string, option: RegExp) => {
    const field = page
      .getByRole('combobox', { name: label })
      .or(page.getByRole('textbox', { name: label }))
      .last();
    await field.click();
    await page.getByRole('option', { name: option }).click();
  };
  const candidate = (name: string) => page.locator('li[data-outcome]', { hasText: name }).last();
  const resultOf = async () => (await page.getByText('This order earns').last().locator('xpath=..').innerText()).replaceAll('\n', ' ');

  test('the tester says which rule applies to an order, why the others don’t, and what it earns', async () => {
    await page.getByText('Choose an affiliate and an amount.').waitFor();
    await choose('Affiliate', /Ada Lindqvist/);
    await candidate('Everyone earns ten').and(page.locator('[data-outcome=applied]')).waitFor();
    assert.match(await candidate('First orders').innerText(), /the order doesn’t state whether the customer is new/);
    assert.equal(await page.locator('li[data-applied]').count(), 1);
    await page.locator('li[data-applied]', { hasText: 'Everyone earns ten' }).getByText('Applies to this order').waitFor();
    await page.getByLabel('Customer’s order number').fill('1');
    await candidate('First orders').and(page.locator('[data-outcome=applied]')).waitFor();
    assert.match(await candidate('Everyone earns ten').innerText(), /a more specific rule takes precedence/);
    assert.match(await resultOf(), /\$20\.00/);
    await page.getByLabel('Amount').fill('50');
    await page.getByText('20% × $50.00').waitFor();
    await choose('Country', /Germany/);
    await page.getByLabel('Customer’s order number').fill('2');
    await candidate('First orders').filter({ hasText: 'only for a customer’s first order' }).waitFor();
    await checkAccessibility(page, 'the tester');
    await takePictures(page, 'rules-tester');
    assert.deepEqual(watched.takeFaults(), []);
  });

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
    await sheet().locator('li[data-outcome=applied]', { hasText: 'Draft' }).waitFor();
    assert.match(await resultOf(), /\$7\.50/, 'the tested order is kept');
    await calculate().press('Enter');
    await bar('Ada Lindqvist', '$15.00', '+$5.00').waitFor();
    assert.equal(await bar('Kofi Mensah').count(), 0, 'only affiliates with a difference are listed');
    assert.deepEqual(
      [await fact('Commissions earned'), await fact('With this change'), await fact('Difference'), await fact('Orders')],
      ['$14.00 (10% of sales)', '$19.00 (13.6% of sales)', '+$5.00', '2'],
    );
    await checkAccessibility(page, 'the effect of a new rule');
    await calculate().scrollIntoViewIfNeeded();
    await takePictures(page, 'rules-draft');
    await sheet().getByLabel('Percentage').fill('20');
    await bar('Ada Lindqvist').waitFor({ state: 'detached' });
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
    await bar('Ada Lindqvist', '$12.50', '+$2.50').waitFor();
    await bar('Kofi Mensah', '$5.00', '+$1.00').waitFor();
    await sheet().getByRole('button', { name: 'Without this rule' }).press('Enter');
    await calculate().press('Enter');
    await bar('Ada Lindqvist', '$0.00', '−$10.00').waitFor();
    await checkAccessibility(page, 'the effect of a change of a rule');
    await calculate().scrollIntoViewIfNeeded();
    await takePictures(page, 'rules-change');
    const { body } = await app.service.request('GET', `${app.service.program.path}/commission-rules/${ruleId}`);
    assert.deepEqual([body.status, body.rate, body.version], ['active', 10, 1]);
    assert.deepEqual(await stored(), before);
    assert.deepEqual(watched.takeFaults(), []);
  });

  test('a change is saved as a new version, and a former one is restored', async () => {
    const versions = async () => (await app.service.request('GET', `${app.service.program.path}/commission-rules/${ruleId}`)).body;
    await sheet().getByRole('button', { name: 'Edit' }).click();
    await sheet().getByLabel('Percentage').fill('12');
    await sheet().getByRole('button', { name: 'Limits per order' }).press('Enter');
    await sheet().getByLabel('Maximum per order').fill('40');
    await sheet().getByRole('button', { name: 'Tiers' }).press('Enter');
    await sheet().getByLabel('Tier 1 from').fill('10');
    await sheet().getByLabel('Percentage of tier 1').fill('15');
    await sheet().getByRole('button', { name: 'Conditions', exact: true }).press('Enter');
    await sheet().getByRole('button', { name: 'All but these' }).press('Enter');
    await sheet().getByRole('button', { name: 'Save version' }).press('Enter');
    await sheet().getByText('Required').waitFor();
    await sheet()
      .getByRole('textbox', { name: 'Countries' })
      .or(sheet().getByRole('combobox', { name: 'Countries' }))
      .last()
      .click();
    await page.getByRole('option', { name: 'France' }).click();
    await page.keyboard.press('Escape');
    await sheet().getByLabel('Email 2 affiliates about the change').check();
    await sheet().getByRole('button', { name: 'Preview email' }).press('Enter');
    await sheet().getByText('Commission: 10% → from 12% for certain orders').waitFor();
    await sheet().getByText('Commission: 10% → from 12% for certain orders').scrollIntoViewIfNeeded();
    await checkAccessibility(page, 'editing a rule');
    await takePictures(page, 'rules-edit');
    await sheet().getByRole('button', { name: 'Save version' }).click();
    await sheet().getByRole('link', { name: 'Version 2' }).waitFor();
    const saved = await versions();
    assert.deepEqual([saved.version, saved.rate, saved.maxPerOrderCents, saved.versions[0].actor.name], [2, 12, 4000, 'Dana Calder']);
    assert.deepEqual(saved.tiers, [{ metric: 'conversions', period: 'month', from: 10, rate: 15 }]);
    assert.deepEqual(saved.conditions, [{ field: 'country', operator: 'not_in', value: ['FR'] }]);
    await app.service.drain();
    const { rows } = await app.service.pool.query(`select count(*)::int as written from emails where kind = 'rate_changed'`);
    assert.deepEqual(rows, [{ written: 2 }]);
    await sheet().getByText('Percentage: 10% → 12%').waitFor();
    await sheet().getByText('Country list: – → France').waitFor();
    await sheet().getByText('Tiers: – → from 10: 15%').waitFor();
    await checkAccessibility(page, 'the history of a rule');
    await takePictures(page, 'rules-history');
    await sheet().getByRole('button', { name: 'Restore version 1' }).press('Enter');
    await page.getByRole('button', { name: 'Restore', exact: true }).last().click();
    await sheet().getByRole('link', { name: 'Version 3' }).waitFor();
    const restored = await versions();
    assert.deepEqual([restored.version, restored.rate, restored.tiers, restored.maxPerOrderCents], [3, 10, [], null]);
    assert.deepEqual(watched.takeFaults(), []);
  });

  test('is shown in German', async () => {
    await app.context.addCookies([{ name: 'trb-language', value: 'de', url: app.origin }]);
    await page.goto(`${app.origin}/console/${app.service.program.programId}/rules?rule=${ruleId}`);
    await sheet().getByRole('button', { name: 'Ohne diese Regel' }).press('Enter');
    await sheet().getByRole('button', { name: 'Berechnen' }).press('Enter');
    await bar('Ada Lindqvist').waitFor();
    await checkAccessibility(page, 'a rule in German');
    await sheet().getByRole('button', { name: 'Berechnen' }).scrollIntoViewIfNeeded();
    await takePictures(page, 'rules-german');
    assert.deepEqual(watched.takeFaults(), []);
  });
});
