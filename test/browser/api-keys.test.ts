// The API keys of a program in the console: one is created after a recent sign-in and shown once, rotated with an overlap,
// and revoked; the owners are notified. With SCREENSHOTS=1: pictures in .tributary/screens.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { checkAccessibility } from '../support/screens/checks.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { takePictures } from '../support/screens/pictures.ts';
import { type Watched, waitForScreen, watchPage } from '../support/screens/watched-page.ts';

describe('the API keys of a program', () => {
  let app: Console;
  let watched: Watched;
  let page: Page;

  before(async () => {
    app = await openConsole();
    await app.signInAs(await app.service.asMember('owner', { name: 'Dana Calder' }));
    watched = await watchPage(app.context, app.origin);
    page = watched.page;
    page.setDefaultTimeout(60_000);
    await page.goto(`${app.origin}/console/${app.service.program.programId}/settings/api-keys`);
    await waitForScreen(page);
  });
  after(() => app?.close());

  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const sheet = () => page.getByRole('dialog');
  const shoot = (name: string) => takePictures(page, `api-keys-${name}`);
  const shownKey = async () =>
    (
      await sheet()
        .getByText(/^trb_live_\w{49}$/)
        .first()
        .innerText()
    ).trim();
  const status = async (key: string) => (await app.service.request('GET', '/v1/me', { key })).status;

  test('one is created, shown once, and works', async () => {
    await button('Create key').first().click();
    await sheet().getByLabel('Name').waitFor();
    await button('Create key').last().click();
    await sheet().getByText('Required').first().waitFor();
    await sheet().getByLabel('Name').fill('Web store');
    await sheet().getByText('Read and write', { exact: true }).click();
    await sheet().getByLabel('Rate limit').fill('600');
    await checkAccessibility(page, 'a new API key');
    await shoot('create');
    await button('Create key').last().click();
    const key = await shownKey();
    assert.equal(await status(key), 200);
    await checkAccessibility(page, 'the secret of an API key');
    await shoot('secret');
    await button('I have stored it').click();
    await page.getByText('Web store').waitFor();
    assert.equal(await page.getByText(key).count(), 0);
    await shoot('list');
  });

  test('it is renamed and rotated; the previous key works until the overlap ends', async () => {
    await button('Open: Web store').click();
    await button('Edit').click();
    await sheet().getByLabel('Name').fill('Warehouse');
    await button('Save changes').click();
    await page.getByText('The key was saved.').waitFor();
    await button('Rotate key').click();
    await sheet().getByLabel('Previous key').waitFor();
    await checkAccessibility(page, 'rotating an API key');
    await shoot('rotate');
    await button('Rotate key').click();
    const key = await shownKey();
    assert.equal(await status(key), 200);
    await button('I have stored it').click();
    await button('Open: Warehouse').last().click();
    await sheet().getByText('This key was rotated').waitFor();
    await shoot('rotated');
    await page.keyboard.press('Escape');
    await sheet().waitFor({ state: 'detached' });
  });

  test('it is revoked after a confirmation, and shown among the former ones', async () => {
    await button('Open: Warehouse').first().click();
    await button('Revoke').click();
    await page.getByText('Revoke Warehouse?').waitFor();
    await checkAccessibility(page, 'revoking an API key');
    await button('Revoke').last().click();
    await page.getByText('Warehouse was revoked.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Former').click();
    await button('Open: Warehouse').waitFor();
    assert.deepEqual(watched.takeFaults(), []);
  });

  test('the identity is confirmed before the form is filled', async () => {
    app.service.clock.advance({ minutes: 11 });
    await app.context.clock.setFixedTime(app.service.clock.now());
    await page.reload();
    await waitForScreen(page);
    await button('Create key').first().click();
    await page.getByText('Confirm').first().waitFor();
    await shoot('confirm');
    await page.getByRole('dialog', { name: 'Confirm it' }).getByRole('button', { name: 'Cancel' }).click();
    await sheet().first().waitFor({ state: 'detached' });
  });
});
