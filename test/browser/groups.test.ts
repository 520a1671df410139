// Groups in the console: one is added with its terms, changed, and archived while its members move to another one. With
// SCREENSHOTS=1: pictures in .tributary/screens.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { aGroup, anAffiliate } from '../support/builders.ts';
import { checkAccessibility } from '../support/screens/checks.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { takePictures } from '../support/screens/pictures.ts';
import { type Watched, waitForScreen, watchPage } from '../support/screens/watched-page.ts';

describe('the groups of a program', () => {
  let app: Console;
  let watched: Watched;
  let page: Page;
  let gold = '';

  before(async () => {
    app = await openConsole();
    gold = await aGroup(app.service, 'Gold');
    await anAffiliate(app.service, { firstName: 'Ada', lastName: 'Lindqvist', groupId: gold, status: 'active' });
    await app.signInAs(await app.service.asMember('admin', { name: 'Dana Calder' }));
    watched = await watchPage(app.context, app.origin);
    page = watched.page;
    page.setDefaultTimeout(60_000);
    await page.goto(`${app.origin}/console/${app.service.program.programId}/groups`);
    await waitForScreen(page);
  });
  after(() => app?.close());

  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const sheet = () => page.getByRole('dialog');
  const shoot = (name: string) => takePictures(page, `groups-${name}`);
  const list = async () => (await app.service.request('GET', `${app.service.program.path}/groups?sort=name`)).body.groups;

  test('one is added by keyboard, with its hold period and minimum payout; a name that is taken is shown at its field', async () => {
    await page.keyboard.press('c');
    await sheet().getByLabel('Group').waitFor();
    await page.keyboard.type('gold');
    await page.keyboard.press('Control+s');
    await sheet().getByLabel('Group').and(page.locator('[aria-invalid=true]')).waitFor();
    await sheet().getByLabel('Group').fill('Clinicians');
    await sheet().getByLabel('Hold period').fill('14');
    await sheet().getByLabel('Minimum payout').fill('25');
    await checkAccessibility(page, 'a new group');
    await shoot('create');
    await page.keyboard.press('Control+s');
    await page.getByText('Clinicians was added.').waitFor();
    const [created] = await list();
    assert.deepEqual([created.name, created.holdDays, created.minimumPayoutCents], ['Clinicians', 14, 2500]);
    await shoot('list');
  });

  test('its sheet shows its terms, its rules and its members; it is changed', async () => {
    await page.getByRole('link', { name: 'Gold' }).click();
    await sheet().getByText('Ada Lindqvist').waitFor();
    await sheet().getByText('No rules for this group').waitFor();
    await checkAccessibility(page, 'a group');
    await shoot('sheet');
    await button('Edit').click();
    await sheet().getByLabel('Hold period').fill('7');
    await page.keyboard.press('Control+s');
    await page.getByText('The group was saved.').waitFor();
    assert.deepEqual(
      (await list()).map(({ holdDays }: { holdDays: number }) => holdDays),
      [14, 7],
    );
  });

  test('it is archived, and its members move to another group', async () => {
    await button('Archive').click();
    await sheet().getByLabel('1 affiliate is in this group').click();
    await page.getByRole('option', { name: 'Move to Clinicians' }).click();
    await checkAccessibility(page, 'archiving a group');
    await shoot('archive');
    await button('Archive Gold').click();
    await page.getByText('Gold was archived.').waitFor();
    const groups = await list();
    assert.deepEqual(
      groups.map(({ name, status, affiliateCount }: Record<string, unknown>) => [name, status, affiliateCount]),
      [
        ['Clinicians', 'active', 1],
        ['Gold', 'archived', 0],
      ],
    );
    const faults = watched.takeFaults().filter((fault) => !/status of 409/.test(fault));
    assert.deepEqual(faults, []);
  });
});
