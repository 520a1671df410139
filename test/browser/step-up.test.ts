// Sensitive forms ask for what they need before anything is typed, and lead to where it is set up.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { waitForScreen } from '../support/screens/watched-page.ts';

const folder = join(import.meta.dirname, '..', '..', '.tributary', 'screens');

describe('without a mail server and a second factor', () => {
  let app: Console;
  before(async () => {
    app = await openConsole({ withMail: false });
  });
  after(() => app?.close());

  for (const language of ['en', 'de'] as const) {
    test(`the dialog has the command that confirms the identity, and continues after the sign-in (${language})`, async () => {
      const { service, origin, context } = app;
      const owner = await service.asMember('owner', { name: 'Dana Calder', hasPasskey: false });
      await app.signInAs(owner);
      await context.addCookies([{ name: 'trb-language', value: language, url: origin }]);
      service.clock.advance({ minutes: 11 });
      const page = await context.newPage();
      page.setDefaultTimeout(60_000);
      await page.goto(`${origin}/console/${service.program.programId}/settings/security`);
      await waitForScreen(page);
      await page.getByRole('button', { name: language === 'en' ? 'Set up app' : 'App einrichten' }).click();
      const dialog = page.getByRole('dialog', { name: language === 'en' ? "Confirm it's you" : 'Identität bestätigen' });
      const command = dialog.getByRole('button', { name: language === 'en' ? 'Copy the command' : 'Befehl kopieren' });
      await command.waitFor();
      assert.equal(await command.innerText(), `bin/tributary user link ${owner.email}`);
      await page.setViewportSize({ width: 390, height: 900 });
      const right = async (part: Locator) => part.evaluate((element) => element.getBoundingClientRect().right);
      const edge = await right(dialog);
      for (const part of await dialog.locator('h2, p:not(:empty), button, button span').all())
        assert.ok((await right(part)) <= edge, `${await part.innerText()} is inside of the dialog on a phone`);
      if (process.env.SCREENSHOTS) await shoot(page, language);
      // The session can't continue without a confirmation: the dialog opens again.
      const done = dialog.getByRole('button', { name: language === 'en' ? "I've signed in" : 'Angemeldet' });
      await done.click();
      await command.waitFor();
      await app.signInAs(await service.signIn(owner.userId));
      await context.addCookies([{ name: 'trb-language', value: language, url: origin }]);
      await done.click();
      await page
        .getByRole('img', { name: language === 'en' ? 'QR code for your authenticator app' : 'QR-Code für die Authenticator-App' })
        .waitFor();
      await page.close();
    });
  }
});

async function shoot(page: Page, language: string): Promise<void> {
  for (const width of [390, 820, 1440]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await page.screenshot({ path: join(folder, `step-up-${language}-${colorScheme}-${width}.png`) });
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

describe('a sensitive form', () => {
  let app: Console;
  let address: string;
  before(async () => {
    app = await openConsole();
    address = `${app.origin}/console/${app.service.program.programId}/settings`;
    // An owner handles payouts, and has no second factor yet.
    await app.signInAs(await app.service.asMember('owner', { name: 'Dana Calder', hasPasskey: false }));
  });
  after(() => app?.close());

  test('asks for a second factor when it opens, with a link to Security, and stays open behind it', async () => {
    const page = await app.context.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(`${address}/members`);
    await waitForScreen(page);
    await page.getByRole('button', { name: 'Invite' }).first().click();
    const question = page.getByRole('dialog', { name: 'Set up a second factor' });
    await question.waitFor();
    const opened = app.context.waitForEvent('page');
    await question.getByRole('button', { name: 'Open Security' }).click();
    const security = await opened;
    await security.waitForURL(/\/settings\/security$/);
    assert.equal(await page.getByLabel('Email').count(), 1);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await page.getByLabel('Email').waitFor({ state: 'detached' });
    await page.close();
  });

  test('asks before payouts are dispatched, too', async () => {
    const page = await app.context.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(`${app.origin}/console/${app.service.program.programId}/payouts?sheet=dispatch`);
    const question = page.getByRole('dialog', { name: 'Set up a second factor' });
    await question.getByRole('button', { name: 'Open Security' }).waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog', { name: 'Pay affiliates' }).waitFor({ state: 'detached' });
    assert.doesNotMatch(page.url(), /sheet=dispatch/);
    await page.close();
  });

  test('is not shown to members with read access only', async () => {
    await app.signInAs(await app.service.asMember('viewer', { name: 'Vera Lind', hasPasskey: false }));
    const page = await app.context.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(`${app.origin}/console/${app.service.program.programId}/payouts?sheet=dispatch`);
    await waitForScreen(page);
    assert.equal(await page.getByRole('dialog', { name: 'Pay affiliates' }).count(), 0);
    assert.equal(await page.getByRole('dialog', { name: 'Set up a second factor' }).count(), 0);
  });
});
