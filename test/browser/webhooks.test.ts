// The webhooks of a program in the console: one is added and its secret shown once, a test event arrives and appears in the
// log with its request and response, and is sent again. Postbacks of affiliates are blocked and turned off. With
// SCREENSHOTS=1: pictures in .tributary/screens.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { deliverDue } from '../../server/messaging/webhooks/dispatch/dispatcher.ts';
import { anAffiliate } from '../support/builders.ts';
import { checkAccessibility } from '../support/screens/checks.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { takePictures } from '../support/screens/pictures.ts';
import { loadScreen, type Watched, waitForScreen, waitUntilStill, watchPage } from '../support/screens/watched-page.ts';
import { openWebhookReceiver, type WebhookReceiver } from '../support/webhooks/receiver.ts';

const folder = join(import.meta.dirname, '..', '..', '.tributary', 'screens');

describe('the webhooks of a program', () => {
  let app: Console;
  let watched: Watched;
  let page: Page;
  let receiver: WebhookReceiver;

  before(async () => {
    mkdirSync(folder, { recursive: true });
    [app, receiver] = await Promise.all([openConsole(), openWebhookReceiver()]);
    await app.signInAs(await app.service.asMember('developer', { name: 'Dana Calder' }));
    watched = await watchPage(app.context, app.origin);
    page = watched.page;
    page.setDefaultTimeout(60_000);
    await page.goto(`${app.origin}/console/${app.service.program.programId}/settings/webhooks`);
    await waitForScreen(page);
  });
  after(async () => {
    receiver?.close();
    await app?.close();
  });

  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const shoot = async (name: string) => {
    if (!process.env.SCREENSHOTS) return;
    await waitUntilStill(page);
    await page.screenshot({ path: join(folder, `webhooks-${name}.png`) });
  };

  test('one is added, and its secret is shown once', async () => {
    await button('Add webhook').first().click();
    await page.getByLabel('URL').fill('not a url');
    await button('Add webhook').last().click();
    await page.getByText('Enter an address that starts with https://').first().waitFor();
    await page.getByLabel('URL').fill(receiver.url('/tributary'));
    await page.getByLabel('Description').fill('Warehouse sync');
    await shoot('create');
    await button('Add webhook').last().click();
    await page.getByText('whsec_').first().waitFor();
    await shoot('secret');
    await checkAccessibility(page, 'the secret of a webhook');
    await button('I have stored it').click();
    await page.getByText(receiver.url('/tributary')).first().waitFor();
    assert.equal(await page.getByText('whsec_').count(), 0);
  });

  test('a test event appears in the log, with its request and response', async () => {
    await button(/^Open/).click();
    await button('Send test event').click();
    await page.getByText('The test event is on its way.').waitFor();
    assert.equal(await deliverDue(app.service.ctx), 1);
    await page.getByText('Delivered · 200').waitFor();
    await button(/^Details/).click();
    await page.getByText('webhook-signature: v1,').waitFor();
    await shoot('delivery');
    await checkAccessibility(page, 'a delivery');
    await button('Send again').click();
    await page.getByText('The delivery is due again.').waitFor();
    assert.equal(await deliverDue(app.service.ctx), 1);
    await page.getByText(/^Attempt 2/).waitFor();
    assert.equal(receiver.received.length, 2);
  });

  test('the events of some days are sent again', async () => {
    await anAffiliate(app.service, { status: 'active', email: 'replayed@example.com' });
    await deliverDue(app.service.ctx);
    const before = receiver.received.length;
    await button('Replay events').press('Enter');
    await checkAccessibility(page, 'the replay of events');
    await button('Send again').last().waitFor();
    await takePictures(page, 'webhooks-replay', [1440, 390]);
    const send = page.getByRole('region', { name: 'Send past events again' }).getByRole('button', { name: 'Send again' });
    const from = await page.getByLabel('From').inputValue();
    await page.getByLabel('From').fill('');
    await send.press('Enter');
    await page.getByLabel('From').and(page.locator('[aria-invalid=true]')).waitFor();
    await page.getByLabel('From').fill(from);
    await send.press('Enter');
    await page.getByText('These days have no events for this webhook.').first().waitFor();
    await page.getByLabel('Only events whose delivery failed').press('Space');
    await send.press('Enter');
    await page.getByText(/\d+ events? (is|are) sent again\./).waitFor();
    await deliverDue(app.service.ctx);
    assert.ok(receiver.received.length > before);
  });

  test('looks right in dark, on a phone and in German', async () => {
    if (!process.env.SCREENSHOTS) return;
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    await shoot('delivery-dark');
    await page.setViewportSize({ width: 390, height: 844 });
    await shoot('delivery-phone');
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await page.keyboard.press('Escape');
    await waitUntilStill(page);
    await app.context.addCookies([{ name: 'trb-language', value: 'de', url: app.origin }]);
    await page.reload();
    await waitForScreen(page);
    await shoot('phone');
    await page.setViewportSize({ width: 1440, height: 900 });
    await shoot('list');
  });

  test("an affiliate's postback is blocked and allowed again, and all of them are turned off", async () => {
    const { service } = app;
    const { programId } = service.program;
    const email = 'ada@example.com';
    const { id } = await anAffiliate(service, { status: 'active', email });
    const ada = await service.asAffiliate({ id, email });
    const body = { url: 'https://tracker.example/p?token=secret', method: 'GET', eventTypes: ['commission.created', 'lead.created'] };
    assert.equal((await ada.request('POST', `/app/portal/${programId}/postbacks`, { body })).status, 201);
    await app.context.addCookies([{ name: 'trb-language', value: 'en', url: app.origin }]);
    await app.signInAs(await service.asMember('owner', { name: 'Dana Calder' }));
    await page.goto(`${app.origin}/console/${programId}/affiliates/${id}?tab=links`);
    await button('Block: tracker.example').click();
    await page.getByText('Blocked', { exact: true }).waitFor();
    await shoot('postbacks');
    await checkAccessibility(page, 'the postbacks of an affiliate');
    assert.equal(await page.getByText('secret').count(), 0);
    const { rows } = await service.pool.query(`select status, disabled_reason from webhooks where affiliate_id = $1`, [id]);
    assert.deepEqual(rows, [{ status: 'disabled', disabled_reason: 'program' }]);
    await button('Allow: tracker.example').click();
    await page.getByText('Active', { exact: true }).last().waitFor();
    await page.goto(`${app.origin}/console/${programId}/settings/webhooks`);
    await waitForScreen(page);
    await page.getByRole('switch').click();
    await page.getByText('No postbacks are sent anymore').waitFor();
    await shoot('postback-setting');
    const { rows: programs } = await service.pool.query('select allows_postbacks from programs where id = $1', [programId]);
    assert.equal(programs[0].allows_postbacks, false);
    if (!process.env.SCREENSHOTS) return;
    await app.context.addCookies([{ name: 'trb-language', value: 'de', url: app.origin }]);
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${app.origin}/console/${programId}/affiliates/${id}?tab=links`);
    await page.getByText('tracker.example').waitFor();
    await page.getByText('tracker.example').scrollIntoViewIfNeeded();
    await shoot('postbacks-phone-dark-de');
    await page.goto(`${app.origin}/console/${programId}/settings/webhooks`);
    await waitForScreen(page);
    await page.mouse.wheel(0, 2000);
    await shoot('postback-setting-phone-dark-de');
  });

  test('a chat is added for notifications, and its address is not shown again', async () => {
    await app.context.addCookies([{ name: 'trb-language', value: 'en', url: app.origin }]);
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 1440, height: 900 });
    await loadScreen(page, `${app.origin}/console/${app.service.program.programId}/settings/notifications`);
    await button('Add channel').click();
    await page.getByLabel('Name').fill('#affiliates');
    await page.getByLabel('URL of the incoming webhook').fill(receiver.url('/services/T0/B0/secret-address'));
    await page.getByRole('combobox', { name: 'Notifications' }).click();
    await page.getByRole('option', { name: 'New applications' }).click();
    await page.keyboard.press('Escape');
    await shoot('channel');
    await button('Save').last().click();
    await page.getByText('The channel was saved.').waitFor();
    await page.getByText(receiver.url('/…')).first().waitFor();
    assert.doesNotMatch(await page.content(), /secret-address/);
    await button(/^Send a test message/).click();
    await page.getByText('The test message is on its way.').waitFor();
    await deliverDue(app.service.ctx);
    assert.ok(receiver.received.some(({ path, body }) => path.endsWith('secret-address') && /This is a test\./.test(body)));
    await shoot('channels');
    await checkAccessibility(page, 'notification channels');
    if (!process.env.SCREENSHOTS) return;
    await app.context.addCookies([{ name: 'trb-language', value: 'de', url: app.origin }]);
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 390, height: 844 });
    await loadScreen(page, page.url());
    await page.mouse.wheel(0, 2000);
    await shoot('channels-phone-dark-de');
  });
});
