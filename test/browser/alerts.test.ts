// The alerts of a program: the overview leads to them, each says what it means, since when and what was found, and has one
// action that leads to where it is resolved. With SCREENSHOTS=1: pictures in .tributary/screens.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { AlertKind } from '../../server/messaging/alerts/alert.ts';
import { updateAlerts } from '../../server/messaging/alerts/update.ts';
import { watchAlerts } from '../../server/operations/alerts/watch.ts';
import { lockProgram } from '../../server/paying/payouts/lock.ts';
import { transact } from '../../server/platform/db/transact.ts';
import { anAffiliate, anOrder, aRule } from '../support/builders.ts';
import { checkAccessibility } from '../support/screens/checks.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { takePictures } from '../support/screens/pictures.ts';
import { moveTo, waitForScreen } from '../support/screens/watched-page.ts';
import { aStore } from '../support/stores/stores.ts';

describe('alerts', () => {
  let app: Console;
  let page: Page;
  let base: string;

  before(async () => {
    app = await openConsole();
    const { service, origin } = app;
    base = `${origin}/console/${service.program.programId}`;
    await aRule(service, { rate: 10 });
    await anOrder(service, { affiliateId: (await anAffiliate(service, { status: 'active' })).id, amountCents: 5000 });
    await app.signInAs(await service.asMember('owner', { name: 'Dana Calder' }));
    page = await app.context.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(base);
    await waitForScreen(page);
  });
  after(() => app?.close());

  const watch = () => watchAlerts.run(app.service.ctx, {}, { isLast: true });
  const card = (name: string | RegExp) => page.getByRole('region', { name, exact: true });
  /** Opens the screen from another one, so that it reads again. */
  const open = async () => {
    await moveTo(page, `${base}/exports`);
    await page.getByRole('heading', { name: 'Exports', level: 1 }).waitFor();
    await moveTo(page, `${base}/alerts`);
  };

  test('are reached from the overview, which says so while none is open', async () => {
    await card('Needs attention').getByRole('link', { name: 'Alerts' }).click();
    await page.getByRole('heading', { name: 'No open alerts' }).waitFor();
    await checkAccessibility(page, 'no alerts');
  });

  test('lead to where they are resolved, and are listed as resolved afterwards', async () => {
    const { ctx, program } = app.service;
    await transact(ctx, (tx) => lockProgram(tx, program.programId, 'clock_changed'));
    await watch();
    await open();
    await card('Payouts are locked').getByRole('link', { name: 'Reconcile payouts' }).click();
    await page.getByRole('heading', { name: 'Reconciliation', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Compare now' }).click();
    await card('Payouts are locked').waitFor({ state: 'detached' });
    await watch();
    await open();
    await page.getByRole('heading', { name: 'No open alerts' }).waitFor();
    await card('Resolved').getByText('Payouts are locked').waitFor();
  });

  test('of every kind say what they mean, since when and what was found, and have one action', async () => {
    const { service } = app;
    const { programId } = service.program;
    const store = await aStore(service, 'generic');
    for (const kind of AlertKind.options) {
      const isStore = kind === 'provider_failing';
      const condition = { subject: isStore ? store.id : '', name: isStore ? 'Fern Shop' : null };
      const conditions = [Object.assign(condition, { programId, reason: `Found: ${kind}.` })];
      await updateAlerts(service.ctx, kind, { conditions, scope: sql`program_id = ${programId}` });
    }
    await open();
    for (const [title, kind, action] of [
      ['Payouts are locked', 'payouts_locked', /payouts\/reconcile$/],
      ['The outcome of payouts is unknown', 'payouts_unknown', /payouts\?view=payouts&status=reconcile_required$/],
      ['An open payout pays commissions a second time', 'payouts_duplicate', /payouts\?view=payouts&status=queued$/],
      ['Stored data contradict each other', 'invariant_broken', 'Copy bin/tributary verify'],
      [/Fern Shop.? needs attention/, 'provider_failing', new RegExp(`settings/stores/${store.id}$`)],
      ['Emails are not delivered', 'emails_failing', /settings\/mailbox\?status=failed$/],
      ['A proxy is not trusted', 'proxy_untrusted', 'Copy Copy for the operator'],
    ] as const) {
      const alert = card(title);
      await alert.getByText(`Found: ${kind}.`).waitFor();
      assert.equal(await alert.locator('time').count(), 1, `${kind}: since when`);
      await alert.getByRole(typeof action === 'string' ? 'button' : 'link').waitFor();
      assert.equal(await alert.locator('a, button').count(), 1, `${kind}: one action`);
      if (typeof action === 'string') await alert.getByRole('button', { name: action }).waitFor();
      else assert.match((await alert.getByRole('link').getAttribute('href')) ?? '', action);
    }
    assert.equal(await page.locator('main section p[lang=en]').count(), AlertKind.options.length);
    await checkAccessibility(page, 'open alerts');
    await takePictures(page, 'alerts-open');
  });

  test('are in German, with what was found marked as English', async () => {
    await app.context.addCookies([{ name: 'trb-language', value: 'de', url: app.origin }]);
    await page.reload();
    const alert = card('Auszahlungen sind gesperrt');
    await alert.getByText('Festgestellt').waitFor();
    await alert.getByText('Bis zum Abgleich der Auszahlungen wird nichts veranlasst oder gesendet.').waitFor();
    await alert.getByRole('link', { name: 'Auszahlungen abgleichen' }).waitFor();
    assert.equal(await alert.locator('[lang=en]').innerText(), 'Found: payouts_locked.');
  });
});
