// The customers of a program in the console: found by their id, with the reason of their binding and their sign-ups. The
// binding is ended with a reason, and a sign-up is rejected. A rule pays for leads, which the screen of their affiliate
// lists. With SCREENSHOTS=1: pictures in .tributary/screens.
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

describe('the customers of a program', () => {
  let app: Console;
  let watched: Watched;
  let page: Page;
  let leadId: string;
  let adaId: string;

  before(async () => {
    mkdirSync(folder, { recursive: true });
    app = await openConsole();
    const { service } = app;
    const ada = await anAffiliate(service, { firstName: 'Ada', lastName: 'Lindqvist', status: 'active' });
    adaId = ada.id;
    await aRule(service, {});
    await aRule(service, { name: 'Sign-ups', event: 'lead', type: 'flat', amountCents: 500 });
    const customer = { externalId: 'c-77', email: 'buyer@example.com' };
    const body = { externalId: 'signup-1', name: 'Newsletter', referralCode: ada.referralCode, customer };
    const lead = await service.request('POST', '/v1/leads', { body });
    assert.equal(lead.status, 201, lead.text);
    leadId = lead.body.id;
    await anOrder(service, { orderId: 'FF-1', amountCents: 12_000, customer });
    for (const index of [1, 2, 3]) await anOrder(service, { affiliateId: ada.id, customer: { externalId: `c-8${index}` } });
    await anOrder(service, { affiliateId: ada.id, customer: { email: 'guest@example.com' } });
    await app.signInAs(await service.asMember('owner', { name: 'Dana Calder' }));
    watched = await watchPage(app.context, app.origin);
    page = watched.page;
    page.setDefaultTimeout(60_000);
    await page.goto(`${app.origin}/console/${service.program.programId}/customers`);
    await waitForScreen(page);
  });
  after(() => app?.close());

  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const sheet = () => page.getByRole('dialog');
  const read = async (path: string) => (await app.service.request('GET', `${app.service.program.path}${path}`)).body;

  test('one is found by their id or email address, and shows what bound them', async () => {
    await page.getByText('c-83').first().waitFor();
    await page.getByRole('searchbox', { name: 'Whole customer ID or email address' }).fill('buyer@example.com');
    await page.getByText('c-83').first().waitFor({ state: 'detached' });
    await page.getByText('c-77').first().click();
    await sheet().getByText('Sign-up · referral code').waitFor();
    await sheet().getByText('Newsletter').waitFor();
    await sheet().getByText('Bound to Ada Lindqvist by a sign-up').waitFor();
    await waitForScreen(page);
    await checkAppearances(page, 'customer-sheet');
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  test('is unbound with a reason', async () => {
    await sheet().getByRole('button', { name: 'Unbind', exact: true }).click();
    await sheet().getByLabel('Reason').fill('Bought in the store before');
    await checkAccessibility(page, 'the form of a binding');
    if (process.env.SCREENSHOTS) await page.screenshot({ path: join(folder, 'customer-form.png') });
    await button('Unbind customer').click();
    await sheet().getByText('Bought in the store before').waitFor();
    await sheet().getByText('Not bound').waitFor();
    const { customers } = await read('/customers?externalId=c-77');
    assert.equal(customers[0].affiliateId, null);
  });

  test('their sign-up is rejected after a confirmation', async () => {
    await sheet().getByRole('button', { name: 'Reject' }).click();
    await page.getByRole('dialog', { name: 'Reject this sign-up?' }).getByRole('button', { name: 'Reject' }).click();
    await sheet().getByText('Rejected').waitFor();
    assert.equal((await read(`/leads/${leadId}`)).status, 'rejected');
    assert.deepEqual(watched.takeFaults(), []);
  });

  test('a rule for leads is added with what it pays, and archived', async () => {
    const rules = `${app.origin}/console/${app.service.program.programId}/rules`;
    await page.goto(rules);
    await waitForScreen(page);
    await button('Add rule').first().click();
    await sheet().getByLabel('Name').fill('Webinar');
    await button('Per lead').click();
    await button('Add rule').last().click();
    await sheet().getByText('Required').first().waitFor();
    await sheet().getByRole('textbox', { name: 'Amount' }).fill('7.50');
    await checkAccessibility(page, 'a new rule');
    if (process.env.SCREENSHOTS) await page.screenshot({ path: join(folder, 'rule-form.png') });
    await button('Add rule').last().click();
    await page.getByText('$7.50 per lead').waitFor();
    const { commissionRules } = await read('/commission-rules?search=webinar');
    const [{ event, type, amountCents, groupId }] = commissionRules;
    assert.deepEqual([event, type, amountCents, groupId], ['lead', 'flat', 750, null]);
    await checkAppearances(page, 'rules');
    await page.setViewportSize({ width: 1440, height: 900 });
    await button('Archive: Webinar').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
    await page.getByText('$7.50 per lead').waitFor({ state: 'detached' });
  });

  test('the leads of an affiliate are listed apart from their orders, with what each earns', async () => {
    const { service } = app;
    const path = `${app.origin}/console/${service.program.programId}/affiliates/${adaId}`;
    await service.request('POST', '/v1/leads', { body: { externalId: 'signup-2', affiliateId: adaId, customer: { externalId: 'c-78' } } });
    await page.goto(`${path}?tab=leads`);
    await page.getByText('signup-2').first().waitFor();
    await page.getByText('$5.00').first().waitFor();
    await checkAppearances(page, 'affiliate-leads');
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${path}?tab=commissions`);
    await page.getByText('$5.00 per lead').first().waitFor();
    await page.goto(path);
    await page.getByText('A lead', { exact: true }).waitFor();
    await page.getByText('$5.00 per lead').waitFor();
    if (!process.env.SCREENSHOTS) return;
    await page.getByText('$5.00 per lead').scrollIntoViewIfNeeded();
    await page.screenshot({ path: join(folder, 'affiliate-lead-rate.png') });
    await app.context.addCookies([{ name: 'trb-language', value: 'de', url: app.origin }]);
    for (const [name, url] of [
      ['rules-de', `${app.origin}/console/${service.program.programId}/rules`],
      ['customers-de', `${app.origin}/console/${service.program.programId}/customers`],
      ['affiliate-leads-de', `${path}?tab=leads`],
    ] as const) {
      await page.goto(url);
      await waitForScreen(page);
      await page.screenshot({ path: join(folder, `${name}.png`) });
    }
    await page.goto(`${app.origin}/console/${service.program.programId}/customers`);
    await page.getByText('c-83').first().click();
    await sheet().waitFor();
    await waitUntilStill(page);
    await page.screenshot({ path: join(folder, 'customer-sheet-de.png') });
  });
});
