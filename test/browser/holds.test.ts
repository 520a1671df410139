// A commission on hold says so on both sides, and leads to the decision.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { anAffiliate, anOrder, aRule } from '../support/builders.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { waitForScreen } from '../support/screens/watched-page.ts';

describe('a commission on hold', () => {
  let app: Console;
  let page: Page;
  let order: { id: string };
  let ada: { id: string; email: string };
  before(async () => {
    app = await openConsole();
    const { service } = app;
    await aRule(service, { rate: 10 });
    ada = await anAffiliate(service, { status: 'active', firstName: 'Ada', lastName: 'Lindqvist', email: 'ada@example.com' });
    const leo = await anAffiliate(service, { status: 'active', firstName: 'Leo', lastName: 'Brandt', email: 'leo@example.com' });
    await anOrder(service, { orderId: 'FF-0', affiliateId: leo.id, amountCents: 5000, customer: { email: leo.email } });
    order = await anOrder(service, { orderId: 'FF-1', affiliateId: ada.id, amountCents: 6420, customer: { email: ada.email } });
    page = await app.context.newPage();
    page.setDefaultTimeout(60_000);
  });
  after(() => app?.close());

  test('leads from the order to the alert that holds it', async () => {
    await app.signInAs(await app.service.asMember('owner', { name: 'Dana Calder' }));
    await page.goto(`${app.origin}/console/${app.service.program.programId}/conversions/${order.id}`);
    await waitForScreen(page);
    await page.getByRole('link', { name: 'Decide the fraud alert' }).click();
    await page.waitForURL(/\/review\?/);
    await page.getByRole('heading', { name: 'FF-1' }).waitFor();
  });

  test('is explained on the first screen of the portal', async () => {
    await app.signInAs(await app.service.asAffiliate(ada));
    await page.goto(`${app.origin}/portal/${app.service.program.programId}`);
    await waitForScreen(page);
    await page.getByText('$6.42 is on hold while it is being checked.').waitFor();
    assert.equal(await page.getByText('Nothing is waiting to be paid.').count(), 0);
  });
});
