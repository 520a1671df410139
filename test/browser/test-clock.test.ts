// The test clock in the console: it is advanced, warns before the first time, shows its progress, and a live program has none.
// With SCREENSHOTS=1: pictures in .tributary/screens.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { checkAccessibility } from '../support/screens/checks.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { takePictures } from '../support/screens/pictures.ts';
import { moveTo, waitForScreen } from '../support/screens/watched-page.ts';
import { openSandbox, type Sandbox } from '../support/test-clocks/sandbox.ts';

describe('the test clock', () => {
  let app: Console;
  let page: Page;
  let sandbox: Sandbox;

  before(async () => {
    app = await openConsole();
    sandbox = await openSandbox(app.service, 'Sandbox');
    await app.signInAs(await app.service.asMember('owner', { name: 'Dana Calder', program: sandbox }));
    page = await app.context.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(`${app.origin}/console/${sandbox.programId}/settings/test-clock`);
    await waitForScreen(page);
  });
  after(() => app?.close());

  test('warns before it is advanced for the first time', async () => {
    await page.getByText('Not ahead').waitFor();
    await checkAccessibility(page, 'test clock');
    await takePictures(page, 'test-clock', [1440, 390]);
    await page.getByRole('button', { name: '7 days', exact: true }).click();
    await page.getByRole('button', { name: 'Advance by 7 days' }).click();
    const dialog = page.getByRole('dialog', { name: 'This program can’t go live afterwards' });
    await dialog.waitFor();
    await takePictures(page, 'test-clock-warning', [390]);
    await dialog.getByRole('button', { name: 'Advance by 7 days' }).click();
  });

  test('shows how far it is, and that it is ready', async () => {
    await page.getByRole('progressbar').waitFor();
    await checkAccessibility(page, 'test clock that advances');
    await takePictures(page, 'test-clock-advancing', [390]);
    await app.service.drain();
    await page.getByText('7 days', { exact: true }).first().waitFor();
    await page.getByRole('progressbar').waitFor({ state: 'detached' });
    const { body } = await sandbox.call('GET', '/test-clock');
    assert.deepEqual([body.status, body.aheadSeconds], ['ready', 7 * 86_400]);
  });

  test('says at the field what is wrong', async () => {
    await page.getByRole('textbox', { name: 'Days' }).fill('900');
    await page.getByRole('button', { name: 'Advance by 900 days' }).click();
    await page.getByText('At most 800', { exact: true }).first().waitFor();
    await checkAccessibility(page, 'test clock with an error');
  });

  test('is missing in a live program', async () => {
    const { program } = app.service;
    await app.signInAs(await app.service.asMember('owner', { name: 'Dana Calder' }));
    await page.goto(`${app.origin}/console/${program.programId}/settings/test-clock`);
    await page.getByText('This program is live').waitFor();
    await moveTo(page, `${app.origin}/console/${program.programId}/settings`);
  });
});
