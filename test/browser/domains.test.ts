// A custom domain and a sender address in the console: the DNS records are shown, found and in use. With SCREENSHOTS=1: pictures
// in .tributary/screens.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { openZone, targetHost, type Zone } from '../support/domains/zone.ts';
import { checkAccessibility } from '../support/screens/checks.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { loadScreen, openScreen, waitForScreen, waitUntilStill, watchPage } from '../support/screens/watched-page.ts';

const folder = join(import.meta.dirname, '..', '..', '.tributary', 'screens');

describe('the domains of a program', () => {
  let app: Console;
  let page: Page;
  let zone: Zone;
  let settings: string;

  before(async () => {
    mkdirSync(folder, { recursive: true });
    app = await openConsole();
    const { ctx, program } = app.service;
    ctx.config = { ...ctx.config, domainTargets: [targetHost], senderSpf: 'include:spf.mail.test' };
    zone = openZone(app.service);
    await app.signInAs(await app.service.asMember('admin', { name: 'Dana Calder' }));
    ({ page } = await watchPage(app.context, app.origin));
    page.setDefaultTimeout(60_000);
    settings = `${app.origin}/console/${program.programId}/settings`;
    await page.goto(`${settings}/domains`);
    await waitForScreen(page);
  });
  after(() => app?.close());

  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const shoot = async (name: string) => {
    if (!process.env.SCREENSHOTS) return;
    await waitUntilStill(page);
    await page.screenshot({ path: join(folder, `domains-${name}.png`), fullPage: true });
  };

  test('one is added, its records are shown, and it is active once they are found', async () => {
    await page.getByLabel('Host name').fill('go.acme.test');
    await button('Add a domain').click();
    await page.getByText('go.acme.test was added.').waitFor();
    await page.getByText(targetHost, { exact: true }).waitFor();
    await page.getByText('_tributary.go.acme.test', { exact: true }).waitFor();
    assert.equal(await page.getByText('Not found', { exact: true }).count(), 2);
    zone.set('go.acme.test', 'CNAME', ['elsewhere.test']);
    await button('Check again: go.acme.test').click();
    await page.getByText('Found instead: elsewhere.test').waitFor();
    await shoot('different');
    await checkAccessibility(page, 'a domain without its records');
    zone.point('go.acme.test', app.service.program);
    await button('Check again: go.acme.test').click();
    await page.getByText('go.acme.test is active.').waitFor();
    await page.getByText('Used for: Links').waitFor();
    await shoot('active');
  });

  test('a sender address is in use once its records are found', async () => {
    const { programId } = app.service.program;
    await openScreen(page, `${settings}/emails`);
    await page.getByLabel('Address', { exact: true }).fill('partners@acme.test');
    await button('Save address').click();
    await page.getByText('v=spf1 include:spf.mail.test ~all').waitFor();
    await shoot('sender-pending');
    await checkAccessibility(page, 'a sender address without its records');
    zone.set('_tributary.acme.test', 'TXT', [`program=${programId}`]);
    zone.set('acme.test', 'TXT', ['v=spf1 include:spf.mail.test -all']);
    await button('Check again').click();
    await page.getByText('In use', { exact: true }).waitFor();
    await page.getByText('partners@acme.test').first().waitFor();
    if (!process.env.SCREENSHOTS) return;
    await app.service.pool.query(`update email_senders set status = 'pending'`);
    await app.context.addCookies([{ name: 'trb-language', value: 'de', url: app.origin }]);
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 390, height: 844 });
    await loadScreen(page, page.url());
    await shoot('sender-phone-dark-de');
  });
});
