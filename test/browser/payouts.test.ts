// Decisions about payouts in the console: a batch that is rejected, one that is paid from a file, and a difference from the
// provider's records that locks all payouts until it is resolved. With SCREENSHOTS=1: pictures in .tributary/screens.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { followUp } from '../../server/paying/payouts/send/follow-up.ts';
import { anAffiliate, anOrder, aRule } from '../support/builders.ts';
import type { TestMember, TestProgram } from '../support/harness.ts';
import { anExternalProvider, aPayee, aRail } from '../support/payees.ts';
import { checkAccessibility, checkWidth } from '../support/screens/checks.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { waitForScreen } from '../support/screens/watched-page.ts';

const folder = join(import.meta.dirname, '..', '..', '.tributary', 'screens');

describe('payouts in the console', () => {
  let app: Console;
  let page: Page;
  let rail: Awaited<ReturnType<typeof aRail>>;

  before(async () => {
    mkdirSync(folder, { recursive: true });
    app = await openConsole();
    rail = await aRail(app.service);
    page = await app.context.newPage();
    page.setDefaultTimeout(60_000);
  });
  after(async () => {
    await app?.close();
    await rail?.close();
  });

  /** A program in which two affiliates are due 100.00 and 200.00, opened by its owner. */
  async function prepare(name: string, settings: object, isAutomatic: boolean) {
    const { service } = app;
    const program = await service.newProgram(name);
    if (isAutomatic) await anExternalProvider(service, rail.url, program);
    const changed = await service.request('PATCH', program.path, { key: program.key, body: { minimumPayoutCents: 0, ...settings } });
    assert.equal(changed.status, 200, changed.text);
    await aRule(service, { rate: 10 }, program);
    for (const amountCents of [100_000, 200_000]) {
      const { id } = isAutomatic ? await aPayee(service, program) : await anAffiliate(service, { status: 'active' }, program);
      await anOrder(service, { affiliateId: id, amountCents }, program);
    }
    service.clock.advance({ days: 31 });
    await app.context.clock.setFixedTime(service.clock.now());
    const finn = await service.asMember('finance', { name: 'Finn Okafor', program });
    await app.signInAs(await service.asMember('owner', { name: 'Dana Calder', program }));
    return { program, finn };
  }
  const dispatch = async ({ program, finn }: { program: TestProgram; finn: TestMember }): Promise<string> => {
    const { status, body, text } = await finn.request('POST', `${program.path}/payouts/dispatch`, { body: { note: 'October' } });
    assert.equal(status, 201, text);
    return body.batch.id;
  };
  const open = async ({ programId }: TestProgram, path: string) => {
    await page.goto(`${app.origin}/console/${programId}/${path}`);
    await waitForScreen(page);
  };
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  /** Both schemes and three widths: nothing scrolls sideways, and nothing is inaccessible. */
  const look = async (name: string) => {
    for (const width of [390, 820, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await checkWidth(page, `${name}, ${width} px`);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        if (process.env.SCREENSHOTS)
          await page.screenshot({ path: join(folder, `payouts-${name}-${colorScheme}-${width}.png`), fullPage: true });
      }
      await page.emulateMedia({ colorScheme: 'light' });
    }
    await checkAccessibility(page, name);
  };

  test('a second person rejects a batch with a reason, which the first one reads', async () => {
    const prepared = await prepare('Careful Shores', { payoutApprovalCents: 100 }, true);
    const batchId = await dispatch(prepared);
    await open(prepared.program, `payouts/batches/${batchId}`);
    await page.getByText('Finn Okafor prepared this batch.').waitFor();
    await look('to-approve');
    await button('Reject').click();
    const sheet = page.getByRole('dialog', { name: 'Reject this batch' });
    await sheet.getByRole('button', { name: 'Reject 2 payouts' }).click();
    await sheet.getByText('Enter a reason').waitFor();
    await sheet.getByLabel('Reason').fill('The October refunds are missing');
    await sheet.getByRole('button', { name: 'Reject 2 payouts' }).click();
    await page.getByText('2 payouts rejected').first().waitFor();
    await page.getByText('Not paid').first().waitFor();
    assert.equal(rail.payments().length, 0);
    await app.signInAs(await app.service.signIn(prepared.finn.userId));
    await open(prepared.program, 'payouts?view=payouts&status=cancelled');
    assert.equal(await page.locator('[data-row]').filter({ hasText: 'The October refunds are missing' }).count(), 2);
    await open(prepared.program, 'payouts');
    await button('Pay 2 affiliates $300.00').waitFor();
  });

  test('a batch is paid from a downloaded file: one payout is cancelled, the other one marked as paid', async () => {
    const prepared = await prepare('Manual Shores', {}, false);
    const batchId = await dispatch(prepared);
    await open(prepared.program, `payouts/batches/${batchId}`);
    await button('Payment file').click();
    const saved = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'CSV', exact: true }).click();
    const file = readFileSync(await (await saved).path(), 'utf8');
    assert.match(file, /100\.00/);
    assert.match(file, /200\.00/);
    await page.getByText('In a downloaded payment file.').waitFor();
    await page.locator('[data-row]').filter({ hasText: '$100.00' }).getByRole('link').click();
    const sheet = page.getByRole('dialog');
    await sheet.getByRole('button', { name: 'Cancel payout' }).click();
    await sheet.getByRole('button', { name: 'Cancel payout' }).click();
    await sheet.getByText('Check with the provider first, then confirm it here').waitFor();
    await sheet.getByLabel(/I checked with the provider/).check();
    await sheet.getByRole('button', { name: 'Cancel payout' }).click();
    await page.getByText('Payout cancelled').first().waitFor();
    await page.keyboard.press('Escape');
    await button('Mark as paid').click();
    const mark = page.getByRole('dialog', { name: 'Mark as paid' });
    await mark.getByLabel('Reference').fill('Wire 2026-04-01');
    await mark.getByRole('button', { name: 'Mark 1 payout as paid, $200.00' }).click();
    await page.getByText('1 payout marked as paid').first().waitFor();
    await page.getByText('Partly paid').first().waitFor();
    await page.locator('[data-row]').filter({ hasText: 'Wire 2026-04-01' }).waitFor();
    const { body } = await app.service.request('GET', `${prepared.program.path}/payouts/batches/${batchId}`, { key: prepared.program.key });
    assert.deepEqual([body.paidCents, body.totalCents], [20_000, 30_000]);
    const journal = page.waitForEvent('download');
    await button('Journal (CSV)').click();
    const lines = readFileSync(await (await journal).path(), 'utf8')
      .trim()
      .split('\n');
    assert.equal(lines.length, 1 + 4, 'two reserved, one released, one paid');
    await look('journal');
    await open(prepared.program, 'payouts?view=batches&amountMinCents=30001');
    await page.getByText('Nothing matches these filters.').first().waitFor();
    await open(prepared.program, 'payouts?view=batches&amountMinCents=30000&amountMaxCents=30000');
    await page.locator('[data-row]').filter({ hasText: '$300.00' }).waitFor();
  });

  test('a difference locks all payouts until it is explained, and the records match again', async () => {
    const prepared = await prepare('Exact Shores', {}, true);
    rail.setMode((request) => (request === 0 ? 'wrong_amount' : 'pay'));
    await dispatch(prepared);
    for (let round = 0; round < 4; round += 1) {
      await followUp(app.service.ctx, prepared.program.programId);
      app.service.clock.advance({ minutes: 5 });
    }
    await open(prepared.program, 'payouts/reconcile');
    await button('Compare now').click();
    await page.getByText('1 difference is open').first().waitFor();
    const difference = page.getByRole('article', { name: 'Another amount' });
    await difference.getByText(/Our bank paid \$\d+\.01, but the payout is \$\d+\.00\./).waitFor();
    await page.getByRole('region', { name: 'Payouts are locked' }).waitFor();
    await look('difference');
    await open(prepared.program, 'payouts');
    await page.getByText('Payouts are locked').first().waitFor();
    assert.equal(await button(/^Pay \d/).count(), 0);
    await page.getByRole('link', { name: 'Reconcile payouts' }).click();
    await page.getByRole('button', { name: 'Resolve', exact: true }).click();
    const sheet = page.getByRole('dialog', { name: 'Another amount' });
    await sheet.getByLabel('What happened').fill('The bank rounded up, and keeps the cent');
    await sheet.getByRole('button', { name: 'Resolve difference' }).click();
    await page.getByText('No difference is open.').waitFor();
    await button('Compare now').click();
    await page.getByText('All payouts match to the cent').waitFor();
    assert.equal(await page.getByRole('region', { name: 'Payouts are locked' }).count(), 0);
    await button('Resolved').click();
    await page.getByText('The bank rounded up, and keeps the cent').waitFor();
  });
});
