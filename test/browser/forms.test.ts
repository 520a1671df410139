// Forms keep what was typed: leaving one asks first, wherever it is left.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { anAffiliate } from '../support/builders.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { waitForScreen } from '../support/screens/watched-page.ts';

describe('a form with changes', () => {
  let app: Console;
  let page: Page;
  let address: string;
  before(async () => {
    app = await openConsole();
    address = `${app.origin}/console/${app.service.program.programId}`;
    await app.signInAs(await app.service.asMember('owner', { name: 'Dana Calder' }));
    page = await app.context.newPage();
    page.setDefaultTimeout(60_000);
  });
  after(() => app?.close());

  const open = async (path: string) => {
    await page.goto('about:blank');
    await page.goto(`${address}${path}`);
    await waitForScreen(page);
  };
  const question = () => page.getByRole('dialog', { name: 'Discard your changes?' });

  test('asks for confirmation when Escape is pressed, and the dialog stays open until the user decides', async () => {
    await open('/affiliates?sheet=invite');
    const field = page.getByLabel('Email addresses');
    await field.fill('ada@example.com');
    await page.keyboard.press('Escape');
    await question().waitFor();
    // Long enough for the question to fade out, if the same key press had closed it.
    await page.evaluate(
      'new Promise((resolve) => { let left = 30; const next = () => (left -= 1) > 0 ? requestAnimationFrame(next) : resolve(); next(); })',
    );
    assert.equal(await question().count(), 1);
    await page.keyboard.press('Escape');
    await question().waitFor({ state: 'detached' });
    assert.equal(await field.inputValue(), 'ada@example.com');
    await page.keyboard.press('Escape');
    await question().getByRole('button', { name: 'Discard changes' }).click();
    await field.waitFor({ state: 'detached' });
  });

  test('asks when Cancel is pressed, and only then', async () => {
    const { id } = await anAffiliate(app.service, { email: 'leo@example.com' });
    await open(`/affiliates/${id}`);
    const edit = () => page.getByRole('button', { name: 'Edit', exact: true }).first().click();
    await edit();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByLabel('Last name').waitFor({ state: 'detached' });
    await edit();
    await page.getByLabel('Last name').fill('Brandt');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await question().getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await page.getByLabel('Last name').inputValue(), 'Brandt');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Changes saved').first().waitFor();
  });

  test('asks before another screen of the app is opened, by link or by keyboard', async () => {
    await open('/settings/join-page');
    const intro = page.getByLabel('Introduction');
    await intro.fill('We look for people who know tea.');
    await page.getByRole('link', { name: 'Overview' }).first().click();
    await question().getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await intro.inputValue(), 'We look for people who know tea.');
    assert.match(page.url(), /join-page$/);
    await intro.blur();
    await page.keyboard.press('g');
    await page.keyboard.press('a');
    await question().getByRole('button', { name: 'Discard changes' }).click();
    await page.waitForURL(/\/affiliates/);
  });

  test('of a new rule names every missing field, with the labels of the form', async () => {
    await open('/rules');
    await page
      .getByRole('button', { name: 'Add a rule' })
      .or(page.getByRole('button', { name: 'Add rule' }))
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Group', { exact: true }).click();
    await dialog.getByRole('button', { name: 'Add rule' }).click();
    const summary = dialog.getByRole('alert');
    await summary.waitFor();
    assert.deepEqual(await summary.getByRole('button').allInnerTexts(), ['Name: Required', 'Percentage: Required', 'Group: Required']);
  });
});
