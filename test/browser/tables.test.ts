// What all tables of the console have in common: the height of their rows.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { TestMember } from '../support/harness.ts';
import { fillProgram } from '../support/screens/fill-program.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { waitForScreen } from '../support/screens/watched-page.ts';

const paths = [
  'affiliates',
  'conversions',
  'conversions?view=unattributed',
  'customers',
  'pages',
  'settings/mailbox',
  'settings/audit-log',
];

/** The heights of the rows, each once. */
const heights = `[...new Set([...document.querySelectorAll('tbody tr[data-row]')].map((row) => Math.round(row.getBoundingClientRect().height)))]`;

describe('the tables of the console', () => {
  let app: Console;
  let dana: TestMember;
  let address: string;
  before(async () => {
    app = await openConsole();
    await fillProgram(app.service, app.service.program);
    dana = await app.service.asMember('owner', { name: 'Dana Calder' });
    address = `${app.origin}/console/${app.service.program.programId}`;
    await app.context.clock.setFixedTime(app.service.clock.now());
    await app.signInAs(dana);
  });
  after(() => app?.close());

  async function heightsOf(page: Page, path: string): Promise<unknown> {
    await page.goto(`${address}/${path}`);
    await waitForScreen(page);
    await page.locator('tbody tr[data-row]').first().waitFor();
    return page.evaluate(heights);
  }

  test('rows are 40 px high, and 32 px once a user asks for it, in every table and browser', async () => {
    const page = await app.context.newPage();
    for (const path of paths) assert.deepEqual(await heightsOf(page, path), [40], path);
    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
    await page.getByRole('button', { name: 'Compact rows' }).click();
    assert.equal((await saved).status(), 200);
    const other = await app.context.newPage();
    for (const path of paths) {
      await heightsOf(other, path);
      await other.getByRole('button', { name: 'Compact rows', pressed: true }).waitFor();
      assert.deepEqual(await other.evaluate(heights), [32], path);
    }
  });
});
