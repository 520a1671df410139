// Sensitive forms ask for what they need before anything is typed, and lead to where it is set up.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { waitForScreen } from '../support/screens/watched-page.ts';

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
    page.setDefaultTimeout(10_000);
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

  test('asks before a payout batch is approved, too', async () => {
    const page = await app.context.newPage();
    page.setDefaultTimeout(10_000);
    await page.goto(`${app.origin}/console/${app.service.program.programId}?sheet=approve`);
    const question = page.getByRole('dialog', { name: 'Set up a second factor' });
    await question.getByRole('button', { name: 'Open Security' }).waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog', { name: 'Payout batches to approve' }).waitFor({ state: 'detached' });
    assert.doesNotMatch(page.url(), /sheet=approve/);
    await page.close();
  });

  test('is shown without the question to members who may only look', async () => {
    await app.signInAs(await app.service.asMember('viewer', { name: 'Vera Lind', hasPasskey: false }));
    const page = await app.context.newPage();
    page.setDefaultTimeout(10_000);
    await page.goto(`${app.origin}/console/${app.service.program.programId}?sheet=approve`);
    await page.getByRole('dialog', { name: 'Payout batches to approve' }).getByText('No payout batch is awaiting approval.').waitFor();
    assert.equal(await page.getByRole('dialog', { name: 'Set up a second factor' }).count(), 0);
  });
});
