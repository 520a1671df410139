// An announcement in the console: the preview and the number of recipients follow while typing, it is saved as a draft, sent after
// a question, and its results appear.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { anAffiliate } from '../support/builders.ts';
import { checkAccessibility } from '../support/screens/checks.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { type Watched, waitForScreen, watchPage } from '../support/screens/watched-page.ts';

describe('an announcement', () => {
  let app: Console;
  let watched: Watched;
  let page: Page;

  before(async () => {
    app = await openConsole();
    for (const firstName of ['Ada', 'Ben'])
      await anAffiliate(app.service, { status: 'active', firstName, email: `${firstName.toLowerCase()}@example.com` });
    await app.signInAs(await app.service.asMember('admin', { name: 'Dana Calder' }));
    watched = await watchPage(app.context, app.origin);
    page = watched.page;
    page.setDefaultTimeout(60_000);
    await page.goto(`${app.origin}/console/${app.service.program.programId}/announcements`);
    await waitForScreen(page);
  });
  after(() => app?.close());

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const field = (name: string) => page.getByLabel(name, { exact: true });

  test('is written with a preview, and saved as a draft', async () => {
    await button('New announcement').first().click();
    await field('Subject').fill('Winter teas');
    await field('Heading').fill('Hello {firstName}');
    await field('Text').last().fill('They are here.');
    await page.frameLocator('iframe').getByText('Hello Ada').waitFor();
    await page.getByText('2 affiliates get it.').waitFor();
    await checkAccessibility(page, 'a new announcement');
    await button('Save draft').click();
    await page.getByRole('heading', { name: 'Winter teas' }).waitFor();
    await checkAccessibility(page, 'a draft of an announcement');
  });

  test('is sent after a question, and shows its results', async () => {
    await button('Send now').click();
    await page.getByRole('heading', { name: 'Send it to 2 affiliates?' }).waitFor();
    await page.getByRole('dialog').last().getByRole('button', { name: 'Send now' }).click();
    await button('Stop sending').waitFor();
    await app.service.drain();
    await button('Stop sending').waitFor({ state: 'detached' });
    await checkAccessibility(page, 'an announcement with its results');
    assert.equal(app.service.mails.filter(({ subject }) => subject === 'Winter teas').length, 2);
    assert.deepEqual(watched.takeFaults(), []);
  });
});
