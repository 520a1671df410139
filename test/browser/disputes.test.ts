// Disputes in the console: a commission on hold leads to its dispute, a lost one reverses it and a won one restores it; a
// commission leads to the version of the rule that it was calculated with.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { anAffiliate, anOrder, aRule } from '../support/builders.ts';
import { checkAppearances } from '../support/screens/appearances.ts';
import { checkAccessibility } from '../support/screens/checks.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { type Watched, waitForScreen, watchPage } from '../support/screens/watched-page.ts';

describe('the disputes of an order', () => {
  let app: Console;
  let watched: Watched;
  let page: Page;
  let base: string;
  let order: { id: string };

  before(async () => {
    app = await openConsole();
    const { service } = app;
    const rule = await aRule(service, { name: 'Everyone', rate: 10 });
    const ada = await anAffiliate(service, { firstName: 'Ada', lastName: 'Lindqvist', status: 'active' });
    order = await anOrder(service, { orderId: 'FF-1', affiliateId: ada.id, amountCents: 12_000 });
    const changed = await service.request('PATCH', `${service.program.path}/commission-rules/${rule}`, { body: { rate: 20 } });
    assert.equal(changed.status, 200, changed.text);
    await app.signInAs(await service.asMember('owner', { name: 'Dana Calder' }));
    watched = await watchPage(app.context, app.origin);
    page = watched.page;
    page.setDefaultTimeout(60_000);
    base = `${app.origin}/console/${service.program.programId}`;
  });
  after(() => app?.close());

  const sheet = () => page.getByRole('dialog');
  const card = () => page.getByRole('region', { name: 'Disputes', exact: true });
  const findCommission = async () => (await app.service.request('GET', `${app.service.program.path}/commissions`)).body.commissions[0];
  const findDisputes = async () => (await app.service.request('GET', `${app.service.program.path}/disputes`)).body.disputes;

  test('a member records one; it holds the commission, whose sheet leads back to it', async () => {
    await page.goto(`${base}/conversions/${order.id}`);
    await waitForScreen(page);
    await card().getByText('No disputes').waitFor();
    await card().getByRole('button', { name: 'Record a dispute' }).click();
    await sheet().getByText('On hold: the customer disputes the payment').waitFor();
    await sheet().getByRole('button', { name: 'Record dispute' }).click();
    await sheet().locator('[aria-invalid=true]').waitFor();
    assert.equal(watched.takeFaults().length, 1, 'the browser logs the rejected form');
    await sheet().getByLabel('Dispute ID').fill('dp_1');
    await sheet().getByLabel('Disputed amount').fill('60');
    await checkAccessibility(page, 'the form of a dispute');
    await sheet().getByRole('button', { name: 'Record dispute' }).click();
    await card().getByText('Open', { exact: true }).waitFor();
    const [dispute] = await findDisputes();
    assert.deepEqual([dispute.disputeId, dispute.status, dispute.amountCents, dispute.conversionId], ['dp_1', 'opened', 6000, order.id]);
    const commission = await findCommission();
    assert.equal(commission.status, 'held');
    await page.goto(`${base}/commissions?commission=${commission.id}`);
    await sheet().getByText('On hold because of a dispute').waitFor();
    await sheet().getByRole('link', { name: 'Open the dispute' }).click();
    await card().getByText('Open', { exact: true }).waitFor();
    await checkAppearances(page, 'order-dispute');
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  test('lost, it reverses the commission in proportion; won after all, the commission is restored', async () => {
    await card().getByRole('button', { name: 'Mark as lost' }).click();
    await sheet().getByText('Reversed on the day of the report').waitFor();
    await sheet().getByRole('button', { name: 'Mark as lost' }).click();
    await card().getByText('Lost', { exact: true }).waitFor();
    const lost = await findCommission();
    assert.deepEqual([lost.status, lost.reversedCents], ['pending', 600]);
    await page.getByRole('region', { name: 'Refunds' }).getByText('−$6.00').waitFor();
    await card().getByRole('button', { name: 'Mark as won' }).click();
    await sheet().getByRole('button', { name: 'Mark as won' }).click();
    await card().getByText('Won', { exact: true }).waitFor();
    assert.equal((await findCommission()).reversedCents, 0);
    const { rows } = await app.service.pool.query(
      `select "after" ->> 'status' as status from audit_log where action = 'dispute.reported' order by created_at`,
    );
    assert.deepEqual(
      rows.map(({ status }) => status),
      ['opened', 'lost', 'won'],
    );
  });

  test('a commission leads to the version of its rule, although the rule has changed since', async () => {
    const commission = await findCommission();
    await page.goto(`${base}/commissions?commission=${commission.id}`);
    await sheet().getByRole('link', { name: 'Everyone (version 1)' }).click();
    await sheet().getByText('Version 1 of 2').waitFor();
    await sheet().getByText('10%').first().waitFor();
    await checkAppearances(page, 'rule-version');
    await page.setViewportSize({ width: 1440, height: 900 });
    await sheet().getByRole('link', { name: 'Version 2' }).click();
    await sheet().getByText('Version 2 of 2').waitFor();
    await sheet().getByText('20%').first().waitFor();
    assert.deepEqual(watched.takeFaults(), []);
  });
});
