// A payday in the console, once with a pointer and once with the keyboard only: two people, 84 payouts through a simulated
// PayPal, of which one fails, one has an unknown outcome and one comes back, and a process that is killed while it sends. What
// the screen says at each moment agrees with PayPal's own records, the portals of three affiliates agree with it, and no
// affiliate is paid twice. Addresses are opened only after a sign-in. With SCREENSHOTS=1: pictures in .tributary/screens.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { checkInvariants } from '../../server/operations/verify/invariants.ts';
import { cloneDatabase } from '../support/harness.ts';
import { type PortalTexts, portalsAfter, portalsBefore, readPortals, watched } from '../support/payday/portal.ts';
import { money, type Payday, payees, preparePayday, summarizePaid, withoutDetails } from '../support/payday/program.ts';
import { startWorker, type Worker } from '../support/payday/worker.ts';
import { virtualNow, type WorkerOptions } from '../support/payout-worker.ts';
import { startPayPalSimulator } from '../support/rails/paypal.ts';
import { checkAccessibility } from '../support/screens/checks.ts';
import { type Input, inputs } from '../support/screens/input.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { waitForScreen } from '../support/screens/watched-page.ts';
import { until } from '../support/time/wait.ts';

const folder = join(import.meta.dirname, '..', '..', '.tributary', 'screens');
/** Whose payment is rejected, which request PayPal never answers clearly, and which ones are in flight at the kill. */
const [rejected, firstHanging, lanes, unclear] = [`pay${watched.failed}@mail.example`, 40, 4, payees - 1];
/** How fast the clock of the workers runs while they send, and while they wait for PayPal. */
const [sendingSpeed, waitingSpeed] = [60, 600];

