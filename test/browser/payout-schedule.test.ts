// The payout schedule in the console: it is switched on, says what its next batch contains, and its batch is approved, in German too.
// With SCREENSHOTS=1: pictures in .tributary/screens.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { runSchedule } from '../../server/paying/payouts/schedule/run.ts';
import type { TestMember } from '../support/harness.ts';
import { aScheduledProgram, type ScheduledProgram } from '../support/payday/scheduled.ts';
import { checkAccessibility } from '../support/screens/checks.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { takePictures } from '../support/screens/pictures.ts';
import { waitForScreen } from '../support/screens/watched-page.ts';

describe('the payout schedule', () => {
  let app: Console;
  let page: Page;
  let own: ScheduledProgram;
  let dana: TestMember;

  before(async () => {
    app = await openConsole();
    own = await aScheduledProgram(app.service);
    await own.earn(40_000);
    // Batches from $10 on need a second person.
    const { status, text } = await own.send('PATCH', '', { payoutApprovalCents: 1000 });
    assert.equal(status, 200, text);
    await app.context.clock.setFixedTime(app.service.clock.now());
    dana = await app.service.asMember('owner', { name: 'Dana Calder', program: own.program });
    await app.signInAs(dana);
    page = await app.context.newPage();
    page.setDefaultTimeout(60_000);
    await open('settings/payout-schedule');
  });
  after(() => app?.close());

  const open = async (path: string) => {
    await page.goto(`${app.origin}/console/${own.program.programId}/${path}`);
    await waitForScreen(page);
  };

  test('says at the field what is wrong', async () => {
    await page.getByText('Payouts are not prepared automatically.').waitFor();
    await page.getByRole('textbox', { name: 'Day of the month' }).fill('32');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('1 to 31').first().waitFor();
    await checkAccessibility(page, 'payout schedule with an error');
  });

  test('is switched on, and says what the next batch contains', async () => {
    await page.getByRole('textbox', { name: 'Day of the month' }).fill('15');
    await page.getByRole('switch', { name: 'Prepare payouts automatically' }).check();
    await page.getByRole('textbox', { name: 'Holidays' }).fill('2026-12-25\n2026-12-28');
    await page.getByRole('button', { name: 'Save changes' }).click();
    // The 15th is a Sunday.
    await page.getByText('16 Mar: $40.00 to 1 affiliate.').waitFor();
    const { isActive, dayOfMonth, holidays, next } = await own.get('/payouts/schedule');
    assert.deepEqual([isActive, dayOfMonth, holidays, next.payOn], [true, 15, ['2026-12-25', '2026-12-28'], '2026-03-16']);
  });

  test('prepares a batch that the member who switched it on can’t approve, but another one can', async () => {
    await own.moveToPayday();
    await runSchedule(app.service.ctx, own.program.programId);
    const [{ id, status }] = await own.listBatches();
    assert.equal(status, 'awaiting_approval');
    await app.context.clock.setFixedTime(app.service.clock.now());
    const approve = page.getByRole('button', { name: 'Approve $40.00' });
    // The session has expired on the way to the payday.
    await app.signInAs(await app.service.signIn(dana.userId));
    await open(`payouts/batches/${id}`);
    await page.getByText('The payout schedule prepared this batch.', { exact: false }).waitFor();
    await approve.click();
    await page.getByText('Another member can approve it sooner.', { exact: false }).waitFor();
    await checkAccessibility(page, 'a batch of the schedule');
    await takePictures(page, 'payout-schedule-batch', [1440, 390]);
    assert.equal((await own.listBatches())[0].status, 'awaiting_approval');
    await app.signInAs(await app.service.asMember('finance', { name: 'Tom Ruiz', program: own.program }));
    await open(`payouts/batches/${id}`);
    await approve.click();
    await page.getByText('Approved: $40.00').waitFor();
    const [approved] = await own.listBatches();
    assert.notEqual(approved.status, 'awaiting_approval');
  });

  test('is shown in German', async () => {
    await app.context.addCookies([{ name: 'trb-language', value: 'de', url: app.origin }]);
    await open('settings/payout-schedule');
    await page.getByText('Die Sammelauszahlung vom 16. März wurde vorbereitet.', { exact: false }).waitFor();
    await checkAccessibility(page, 'payout schedule in German');
    await takePictures(page, 'payout-schedule-german', [1440, 390]);
  });
});
