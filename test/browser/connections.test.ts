// Connections in the console: a payout provider and stores are connected step by step, each step is checked, and the first
// event is shown with what it meant. Keys are never shown again. With SCREENSHOTS=1: pictures in .tributary/screens.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { paddleEvent, transaction } from '../../server/connections/stores/examples/paddle.ts';
import { anAffiliate, aRule } from '../support/builders.ts';
import { payPalSecrets, startPayPalSimulator } from '../support/rails/paypal.ts';
import type { Simulator } from '../support/rails/simulator.ts';
import { checkAccessibility } from '../support/screens/checks.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { type Watched, waitForScreen, waitUntilStill, watchPage } from '../support/screens/watched-page.ts';

const folder = join(import.meta.dirname, '..', '..', '.tributary', 'screens');

describe('connections', () => {
  let app: Console;
  let watched: Watched;
  let page: Page;
  let payPal: Simulator;

  before(async () => {
    mkdirSync(folder, { recursive: true });
    app = await openConsole();
    payPal = await startPayPalSimulator({ now: () => app.service.clock.now() });
    await app.signInAs(await app.service.asMember('owner', { name: 'Dana Calder' }));
    watched = await watchPage(app.context, app.origin);
    page = watched.page;
    page.setDefaultTimeout(60_000);
  });
  after(async () => {
    await payPal?.close();
    await app?.close();
  });

  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const open = async (path: string) => {
    await page.goto(`${app.origin}/console/${app.service.program.programId}/settings/${path}`);
    await waitForScreen(page);
  };
  const shoot = async (name: string) => {
    if (!process.env.SCREENSHOTS) return;
    for (const width of [1440, 820, 390])
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await waitUntilStill(page);
        await page.screenshot({ path: join(folder, `connections-${name}-${width}-${colorScheme}.png`) });
      }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  };
  const storedSecrets = async (name: string) =>
    (await app.service.request('GET', `${app.service.program.path}/providers?search=${name}`)).body.providers[0];

  test('PayPal is connected, checked and edited, and its keys are never shown again', async () => {
    await open('payout-providers');
    await page.getByText('No payout provider yet').waitFor();
    await shoot('payout-empty');
    await button('Connect provider').first().click();
    await button(/^PayPal/).waitFor();
    await shoot('payout-types');
    await checkAccessibility(page, 'the types of payout providers');
    await button(/^PayPal/).click();
    await page.getByLabel('Client ID').fill(payPalSecrets.clientId);
    await page.getByLabel('API address').fill(payPal.url);
    await shoot('payout-form');
    await checkAccessibility(page, 'the form of a payout provider');
    await button('Connect').last().click();
    await page.getByText('Required').first().waitFor();
    await page.getByLabel('Client secret').fill('wrong-secret-of-the-app');
    await button('Connect').last().click();
    await page.getByText('Send events to Tributary').waitFor();
    await button('Check connection').click();
    await page.getByText("The connection doesn't work.").waitFor();
    await button('Edit').click();
    assert.equal(await page.getByLabel('Client secret').inputValue(), '');
    await page.getByLabel('Client secret').fill(payPalSecrets.clientSecret);
    await button('Save changes').click();
    await page.getByText('The changes were saved.').waitFor();
    await button('Check connection').click();
    await page.getByText('The connection works.').waitFor();
    await shoot('payout-setup');
    await checkAccessibility(page, 'the setup of a payout provider');
    assert.equal(await page.getByText(payPalSecrets.clientSecret).count(), 0);
    const stored = await storedSecrets('PayPal');
    assert.deepEqual([stored.isDefault, stored.configuredSecrets], [true, ['clientId', 'clientSecret']]);
  });

  test('another provider becomes the default, and an archived one is hidden until it is restored', async () => {
    await open('payout-providers');
    await button('Connect provider').first().click();
    await button(/^Manual/).click();
    await button('Connect').last().click();
    await button('Make default').click();
    await page.getByText('Manual is the default now.').waitFor();
    await button('Archive').click();
    await button('Archive').last().click();
    await page.getByText('The connection was archived.').waitFor();
    await button('Restore').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('1 archived').click();
    await button('Open: Manual').click();
    await button('Restore').click();
    await page.getByText('The connection was restored.').waitFor();
    await page.keyboard.press('Escape');
    await shoot('payout-list');
    await checkAccessibility(page, 'the list of payout providers');
  });

  test('a secret that Tributary generates is shown once', async () => {
    await open('stores');
    await page.getByText('No store connected yet').waitFor();
    await shoot('stores-empty');
    await button('Connect store').first().click();
    await button(/^Lemon Squeezy/).click();
    await button('Connect').last().click();
    await page.getByText('whsec_').first().waitFor();
    await shoot('store-secret');
    await button('I have stored it').click();
    await page.waitForURL(/\/settings\/stores\/[0-9a-f-]{36}/);
    await page.getByText('Send events to Tributary').waitFor();
    assert.equal(await page.getByText(/whsec_[A-Za-z0-9]/).count(), 0);
  });

  test('Paddle is connected by keyboard, until the first event has arrived and been understood', async () => {
    const { service } = app;
    await aRule(service, { rate: 10 });
    const ada = await anAffiliate(service, { status: 'active' });
    await open('stores');
    await button('Connect store').first().focus();
    await page.keyboard.press('Enter');
    await button(/^Paddle/).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Name', { exact: true }).fill('Web checkout');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/settings\/stores\/[0-9a-f-]{36}/);
    await page.getByText('Waiting for the first event').waitFor();
    await shoot('store-setup');
    await checkAccessibility(page, 'the setup of a store');
    await page.getByLabel('Signing secret').focus();
    await page.keyboard.type('pdl_ntfset_01hv8secret');
    await page.keyboard.press('Enter');
    await page.getByText('Set. Leave empty to keep it').waitFor();
    assert.equal(await page.getByLabel('Signing secret').inputValue(), '');
    await button('Check connection').focus();
    await page.keyboard.press('Enter');
    await page.getByText('The connection works.').waitFor();
    await page.getByText('Events are accepted. Without API keys, nothing is called.').waitFor();
    const { id, eventsUrl } = await storedSecrets('Web%20checkout');
    await page.getByText(eventsUrl).waitFor();
    const event = paddleEvent('evt_1', 'transaction.completed', transaction({ custom_data: { ref: ada.referralCode } }));
    const body = Buffer.from(JSON.stringify(event));
    const ts = Math.floor(service.clock.now().getTime() / 1000);
    const h1 = createHmac('sha256', 'pdl_ntfset_01hv8secret').update(`${ts}:${body}`).digest('hex');
    const headers = { 'content-type': 'application/json', 'paddle-signature': `ts=${ts};h1=${h1}` };
    const sent = await service.request('POST', `/v1/providers/${id}/events`, { body, key: null, headers });
    assert.equal(sent.status, 200);
    await service.drain();
    await page.getByText('Order txn_01hv8wptq8987qeep44cyrewp9 was credited to an affiliate.').waitFor();
    await shoot('store-first-event');
  });

  test('the events of a store are listed with their outcome, and lead to the order', async () => {
    await page.getByRole('tab', { name: 'Events' }).click();
    await page.getByRole('link', { name: 'transaction.completed' }).waitFor();
    await shoot('store-events');
    await checkAccessibility(page, 'the events of a store');
    await page.getByRole('link', { name: 'transaction.completed' }).click();
    await page.getByRole('link', { name: 'Open order' }).waitFor();
    await shoot('store-event');
    await checkAccessibility(page, 'an event of a store');
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'Coverage' }).click();
    await page.getByText('No later report of this store’s orders differs from the recorded order.').waitFor();
    await shoot('store-coverage');
    await checkAccessibility(page, 'the coverage of a store');
    await open('stores');
    await shoot('stores-list');
  });

  test('reads well in German', async () => {
    if (!process.env.SCREENSHOTS) return;
    await app.context.addCookies([{ name: 'trb-language', value: 'de', url: app.origin }]);
    await open('payout-providers');
    await shoot('payout-list-de');
    await open('stores');
    await shoot('stores-list-de');
  });
});
