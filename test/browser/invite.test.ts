// Inviting affiliates in the console, by addresses as people have them.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { waitForScreen } from '../support/screens/watched-page.ts';
import { until } from '../support/time/wait.ts';

describe('the sheet that invites affiliates', () => {
  let app: Console;
  let page: Page;
  before(async () => {
    app = await openConsole();
    await app.signInAs(await app.service.asMember('owner', { name: 'Dana Calder' }));
  });
  after(() => app?.close());

  async function openSheet(): Promise<void> {
    await page?.close({ runBeforeUnload: false });
    page = await app.context.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(`${app.origin}/console/${app.service.program.programId}/affiliates?sheet=invite`);
    await waitForScreen(page);
  }
  const findAffiliate = async (email: string) => {
    const { rows } = await app.service.pool.query('select first_name, last_name from affiliates where email = $1', [email]);
    return rows[0] as { first_name: string; last_name: string } | undefined;
  };

  test('accepts what its placeholder shows: an address from which only a first name can be guessed', async () => {
    await openSheet();
    const field = page.getByLabel('Email addresses');
    await field.fill((await field.getAttribute('placeholder')) ?? '');
    await page.getByRole('button', { name: 'Invite 2 affiliates' }).click();
    await page.getByText('2 affiliates invited').first().waitFor();
    assert.deepEqual(await findAffiliate('ada@example.com'), { first_name: 'Ada', last_name: '' });
    await page.getByRole('table').getByText('Ada', { exact: true }).waitFor();
  });

  test('keeps rows that fail with their reason, until they are corrected', async () => {
    await openSheet();
    await page
      .getByLabel('Email addresses')
      .fill('leo@example\nMei Tanaka <mei@example.com>\nnot-an-address\nada@example.com\ninfo@example.com');
    const rows = page.getByRole('listitem').filter({ has: page.getByRole('textbox', { name: /^Email/ }) });
    await until('each entry is a row', async () => (await rows.count()) === 5);
    await page.getByRole('button', { name: 'Invite 5 affiliates' }).click();
    await page.getByText('1 affiliate invited. 4 need your attention.').waitFor();
    assert.deepEqual(
      await rows.evaluateAll((items) =>
        items.map((item) => (item as unknown as { innerText: string }).innerText.trim().split('\n').at(-1)),
      ),
      [
        'Not an email address',
        'Not an email address · First name: Required',
        'Already an affiliate of this program',
        'First name: Required',
      ],
    );
    assert.deepEqual(await findAffiliate('mei@example.com'), { first_name: 'Mei', last_name: 'Tanaka' });
    await page.getByLabel('Email of not-an-address').fill('noor@example.com');
    await page.getByLabel('First name of noor@example.com').fill('نور');
    await page.getByLabel('Email of leo@example').fill('leo@example.com');
    await page.getByLabel('First name of info@example.com').fill('Info');
    await page.getByRole('button', { name: 'Remove ada@example.com' }).click();
    await page.getByRole('button', { name: 'Invite 3 affiliates' }).click();
    await page.getByText('3 affiliates invited').first().waitFor();
    assert.deepEqual(await findAffiliate('noor@example.com'), { first_name: 'نور', last_name: '' });
  });
});
