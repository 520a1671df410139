// Deleting a program in the console: what has to be settled is listed, the name confirms, and an owner restores it. With
// SCREENSHOTS=1: pictures in .tributary/screens.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { anAffiliate, anOrder, aRule } from '../support/builders.ts';
import { checkAccessibility } from '../support/screens/checks.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { type Watched, waitForScreen, waitUntilStill, watchPage } from '../support/screens/watched-page.ts';

const folder = join(import.meta.dirname, '..', '..', '.tributary', 'screens');

describe('the deletion of a program', () => {
  let app: Console;
  let watched: Watched;
  let page: Page;
  let name: string;

  before(async () => {
    mkdirSync(folder, { recursive: true });
    app = await openConsole();
    const { service } = app;
    await aRule(service);
    const { id } = await anAffiliate(service, { status: 'active' });
    await anOrder(service, { affiliateId: id, amountCents: 128_000 });
    const programs = await service.pool.query('select name from programs where id = $1', [service.program.programId]);
    name = programs.rows[0].name;
    await app.signInAs(await service.asMember('owner', { name: 'Dana Calder' }));
    watched = await watchPage(app.context, app.origin);
    page = watched.page;
    page.setDefaultTimeout(60_000);
    await openScreen();
  });
  after(() => app?.close());

  const openScreen = async () => {
    await page.goto(`${app.origin}/console/${app.service.program.programId}/settings/data`);
    await waitForScreen(page);
  };
  const button = (label: string | RegExp) => page.getByRole('button', { name: label });
  const shoot = async (picture: string) => {
    if (!process.env.SCREENSHOTS) return;
    await waitUntilStill(page);
    await page.screenshot({ path: join(folder, `deletion-${picture}.png`), fullPage: true });
  };
  /** In dark, on a phone and in German. */
  const shootAll = async (picture: string, reload: () => Promise<void>) => {
    if (!process.env.SCREENSHOTS) return;
    await shoot(picture);
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    await shoot(`${picture}-dark`);
    await page.setViewportSize({ width: 390, height: 844 });
    await app.context.addCookies([{ name: 'trb-language', value: 'de', url: app.origin }]);
    await reload();
    await shoot(`${picture}-dark-phone-de`);
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 1440, height: 900 });
    await reload();
    await shoot(`${picture}-de`);
    await app.context.addCookies([{ name: 'trb-language', value: 'en', url: app.origin }]);
    await reload();
  };

  test('lists what has to be settled first', async () => {
    await page.getByText('1 affiliate is owed $128.00.').waitFor();
    assert.ok(await button(`Delete ${name}`).isDisabled());
    await shootAll('owed', openScreen);
  });

  test('needs the name of the program, and leads to the list of programs, where it is restored', async () => {
    await app.service.pool.query(`update programs set mode = 'test' where id = $1`, [app.service.program.programId]);
    await openScreen();
    await shoot('ready');
    await button(`Delete ${name}`).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill('another');
    assert.ok(await dialog.getByRole('button', { name: `Delete ${name}` }).isDisabled());
    await dialog.getByRole('textbox').fill(name);
    await shoot('confirm');
    await checkAccessibility(page, 'the confirmation');
    await dialog.getByRole('button', { name: `Delete ${name}` }).click();
    await page.getByRole('heading', { name: 'Deleted programs' }).waitFor();
    const restore = button(`Restore: ${name}`);
    await restore.waitFor();
    await checkAccessibility(page, 'the deleted programs');
    await shootAll('list', async () => {
      await page.goto(`${app.origin}/console?all=1`);
      await page.getByRole('button', { name }).waitFor();
    });
    await restore.click();
    await page.getByRole('link', { name: new RegExp(name) }).waitFor();
    await page.goto(`${app.origin}/console`);
    await waitForScreen(page);
    await page.getByRole('heading', { level: 1 }).waitFor();
    assert.ok(page.url().includes(app.service.program.programId));
  });

  test('raises no fault', () => assert.deepEqual(watched.takeFaults(), []));
});
