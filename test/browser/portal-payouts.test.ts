// An affiliate sees each payout with its state, and what is missing for the next one, and saves a receipt and the statement of
// the month.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { matureAll } from '../../server/earning/commissions/mature.ts';
import { anAffiliate, anOrder, aRule } from '../support/builders.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { waitForScreen } from '../support/screens/watched-page.ts';

describe('payouts in the portal', () => {
  let app: Console;
  let page: Page;
  let send: (path: string, body: object) => Promise<{ payouts: { id: string }[] }>;
  before(async () => {
    app = await openConsole();
    const { service } = app;
    send = async (path, body) => {
      const answer = await service.request('POST', `${service.program.path}/${path}`, { body });
      assert.ok(answer.status < 300, answer.text);
      return answer.body;
    };
    await aRule(service, { rate: 10 });
    const ada = await anAffiliate(service, { status: 'active', firstName: 'Ada', lastName: 'Lindqvist', email: 'ada@example.com' });
    await send(`affiliates/${ada.id}/payout-details`, { method: 'paypal', email: 'ada@payments.example' });
    await anOrder(service, { orderId: 'FF-1', affiliateId: ada.id, amountCents: 84_210 });
    service.clock.advance({ days: 40 });
    await matureAll(service.ctx);
    await app.context.clock.setFixedTime(service.clock.now());
    await app.signInAs(await service.asAffiliate(ada));
    page = await app.context.newPage();
    page.setDefaultTimeout(60_000);
    await page.setViewportSize({ width: 390, height: 844 });
  });
  after(() => app?.close());

  const open = async () => {
    await page.goto(`${app.origin}/portal/${app.service.program.programId}/payouts`);
    await waitForScreen(page);
  };
  const save = async (button: string) => {
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: button }).press('Enter')]);
    return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
  };

  test('say what happens next, and are saved as a receipt', async () => {
    await open();
    await page.getByText('No payouts yet').waitFor();
    await page.getByText('$84.21 is ready and comes with the next payout.').waitFor();
    const { payouts } = await send('payouts/dispatch', {});
    await open();
    await page.getByText('It is sent soon.').waitFor();
    await send(`payouts/${payouts[0]?.id}/mark-paid`, { reference: 'BANK-77' });
    await open();
    await page.getByText('$84.21').waitFor();
    await page.getByText('Reference BANK-77').waitFor();
    const { name, bytes } = await save('Receipt (PDF)');
    assert.match(name, /^receipt-\w{8}\.pdf$/);
    assert.equal(bytes.subarray(0, 5).toString(), '%PDF-');
  });

  test('are in the statement of the month', async () => {
    const { name, bytes } = await save('Download CSV');
    assert.match(name, /^statement-\d{4}-\d{2}\.csv$/);
    assert.match(bytes.toString(), /paid/);
    assert.equal((await save('Download PDF')).bytes.subarray(0, 5).toString(), '%PDF-');
  });

  test('name what is missing for the next one', async () => {
    const { service } = app;
    const leo = await anAffiliate(service, { status: 'active', firstName: 'Leo', lastName: 'Brandt', email: 'leo@example.com' });
    await anOrder(service, { orderId: 'FF-2', affiliateId: leo.id, amountCents: 50_000 });
    service.clock.advance({ days: 40 });
    await matureAll(service.ctx);
    await app.context.clock.setFixedTime(service.clock.now());
    await app.signInAs(await service.asAffiliate(leo));
    await open();
    await page.getByText('$50.00 is ready and comes with the next payout.').waitFor();
    await send('providers', { type: 'csv', name: 'Bank', isDefault: true });
    await open();
    await page.getByText('$50.00 is ready. Add your payout details to be paid.').waitFor();
    await page.getByRole('link', { name: 'Add payout details' }).waitFor();
    await send(`affiliates/${leo.id}/payout-details`, { method: 'paypal', email: 'leo@payments.example' });
    await service.pool.query(`update programs set tax_forms = 'required'`);
    await open();
    await page.getByText('$50.00 is ready. Submit your tax form to be paid.').waitFor();
    assert.equal(await page.getByRole('link', { name: 'Add payout details' }).count(), 0);
  });
});
