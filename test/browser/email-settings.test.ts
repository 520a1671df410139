// The emails of a program in the console: a text is edited while its preview follows, a placeholder that does not exist is
// rejected at its field, a test goes to the member, the default returns with one click, and an email is switched off. With
// SCREENSHOTS=1: pictures in .tributary/screens.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { checkAccessibility } from '../support/screens/checks.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { type Watched, waitForScreen, waitUntilStill, watchPage } from '../support/screens/watched-page.ts';

const folder = join(import.meta.dirname, '..', '..', '.tributary', 'screens');

describe('the emails of a program', () => {
  let app: Console;
  let watched: Watched;
  let page: Page;

  before(async () => {
    mkdirSync(folder, { recursive: true });
    app = await openConsole();
    await app.signInAs(await app.service.asMember('admin', { name: 'Dana Calder' }));
    watched = await watchPage(app.context, app.origin);
    page = watched.page;
    page.setDefaultTimeout(60_000);
    await page.goto(`${app.origin}/console/${app.service.program.programId}/settings/emails`);
    await waitForScreen(page);
  });
  after(() => app?.close());

  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const field = (name: string) => page.getByLabel(name, { exact: true });
  const segment = (name: string) => page.getByRole('button', { name, exact: true });
  const preview = () => page.frameLocator('iframe');
  const shoot = async (name: string) => {
    if (!process.env.SCREENSHOTS) return;
    await waitUntilStill(page);
    await page.screenshot({ path: join(folder, `emails-${name}.png`), fullPage: true });
  };

  test('the preview follows what is typed, and a placeholder is inserted where the text was edited last', async () => {
    await button('First sale').click();
    await field('Heading').fill('Well done, ');
    await button(/\{firstName\}/).click();
    assert.equal(await field('Heading').inputValue(), 'Well done, {firstName}');
    await field('Subject').fill('Hooray from {program}');
    await preview().getByText('Well done, Ada').waitFor();
    await page.getByText(/^Hooray from (?!\{)/).waitFor();
    await segment('Dark').click();
    await preview().getByText('Well done, Ada').waitFor();
    await checkAccessibility(page, 'the text of an email');
    await shoot('edited');
  });

  test('the text of the other language is kept while both are edited', async () => {
    await segment('Deutsch').click();
    assert.match(await field('Heading').inputValue(), /^Dein erster Verkauf/);
    await segment('English').click();
    assert.equal(await field('Heading').inputValue(), 'Well done, {firstName}');
  });

  test('an unknown placeholder is rejected at its field', async () => {
    await field('Text').fill('You earned {amonut}.');
    await button('Save text').click();
    await page.getByText('There is no {amonut} here. Use {program}, {firstName}, {amount}.').waitFor();
    await shoot('fault');
    await checkAccessibility(page, 'a rejected text of an email');
  });

  test('a test goes to the member, and the saved text returns to the default with one click', async () => {
    await field('Text').fill('You earned {amount}.');
    await button('Send a test to me').click();
    await page.getByText('A test is on its way to').waitFor();
    await app.service.drain();
    const mail = app.service.mails.find(({ subject }) => subject.startsWith('Hooray from'));
    assert.match(mail?.text ?? '', /You earned \$37\.35\./);
    await button('Save text').click();
    await button('Restore default').click();
    await page.getByText('The email has its default text again.').waitFor();
    assert.equal(await field('Heading').inputValue(), 'Your first sale, {firstName}');
  });

  test('another email is opened only after asking about unsaved changes', async () => {
    await field('Heading').fill('Unsaved');
    await button('Monthly statement').click();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    assert.equal(await field('Heading').inputValue(), 'Unsaved');
    await button('Monthly statement').click();
    await button('Discard changes').click();
    await preview().getByText('Your October 2026, Ada').waitFor();
  });

  test('an email is switched off at once', async () => {
    await page.getByRole('switch', { name: /Send this email/ }).click();
    await page.getByText('The email is no longer sent.').waitFor();
    const { rows } = await app.service.pool.query('select kind, is_on from email_switches where program_id = $1', [
      app.service.program.programId,
    ]);
    assert.deepEqual(rows, [{ kind: 'statement', is_on: false }]);
    await shoot('switched-off');
  });

  test('emails about security have no form', async () => {
    await button('Sign-in').click();
    await page.getByText('The text of this email is fixed.').waitFor();
    assert.equal(await field('Subject').count(), 0);
  });
});
