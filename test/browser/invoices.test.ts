// From the legal details of a program to the PDF: an owner enters them, an affiliate agrees on a phone, a payout is paid, and
// both download its invoice. Tax files are downloaded next to the totals of the year.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { anAffiliate } from '../support/builders.ts';
import { storeRate } from '../support/money/invoices.ts';
import { readPdfText } from '../support/money/pdf-text.ts';
import { checkAccessibility } from '../support/screens/checks.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { takePictures } from '../support/screens/pictures.ts';
import { waitForScreen } from '../support/screens/watched-page.ts';

describe('invoices', () => {
  let app: Console;
  let page: Page;
  let ada: { id: string; email: string };
  before(async () => {
    app = await openConsole();
    ada = await anAffiliate(app.service, { status: 'active', firstName: 'Ada', lastName: 'Lindqvist', email: 'ada@example.com' });
    await app.signInAs(await app.service.asMember('owner', { name: 'Dana Calder' }));
    page = await app.context.newPage();
    page.setDefaultTimeout(60_000);
  });
  after(() => app?.close());

  const open = async (path: string) => {
    await page.goto(`${app.origin}${path}`);
    await waitForScreen(page);
  };
  const console = (path: string) => open(`/console/${app.service.program.programId}${path}`);
  const send = async (path: string, body: object) => {
    const { service } = app;
    const answer = await service.request('POST', `${service.program.path}/${path}`, { body });
    assert.ok(answer.status < 300, answer.text);
    return answer.body;
  };
  const save = async (click: () => Promise<void>) => {
    const [file] = await Promise.all([page.waitForEvent('download'), click()]);
    return { name: file.suggestedFilename(), content: readFileSync(await file.path()) };
  };

  test('are set up by an owner, who sees at its field what is missing', async () => {
    await console('/settings/invoices');
    await page.getByLabel('Issue an invoice for each paid payout').check();
    await page.getByLabel('Legal name').fill('Fern & Field GmbH');
    await page.getByLabel('Street and number').fill('Lindenstraße 4');
    await page.getByLabel('City').fill('Berlin');
    await page.getByLabel('Country', { exact: true }).selectOption('DE');
    await page.getByLabel('Start of invoice numbers').fill('FF');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('VAT ID').waitFor();
    await page.getByLabel('VAT ID').fill('DE811907980');
    await page.getByLabel('VAT rate in your country').fill('19');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Issuer of invoices saved').waitFor();
    await checkAccessibility(page, 'the issuer of invoices');
  });

  test('are agreed to by an affiliate in the portal, and downloaded after the payout', async () => {
    await app.signInAs(await app.service.asAffiliate(ada));
    await page.setViewportSize({ width: 390, height: 844 });
    const portal = `/portal/${app.service.program.programId}/invoices`;
    await open(portal);
    await page.getByRole('button', { name: 'Agree to invoices' }).click();
    const sheet = page.getByRole('dialog');
    await sheet.getByLabel('Name or company').fill('Ada Lindqvist');
    await sheet.getByLabel('Street and number').fill('Hauptstraße 7');
    await sheet.getByLabel('City').fill('Bonn');
    await sheet.getByLabel('Country').selectOption('DE');
    await sheet.getByRole('button', { name: 'Agree to invoices' }).click();
    await sheet.getByText('Required', { exact: true }).waitFor();
    await sheet.getByLabel('I agree that Fern & Field GmbH').check();
    await sheet.getByRole('button', { name: 'Agree to invoices' }).click();
    await sheet.getByLabel('Tax number').and(page.locator(':focus')).waitFor();
    await sheet.getByLabel('Tax number').fill('205/5000/1234');
    await checkAccessibility(page, 'the agreement to invoices');
    await sheet.getByRole('button', { name: 'Agree to invoices' }).click();
    await page.getByText('Your next payout has the first invoice.').waitFor();
    await send('commissions', { affiliateId: ada.id, amountCents: 11_900, note: 'Bonus' });
    await storeRate(app.service, app.service.program, { rate: '1.25' });
    const { batch } = await send('payouts/dispatch', { minimumPayoutCents: 0 });
    await send(`payouts/batches/${batch.id}/mark-paid`, {});
    await open(portal);
    await page.getByText('FF-2026-0001').waitFor();
    const { name, content } = await save(() => page.getByRole('button', { name: 'Download PDF' }).click());
    const text = readPdfText(content).join(' ');
    assert.equal(name, 'FF-2026-0001.pdf');
    for (const part of ['Ada Lindqvist', '205/5000/1234', '$100.00', '$19.00', '€15.20', '$119.00']) assert.ok(text.includes(part), part);
  });

  test('are shown with the affiliate and in the list of all, their VAT and tax files with the totals of the year', async () => {
    await app.signInAs(await app.service.asMember('owner', { name: 'Dana Calder' }));
    await page.setViewportSize({ width: 1280, height: 900 });
    await console(`/affiliates/${ada.id}?tab=payouts`);
    const { name } = await save(() => page.getByRole('listitem').filter({ hasText: 'FF-2026-0001' }).getByRole('button').click());
    assert.equal(name, 'FF-2026-0001.pdf');
    await console('/payouts?view=invoices');
    await page.getByRole('link', { name: 'FF-2026-0001' }).waitFor();
    await checkAccessibility(page, 'the list of invoices');
    await takePictures(page, 'invoices');
    await page.getByRole('link', { name: 'FF-2026-0001' }).click();
    const invoice = page.getByRole('dialog');
    await invoice.getByText('$19.00').waitFor();
    await invoice.getByText('€15.20 (1 EUR = 1.25 USD').waitFor();
    assert.equal((await save(() => invoice.getByRole('button', { name: 'Download PDF' }).click())).name, 'FF-2026-0001.pdf');
    await page.setViewportSize({ width: 1440, height: 900 });
    await console('/settings/data');
    const vat = page.getByRole('region', { name: 'By VAT' });
    await vat.scrollIntoViewIfNeeded();
    await takePictures(page, 'invoices-vat');
    assert.match(await vat.getByRole('row', { name: 'With VAT, domestic' }).innerText(), /100\.00\s+\$19\.00\s+€15\.20\s+\$119\.00/);
    const totals = page.getByLabel('Totals per affiliate').first();
    const beyond = await totals.evaluate((table) => {
      let most = 0;
      for (let each = table.parentElement; each !== null; each = each.parentElement)
        most = Math.max(most, each.scrollWidth - each.clientWidth);
      return most;
    });
    assert.equal(beyond, 0, 'nothing of the annual totals is only seen by scrolling sideways');
    await page.getByRole('button', { name: 'DAC7 report (XML)' }).click();
    const sheet = page.getByRole('dialog');
    await sheet.getByRole('button', { name: 'Download' }).click();
    await sheet.getByLabel('Country you report to').and(page.locator(':focus')).waitFor();
    await sheet.getByLabel('Country you report to').selectOption('DE');
    const report = await save(() => sheet.getByRole('button', { name: 'Download' }).click());
    assert.match(report.name, /^dac7-20\d\d\.xml$/);
    assert.match(report.content.toString(), /<DPI_OECD/);
    await page.getByRole('button', { name: 'Form 1099-NEC (CSV)' }).click();
    const form = await save(() => page.getByRole('dialog').getByRole('button', { name: 'Download' }).click());
    assert.match(form.content.toString(), /^Tax Year,Payer TIN/);
  });
});
