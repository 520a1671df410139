// Groups in the console: one is added with its terms, changed, and archived while its members move to another one. With
// SCREENSHOTS=1: pictures in .tributary/screens.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { moveProgram } from '../../server/partners/groups/moves/move-by-volume.ts';
import { aGroup, anAffiliate, anOrder } from '../support/builders.ts';
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

  test('affiliates move by volume: who would move is shown before it is saved', async () => {
    const { service } = app;
    const silver = await aGroup(service, 'Silver');
    const platinum = await aGroup(service, 'Platinum');
    const kofi = await anAffiliate(service, { firstName: 'Kofi', lastName: 'Mensah', status: 'active' });
    await anAffiliate(service, { firstName: 'Mei', lastName: 'Tanaka', status: 'active', groupId: platinum });
    for (const day of [1, 2]) {
      const occurredAt = new Date(service.clock.now().getTime() - day * 86_400_000).toISOString();
      await anOrder(service, { affiliateId: kofi.id, amountCents: 5000, occurredAt });
    }
    await page.goto(`${app.origin}/console/${service.program.programId}/groups`);
    await waitForScreen(page);
    await button('Automatic moves').press('Enter');
    await sheet().getByText('Enter the volume of at least one group').waitFor();
    await shoot('moves-empty');
    await sheet().getByLabel('Silver', { exact: true }).fill('2');
    await sheet().getByLabel('Platinum').fill('2');
    await sheet().getByRole('switch', { name: 'Move affiliates automatically' }).check();
    await page.keyboard.press('Control+s');
    await sheet().getByRole('paragraph').filter({ hasText: 'Each group needs a different volume.' }).first().waitFor();
    await shoot('moves-invalid');
    await sheet().getByLabel('Platinum').fill('20');
    await sheet().getByText('1 affiliate would move').waitFor();
    await sheet().getByRole('listitem').filter({ hasText: 'Kofi Mensah' }).filter({ hasText: 'No group → Silver' }).waitFor();
    await sheet().getByText('1 affiliate is below the volume of their group and keeps it.').waitFor();
    await sheet().getByRole('switch', { name: 'Move affiliates down' }).check();
    await checkAccessibility(page, 'automatic moves');
    await shoot('moves');
    await sheet().getByRole('button', { name: 'Sales' }).click();
    await sheet().getByLabel('Silver', { exact: true }).fill('80');
    await sheet().getByRole('listitem').filter({ hasText: '$100.00' }).waitFor();
    await shoot('moves-sales');
    await sheet().getByRole('button', { name: 'Orders' }).click();
    // Someone else changes the same volumes.
    const changed = await service.request('PATCH', `${service.program.path}/group-moves`, {
      body: { steps: [{ groupId: silver, from: 7 }] },
    });
    assert.equal(changed.status, 200, changed.text);
    await page.keyboard.press('Control+s');
    await sheet().getByText('Silver 7 orders').waitFor();
    await checkAccessibility(page, 'a conflict of automatic moves');
    await shoot('moves-conflict');
    await sheet().getByRole('button', { name: 'Keep' }).click();
    await page.keyboard.press('Control+s');
    await page.getByText('The automatic moves were saved.').waitFor();
    const { body } = await service.request('GET', `${service.program.path}/group-moves`);
    const steps = [
      { groupId: silver, from: 2 },
      { groupId: platinum, from: 20 },
    ];
    assert.deepEqual([body.isEnabled, body.metric, body.days, body.canMoveDown, body.steps], [true, 'conversions', 90, true, steps]);
    const faults = watched.takeFaults().filter((fault) => !/status of 412/.test(fault));
    assert.deepEqual(faults, []);
  });

  test('after a run, the sheet shows when affiliates were moved; in German too', async () => {
    const { service } = app;
    await moveProgram(service.program.programId, service.ctx);
    await app.context.addCookies([{ name: 'trb-language', value: 'de', url: app.origin }]);
    await page.goto(`${app.origin}/console/${service.program.programId}/groups?sheet=moves`);
    await sheet().getByText('Kein Affiliate würde wechseln.').waitFor();
    await sheet().getByText('Zuletzt gewechselt wurde').waitFor();
    await checkAccessibility(page, 'automatic moves in German');
    await shoot('moves-german');
    assert.deepEqual(watched.takeFaults(), []);
  });
});
