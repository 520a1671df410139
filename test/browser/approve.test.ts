// Approving an application outside of the inbox: with the group that the affiliate joins, in the list by keyboard and on the
// affiliate's screen; undone within a minute. With SCREENSHOTS=1: pictures in .tributary/screens.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { aGroup, anAffiliate } from '../support/builders.ts';
import { checkAccessibility } from '../support/screens/checks.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { takePictures } from '../support/screens/pictures.ts';
import { type Watched, waitForScreen, watchPage } from '../support/screens/watched-page.ts';

describe('approving an application', () => {
  let app: Console;
  let watched: Watched;
  let page: Page;
  let gold = '';
  let ada: { id: string };
  let noor: { id: string };

  before(async () => {
    app = await openConsole();
    gold = await aGroup(app.service, 'Gold');
    ada = await anAffiliate(app.service, { firstName: 'Ada', lastName: 'Lindqvist', sendInvite: false });
    noor = await anAffiliate(app.service, { firstName: 'Noor', lastName: 'Haddad', sendInvite: false });
    await app.signInAs(await app.service.asMember('admin', { name: 'Dana Calder' }));
    watched = await watchPage(app.context, app.origin);
    page = watched.page;
    page.setDefaultTimeout(60_000);
  });
  after(() => app?.close());

  const sheet = () => page.getByRole('dialog');
  const chooseGold = async () => {
    await sheet()
      .getByRole('combobox', { name: 'Group' })
      .or(sheet().getByRole('textbox', { name: 'Group' }))
      .click();
    await page.getByRole('option', { name: 'Gold' }).click();
  };
  const open = async (path: string) => {
    await page.goto(`${app.origin}/console/${app.service.program.programId}/${path}`);
    await waitForScreen(page);
  };
  const stateOf = async ({ id }: { id: string }) => {
    const { body } = await app.service.request('GET', `${app.service.program.path}/affiliates/${id}`);
    return [body.status, body.groupId];
  };

  test('by keyboard in the list asks for the group, and undoing it removes the group', async () => {
    await open('affiliates');
    await page.locator(`[data-row="${ada.id}"] a`).first().focus();
    await page.keyboard.press('a');
    await sheet().getByText('Approve Ada Lindqvist?').waitFor();
    assert.deepEqual(await stateOf(ada), ['pending', null]);
    await chooseGold();
    await checkAccessibility(page, 'approving an application');
    await takePictures(page, 'approve-group');
    await page.keyboard.press('Control+s');
    await page.getByText('Ada Lindqvist approved').waitFor();
    assert.deepEqual(await stateOf(ada), ['active', gold]);
    await page.keyboard.press('Control+z');
    await page.getByText('Undone. No email was sent.').waitFor();
    assert.deepEqual(await stateOf(ada), ['pending', null]);
  });

  test('on the screen of the affiliate asks for the group', async () => {
    await open(`affiliates/${noor.id}`);
    await page.locator('main header').getByRole('button', { name: 'Approve' }).click();
    await chooseGold();
    await sheet().getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Noor Haddad is active').waitFor();
    assert.deepEqual(await stateOf(noor), ['active', gold]);
  });

  test('in a program without groups is immediate', async () => {
    await app.service.pool.query(`update groups set status = 'archived' where id = $1`, [gold]);
    await open('affiliates');
    await page.locator(`[data-row="${ada.id}"] a`).first().focus();
    await page.keyboard.press('a');
    await page.getByText('Ada Lindqvist approved').waitFor();
    assert.deepEqual(await stateOf(ada), ['active', null]);
    assert.deepEqual(watched.takeFaults(), []);
  });
});
