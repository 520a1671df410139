// A member views the portal as an affiliate: from the affiliate's screen in the console, read-only, and back. With SCREENSHOTS=1:
// pictures in .tributary/screens.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { anAffiliate } from '../support/builders.ts';
import { checkAccessibility } from '../support/screens/checks.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { takePictures } from '../support/screens/pictures.ts';
import { type Watched, waitForScreen, watchPage } from '../support/screens/watched-page.ts';

const notice = 'You are viewing the portal as Ada Lindqvist. Changes are turned off.';

describe('"View as affiliate"', () => {
  let app: Console;
  let watched: Watched;
  let page: Page;
  let screen: string;

  before(async () => {
    app = await openConsole();
    const { service } = app;
    const { id } = await anAffiliate(service, { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lindqvist', status: 'active' });
    screen = `${app.origin}/console/${service.program.programId}/affiliates/${id}`;
    await app.signInAs(await service.asMember('reviewer', { name: 'Dana Calder' }));
    watched = await watchPage(app.context, app.origin);
    page = watched.page;
    page.setDefaultTimeout(60_000);
  });
  after(() => app?.close());

  test('opens the portal with a banner that names the affiliate', async () => {
    await page.goto(screen);
    await waitForScreen(page);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'View as affiliate' }).click();
    await page.waitForURL(`${app.origin}/portal/${app.service.program.programId}`);
    await page.getByText(notice).waitFor();
    await waitForScreen(page);
    await checkAccessibility(page, 'the portal, viewed as an affiliate');
    await takePictures(page, 'view-as-home');
    assert.deepEqual(watched.takeFaults(), []);
  });

  test('rejects a change with the reason, and changes nothing', async () => {
    await page.goto(`${app.origin}/portal/${app.service.program.programId}/account`);
    await waitForScreen(page);
    await page.getByText('ada@example.com').first().waitFor();
    assert.equal(await page.getByRole('heading', { name: 'Passkeys' }).count(), 0, 'the member’s own passkeys');
    await page.getByLabel('First name').fill('Eve');
    await page.getByRole('button', { name: 'Save' }).first().click();
    await page.getByText('You are viewing the portal as an affiliate. Changes are turned off.').first().waitFor();
    await takePictures(page, 'view-as-rejected');
    const { rows } = await app.service.pool.query(`select first_name from affiliates where email = 'ada@example.com'`);
    assert.deepEqual(rows, [{ first_name: 'Ada' }]);
    watched.takeFaults();
  });

  test('ends with "Stop viewing", which leads back to the affiliate', async () => {
    await page.goto(`${app.origin}/portal/${app.service.program.programId}`);
    await page.getByRole('button', { name: 'Stop viewing' }).click();
    await page.waitForURL(screen);
    await page.getByRole('heading', { name: 'Ada Lindqvist' }).waitFor();
    await page.getByRole('tab', { name: 'Activity' }).click();
    await page.getByText('stopped viewing the portal as').first().waitFor();
    assert.deepEqual(watched.takeFaults(), []);
    await page.goto(`${app.origin}/portal/${app.service.program.programId}`);
    await waitForScreen(page);
    assert.equal(await page.getByText(notice).count(), 0);
  });
});