for (const { name, create } of inputs)
  describe(`a payday, by ${name}`, () => {
    let database: Awaited<ReturnType<typeof cloneDatabase>>;
    let app: Console;
    let payday: Payday;
    let page: Page;
    let user: Input;
    let payPal: Awaited<ReturnType<typeof startPayPalSimulator>>;
    let options: WorkerOptions;
    let worker: Worker;
    let now = () => new Date();
    const vaultKey = randomBytes(32);

    before(async () => {
      mkdirSync(folder, { recursive: true });
      database = await cloneDatabase();
      app = await openConsole({ database: database.connection, vaultKey });
      const { service } = app;
      now = () => service.clock.now();
      payPal = await startPayPalSimulator({ now: () => now() });
      payday = await preparePayday(service, payPal.url);
      await app.context.clock.setFixedTime(service.clock.now());
      await app.signInAs(await service.signIn(payday.finn.userId));
      page = await app.context.newPage();
      page.setDefaultTimeout(60_000);
      user = create(page);
    });
    after(async () => {
      await worker?.kill();
      await app?.close();
      await payPal?.close();
      await database?.drop();
    });

    const shoot = async (step: string) => {
      if (process.env.SCREENSHOTS) await page.screenshot({ path: join(folder, `payday-${name}-${step}.png`), fullPage: true });
    };
    /** Opens the console after a sign-in. */
    const openConsoleHome = async () => {
      await page.goto(`${app.origin}/console/${app.service.program.programId}`);
      await waitForScreen(page);
    };
    /** Loads the screen again, in the session of another member. */
    const reload = async () => {
      await page.reload();
      await waitForScreen(page);
    };
    const goToPayouts = async () => {
      if (name === 'keyboard') for (const key of ['g', 'y']) await page.keyboard.press(key);
      else await user.press(page.getByRole('link', { name: 'Payouts', exact: true }).first());
      await page.waitForURL(/\/payouts$/);
      await waitForScreen(page);
    };
    /** Opens the batch from the history of payouts. */
    const goToBatch = async () => {
      await goToPayouts();
      await user.press(page.getByRole('tab', { name: 'Batches' }));
      await user.press(page.locator('[data-row]').first().getByRole('link').first());
      await progress().waitFor();
    };
    /** Affiliates read the same, whichever way the members used the console. */
    const checkPortals = async (expected: PortalTexts) => {
      if (name === 'pointer') assert.deepEqual(await readPortals(app, payday), expected);
    };
    const button = (name: string | RegExp) => page.getByRole('button', { name });
    const countBy = async (): Promise<Record<string, number>> => {
      const { rows } = await app.service.pool.query('select status, count(*)::int from payouts group by 1');
      return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
    };
    /** Sets the clocks of the service and of the page to the fast clock of the workers. */
    const synchronizeClocks = async () => {
      app.service.clock.advance({ seconds: (virtualNow(options.time).getTime() - app.service.clock.now().getTime()) / 1000 });
      await app.context.clock.setFixedTime(app.service.clock.now());
      // Money is moved only in a recent session.
      await app.signInAs(await app.service.signIn(payday.dana.userId));
    };
    /** Starts a process whose clock continues faster, so that PayPal is asked again soon. */
    const wait = async () => {
      options.time = { from: virtualNow(options.time).getTime(), startedAt: Date.now(), speed: waitingSpeed };
      worker = await startWorker(options);
    };
    const paidByPayPal = () => summarizePaid(payPal.payments());
    const progress = () => page.getByRole('region', { name: 'Progress' });
    /** Filters the batch by a state that one payout has, and opens it. Until the filtered rows are loaded, others are shown. */
    const openOnly = async (state: string) => {
      await user.press(progress().getByRole('button', { name: `1 payout ${state}` }));
      await user.press(page.locator('[data-row]').filter({ hasText: state }).getByRole('link').first());
    };

    test('before it, the portals of three affiliates say what is ready', async () => {
      await checkPortals(portalsBefore);
      await app.signInAs(await app.service.signIn(payday.finn.userId));
    });

    test('shows who can be paid and who can’t, and asks for missing payout details', async () => {
      await openConsoleHome();
      await goToPayouts();
      await button(`Pay ${payees} affiliates ${money(payday.totalCents)}`).waitFor();
      const missing = page.getByRole('region', { name: 'Missing payout details' });
      await missing.getByText(`${withoutDetails} affiliates, `).waitFor();
      await page.getByRole('region', { name: 'Below minimum' }).getByText('$15.00 below the minimum of $20.00').waitFor();
      await shoot('due');
      await user.press(missing.getByRole('button', { name: `Ask ${withoutDetails} affiliates by email` }));
      await page.getByText(`${withoutDetails} affiliates were asked by email`).first().waitFor();
      await missing.getByText('Asked now').first().waitFor();
      const { rows } = await app.service.pool.query(`select count(*)::int as count from emails where kind = 'payout_request'`);
      assert.deepEqual(rows, [{ count: withoutDetails }]);
    });

    test('a batch that changed since it was shown is not sent: the sheet says what changed', async () => {
      if (name === 'keyboard') await page.keyboard.press('c');
      else await user.press(button(/^Pay 84 affiliates/));
      const sheet = page.getByRole('dialog', { name: 'Pay affiliates' });
      await sheet.getByText(`${payees} affiliates, ${money(payday.totalCents)}`).waitFor();
      await shoot('affiliates');
      await user.press(sheet.getByRole('button', { name: 'Continue' }));
      await sheet.getByText('PayPal pays to PayPal accounts.').waitFor();
      await user.press(sheet.getByRole('button', { name: 'Continue' }));
      const pay = sheet.getByRole('button', { name: `Pay ${payees} affiliates ${money(payday.totalCents)}` });
      await pay.waitFor();
      await shoot('confirm');
      const refund = await app.service.request('POST', '/v1/refunds', { body: { refundId: 'late', orderId: 'PD-1', amountCents: 45_000 } });
      assert.equal(refund.status, 201, refund.text);
      await user.press(pay);
      payday.totalCents -= 4500;
      await sheet.getByText('The amounts changed. No payouts were sent.').waitFor();
      await sheet.getByText(/Payee01 Rivers.*: \$90\.00 is now \$45\.00/).waitFor();
      assert.deepEqual(await countBy(), {});
      await shoot('changed');
      await user.press(sheet.getByRole('button', { name: `Continue with ${money(payday.totalCents)}` }));
      await user.press(sheet.getByRole('button', { name: `Pay ${payees} affiliates ${money(payday.totalCents)}` }));
      await page.waitForURL(/\/payouts\/batches\/[0-9a-f-]{36}$/);
      await waitForScreen(page);
      await page.getByText('You prepared this batch.').waitFor();
      assert.equal(await button(/^Approve/).count(), 0);
      assert.deepEqual(await countBy(), { queued: payees });
      await shoot('awaiting');
      await checkPortals(portalsAfter.prepared);
    });

    test('a second person sees who prepared it, and approves it', async () => {
      await app.signInAs(await app.service.signIn(payday.dana.userId));
      await reload();
      await goToPayouts();
      await user.press(page.getByRole('link', { name: `${payees} payouts, ${money(payday.totalCents)}` }));
      await page.getByText('Finn Okafor prepared this batch. Nothing is sent before you approve it.').waitFor();
      assert.equal(payPal.payments().length, 0);
      await user.press(button(`Approve ${money(payday.totalCents)}`));
      await page.getByText('In progress').first().waitFor();
    });

    test('shows the progress while it is sent, even while the process that sends it is killed', async () => {
      const { service } = app;
      const time = { from: service.clock.now().getTime(), startedAt: Date.now(), speed: sendingSpeed };
      const { programId } = service.program;
      options = { connection: database.connection, vaultKey: vaultKey.toString('base64'), programId, time, callTimeoutMs: 60_000 };
      now = () => virtualNow(options.time);
      payPal.setMode((request, payee) => {
        if (payee === rejected) return 'reject';
        // Every repetition of the last payment fails, too.
        if (request >= unclear) return 'fail_before';
        return request >= firstHanging && request < firstHanging + lanes ? 'pay_then_hang' : 'pay';
      });
      worker = await startWorker(options);
      // The requests in flight have been paid, and are never answered.
      const inFlight = async () => payPal.payments().length === firstHanging + lanes - 1 && ((await countBy()).sending ?? 0) >= lanes;
      await until('PayPal answers no call', inFlight);
      await progress()
        .getByRole('button', { name: /^\d+ payouts Sending$/ })
        .waitFor();
      await progress().getByText('PayPal is being called now.').waitFor();
      await shoot('sending');
      await worker.kill();
      await wait();
      await until('every payout has been sent', async () => {
        const { queued = 0, sending = 0, sent = 0, unknown = 0 } = await countBy();
        return queued + sending + sent === 0 && unknown === 1;
      });
      await worker.end();
      assert.deepEqual(await countBy(), { paid: payees - 2, failed: 1, unknown: 1 });
      await synchronizeClocks();
      await reload();
      assert.equal(paidByPayPal().count, payees - 2);
      await progress()
        .getByRole('button', { name: `${paidByPayPal().count} payouts Paid` })
        .waitFor();
      await progress().getByRole('button', { name: '1 payout Failed' }).waitFor();
      await progress().getByText("PayPal hasn't confirmed it. We keep asking and never send it twice.").waitFor();
      await checkAccessibility(page, 'a batch with an unknown outcome');
      await shoot('sent');
      await checkPortals(portalsAfter.sent);
      await app.signInAs(await app.service.signIn(payday.dana.userId));
    });

    test('a payment that came back is found by the comparison with PayPal’s records', async () => {
      const affiliateId = payday.affiliateIds[watched.returned];
      const { rows } = await app.service.pool.query('select id from payouts where affiliate_id = $1', [affiliateId]);
      payPal.returnPayment(rows[0].id);
      await reload();
      await goToPayouts();
      await user.press(page.getByRole('link', { name: 'Reconcile' }).or(button('Reconcile')));
      await user.press(button('Compare now'));
      await page.getByText('Everything matches').first().waitFor();
      await page.getByText('All payouts match to the cent').waitFor();
      await page.getByText(paidByPayPal().text).first().waitFor();
      await shoot('compared');
      assert.deepEqual(await countBy(), { paid: payees - 3, failed: 1, returned: 1, unknown: 1 });
      await goToBatch();
      await user.press(progress().getByRole('button', { name: '1 payout Returned' }));
      await progress().getByText('The money came back. The amount is owed again').waitFor();
      await page.locator('[data-row]').filter({ hasText: 'Returned' }).first().waitFor();
      await checkPortals(portalsAfter.returned);
      await app.signInAs(await app.service.signIn(payday.dana.userId));
    });

    test('the provider is asked about the unknown payout, which is paid once', async () => {
      payPal.setMode('pay');
      await reload();
      await openOnly('Outcome unknown');
      const sheet = page.getByRole('dialog');
      await sheet.getByText(/PayPal hasn't confirmed this payout since .* never send it twice\./).waitFor();
      await shoot('unknown');
      await user.press(sheet.getByRole('button', { name: 'Ask the provider now' }));
      await page
        .getByText(/The provider's answer: (in transit|paid)/)
        .first()
        .waitFor();
      await user.press(sheet.getByRole('button', { name: 'Close' }));
      await wait();
      await until('the payout is paid', async () => (await countBy()).paid === payees - 2);
      await worker.kill();
      await synchronizeClocks();
      await reload();
      await progress()
        .getByRole('button', { name: `${paidByPayPal().count} payouts Paid` })
        .waitFor();
      await shoot('done');
    });

    test('what failed is paid again, as a new payout that the second person approves', async () => {
      await app.signInAs(await app.service.signIn(payday.finn.userId));
      await reload();
      await openOnly('Failed');
      await user.press(page.getByRole('dialog').getByRole('button', { name: 'Pay again' }));
      await page.getByText('You prepared this batch.').waitFor();
      await button('Withdraw').waitFor();
      assert.deepEqual(await countBy(), { paid: payees - 2, failed: 1, returned: 1, queued: 1 });
      await checkPortals(portalsAfter.paidAgain);
    });

    test('PayPal’s own records agree: each affiliate was paid once, to the cent', async () => {
      const payments = payPal.payments();
      assert.equal(new Set(payments.map(({ paymentId }) => paymentId)).size, payments.length, 'an affiliate was paid twice');
      const { rows } = await app.service.pool.query(
        `select id, amount_cents::int as cents, status from payouts where status in ('paid', 'returned')`,
      );
      assert.deepEqual(
        new Map(payments.map(({ paymentId, amountCents, state }) => [paymentId, `${amountCents} ${state}`])),
        new Map(
          payments.map(({ paymentId }) => rows.find(({ id }) => id === paymentId)).map((row) => [row?.id, `${row?.cents} ${row?.status}`]),
        ),
      );
      assert.equal(payments.length, payees - 1);
      assert.deepEqual(
        (await checkInvariants(app.service.ctx)).filter(({ broken }) => broken.length > 0),
        [],
      );
    });
  });
