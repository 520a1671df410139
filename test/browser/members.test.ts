// A new member and a new second factor wait until another owner confirms them in the console; a session that has not used
// the user's second factor is asked for it. With SCREENSHOTS=1: pictures in .tributary/screens.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { addOrganizationMember } from '../../server/accounts/identity/members/add-member.ts';
import { transact } from '../../server/platform/db/transact.ts';
import type { TestMember } from '../support/harness.ts';
import { checkAccessibility } from '../support/screens/checks.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { waitForScreen, waitUntilStill, watchPage } from '../support/screens/watched-page.ts';

const folder = join(import.meta.dirname, '..', '..', '.tributary', 'screens');

describe('the members of a program', () => {
  let app: Console;
  let page: Page;
  let owner: TestMember;
  let fresh: TestMember;

  before(async () => {
    mkdirSync(folder, { recursive: true });
    app = await openConsole();
    owner = await app.service.asMember('owner', { name: 'Dana Calder' });
    fresh = await app.service.asMember('finance', { name: 'Finn Ortiz', isNew: true });
    await app.service.ctx.db
      .updateTable('users')
      .set({ secondFactorChangedAt: app.service.clock.now() })
      .where('id', '=', fresh.userId)
      .execute();
    await app.signInAs(owner);
    page = (await watchPage(app.context, app.origin)).page;
    page.setDefaultTimeout(60_000);
    await open('members');
  });
  after(() => app?.close());

  const open = async (screen: string) => {
    await page.goto(`${app.origin}/console/${app.service.program.programId}/settings/${screen}`);
    await waitForScreen(page);
  };
  const shoot = async (name: string) => {
    if (!process.env.SCREENSHOTS) return;
    for (const scheme of ['light', 'dark'] as const)
      for (const width of [390, 820, 1440]) {
        await page.emulateMedia({ colorScheme: scheme });
        await page.setViewportSize({ width, height: 900 });
        await waitUntilStill(page);
        await page.screenshot({ path: join(folder, `members-${name}-${scheme}-${width}.png`) });
      }
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1440, height: 900 });
  };

  test('with one owner, the screen says that 72 hours replace the second person', async () => {
    await page.getByText('This program has one owner').waitFor();
    await page.getByText('Can approve payouts and settings from').waitFor();
    await page.getByText('Can send payouts from').waitFor();
    await checkAccessibility(page, 'members who wait');
    await shoot('waiting');
  });

  test('single sign-on shows the record of a new domain, and what is wrong with the provider', async () => {
    await open('single-sign-on');
    await page.getByLabel('Domain', { exact: true }).fill('Brand.example');
    await page.getByRole('button', { name: 'Add domain' }).click();
    await page.getByText('_tributary.brand.example').waitFor();
    await page.getByRole('button', { name: 'Verify: brand.example' }).click();
    await page.getByText("The DNS record wasn't found. A new record can take an hour to appear.").waitFor();
    for (const [name, value] of [
      ['Issuer', 'https://login.brand.example/?x'],
      ['Client ID', 'tributary'],
      ['Client secret', 'x7Jp2vQd'],
    ] as const)
      await page.getByLabel(name, { exact: true }).fill(value);
    await page.getByRole('button', { name: /^Save changes/ }).click();
    await page.locator('[data-field=issuer][aria-invalid=true]').waitFor();
    await checkAccessibility(page, 'single sign-on with an error');
    await shoot('single-sign-on');
    await open('members');
  });

  test('another owner confirms a new member, who then waits no longer', async () => {
    await page.getByRole('button', { name: 'Actions for Finn Ortiz' }).click();
    await page.getByRole('menuitem', { name: 'Confirm' }).click();
    await page.getByRole('heading', { name: 'Confirm Finn Ortiz?' }).waitFor();
    await checkAccessibility(page, 'confirming a member');
    await shoot('confirm');
    await page.getByRole('button', { name: 'Confirm Finn Ortiz' }).click();
    await page.getByText('Finn Ortiz confirmed').waitFor();
    await page.getByText('Can send payouts from').waitFor({ state: 'detached' });
    const path = `/app/programs/${app.service.program.programId}/members`;
    const { body } = await owner.request('GET', path);
    const member = body.members.find(({ userId }: { userId: string }) => userId === fresh.userId);
    assert.deepEqual([member.approvesFrom, member.paysFrom], [null, null]);
  });

  test('a role in the organization is changed and removed in the same list', async () => {
    const { service } = app;
    const { rows } = await service.pool.query('select organization_id from programs where id = $1', [service.program.programId]);
    const agent = await service.asMember('viewer', { name: 'Ana Gent' });
    const actor = { kind: 'command', id: 'test' } as const;
    await transact(service.ctx, async (tx) => {
      const give = (userId: string, role: 'owner' | 'viewer') =>
        addOrganizationMember(tx, { organizationId: rows[0].organization_id, userId, role, actor });
      await give(owner.userId, 'owner');
      await give(agent.userId, 'viewer');
    });
    await service.pool.query('delete from program_members where user_id = $1', [agent.userId]);
    await open('members');
    const menu = () => page.getByRole('button', { name: 'Actions for Ana Gent' }).click();
    await menu();
    await shoot('organization-menu');
    await page.getByRole('menuitem', { name: 'Change role in the organization' }).click();
    const sheet = page.getByRole('dialog', { name: 'Change the role of Ana Gent' });
    await sheet.getByText('Applies to all programs of the organization').waitFor();
    await sheet.getByLabel('Role', { exact: true }).first().click();
    await page.getByRole('option', { name: /^Finance/ }).click();
    await checkAccessibility(page, 'changing a role in the organization');
    await shoot('organization-role');
    await sheet.getByRole('button', { name: 'Save role' }).click();
    await page.getByText('Ana Gent now has the role Finance').waitFor();
    await menu();
    await page.getByRole('menuitem', { name: 'Remove from the organization' }).click();
    await page.getByRole('heading', { name: 'Remove Ana Gent from the organization?' }).waitFor();
    await shoot('organization-remove');
    await page.getByRole('button', { name: 'Remove Ana Gent' }).click();
    await page.getByText('Ana Gent removed').waitFor();
    await page.getByRole('button', { name: 'Actions for Ana Gent' }).waitFor({ state: 'detached' });
    const left = await service.pool.query('select from organization_members where user_id = $1', [agent.userId]);
    assert.equal(left.rowCount, 0);
  });

  test('who has a passkey, but signed in without it, is asked for it', async () => {
    await app.service.ctx.db
      .updateTable('sessions')
      .set({ secondFactor: null, secondFactorAt: null })
      .where('userId', '=', owner.userId)
      .execute();
    await page.getByRole('button', { name: 'Actions for Finn Ortiz' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove Finn Ortiz' }).click();
    await page.getByRole('heading', { name: "Confirm it's you" }).waitFor();
    await page.getByRole('button', { name: /passkey/i }).waitFor();
    await shoot('step-up');
  });

  test('the security screen says from when a new second factor counts', async () => {
    await app.service.ctx.db
      .updateTable('users')
      .set({ secondFactorChangedAt: app.service.clock.now() })
      .where('id', '=', owner.userId)
      .execute();
    await open('security');
    await page.getByText('Your second factor changed recently').waitFor();
    await checkAccessibility(page, 'a new second factor');
    await shoot('security');
  });
});
