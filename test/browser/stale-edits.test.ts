// Two people who edit one affiliate at the same time: the second one sees what the first one saved, and decides.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { anAffiliate } from '../support/builders.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { waitForScreen } from '../support/screens/watched-page.ts';

describe('editing one affiliate in two tabs', () => {
  let app: Console;
  let id: string;
  before(async () => {
    app = await openConsole();
    await app.signInAs(await app.service.asMember('owner', { name: 'Dana Calder' }));
    ({ id } = await anAffiliate(app.service, { firstName: 'Ada', lastName: 'Lindqvist', email: 'ada@example.com' }));
  });
  after(() => app?.close());

  async function openForm(): Promise<Page> {
    const page = await app.context.newPage();
    page.setDefaultTimeout(10_000);
    await page.goto(`${app.origin}/console/${app.service.program.programId}/affiliates/${id}`);
    await waitForScreen(page);
    await page.getByRole('button', { name: 'Edit', exact: true }).first().click();
    await page.getByLabel('Last name').waitFor();
    return page;
  }
  const save = (page: Page) => page.getByRole('button', { name: 'Save changes' }).click();
  const read = async () => (await app.service.request('GET', `${app.service.program.path}/affiliates/${id}`)).body;

  test('shows who changed it and both versions, and keeps what was typed', async () => {
    const [first, second] = [await openForm(), await openForm()];
    await first.getByLabel('Last name').fill('Lovelace');
    await save(first);
    await first.getByText('Changes saved').first().waitFor();
    await second.getByLabel('Last name').fill('L.');
    await second.getByLabel('Tags').fill('podcast');
    await save(second);
    const notice = second.getByRole('alert').filter({ hasText: /^Dana Calder changed this / });
    await notice.waitFor();
    assert.match(await notice.innerText(), /Lovelace · yours: L\./);
    assert.equal((await read()).lastName, 'Lovelace');
    await notice.getByRole('button', { name: 'Keep what I typed' }).click();
    await save(second);
    await second.getByText('Changes saved').first().waitFor();
    const { lastName, tags } = await read();
    assert.deepEqual([lastName, tags], ['L.', ['podcast']]);
  });

  test('takes the saved version on request', async () => {
    const [first, second] = [await openForm(), await openForm()];
    await first.getByLabel('First name').fill('Augusta');
    await save(first);
    await first.getByText('Changes saved').first().waitFor();
    await second.getByLabel('First name').fill('A.');
    await save(second);
    await second.getByRole('button', { name: 'Use the saved version' }).click();
    assert.equal(await second.getByLabel('First name').inputValue(), 'Augusta');
    assert.equal((await read()).firstName, 'Augusta');
  });
});
