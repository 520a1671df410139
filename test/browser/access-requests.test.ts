// A member asks for access on a screen that their role forbids; an owner finds the request in the overview and grants it. With
// SCREENSHOTS=1: pictures in .tributary/screens.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { TestMember } from '../support/harness.ts';
import { checkAccessibility } from '../support/screens/checks.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { takePictures } from '../support/screens/pictures.ts';
import { type Watched, waitForScreen, watchPage } from '../support/screens/watched-page.ts';

describe('a request for access', () => {
  let app: Console;
  let watched: Watched;
  let page: Page;
  let owner: TestMember;
  let tom: TestMember;

  before(async () => {
    app = await openConsole();
    owner = await app.service.asMember('owner', { name: 'Dana Calder' });
    tom = await app.service.asMember('viewer', { name: 'Tom Ruiz' });
    watched = await watchPage(app.context, app.origin);
    page = watched.page;
    page.setDefaultTimeout(60_000);
  });
  after(() => app?.close());

  const open = async (member: TestMember, path: string) => {
    await app.signInAs(member);
    await page.goto(`${app.origin}/console/${app.service.program.programId}/${path}`);
    await waitForScreen(page);
  };

  test('is made on the screen that is forbidden, once', async () => {
    await open(tom, 'settings/api-keys');
    await page.getByText('Dana Calder can grant it.').waitFor();
    await checkAccessibility(page, 'a forbidden screen');
    await takePictures(page, 'access-forbidden');
    await page.getByRole('button', { name: 'Request access' }).click();
    await page.getByRole('button', { name: 'Access requested' }).waitFor();
    await page.reload();
    assert.ok(await page.getByRole('button', { name: 'Access requested' }).isDisabled());
  });

  test('is found in the overview by an owner, and granted', async () => {
    await open(owner, '');
    await takePictures(page, 'access-overview');
    await page.getByRole('link', { name: /Access request/ }).click();
    await page.getByText('Asks for: Developer').waitFor();
    await checkAccessibility(page, 'an access request');
    await takePictures(page, 'access-members');
    await page.getByRole('button', { name: 'Grant: Tom Ruiz' }).click();
    await page.getByText('Tom Ruiz now has the role Developer.').waitFor();
    await open(tom, 'settings/api-keys');
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    assert.equal(await page.getByRole('button', { name: /Access|Request access/ }).count(), 0);
    assert.deepEqual(watched.takeFaults(), []);
  });
});
