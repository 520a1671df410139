// What all tables of the console have in common: the height of their rows, headers that are never cut, and names in what they
// open.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { TestMember } from '../support/harness.ts';
import { fillProgram } from '../support/screens/fill-program.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { openScreen } from '../support/screens/watched-page.ts';

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

/** The texts of the headers that are shortened. */
const cutHeaders = `[...document.querySelectorAll('thead th span')].filter((each) => each.scrollWidth > each.clientWidth && each.clientWidth > 1).map((each) => each.textContent)`;

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
    await openScreen(page, `${address}/${path}`);
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

  test('headers are never cut', async () => {
    const page = await app.context.newPage();
    for (const width of [1440, 820]) {
      await page.setViewportSize({ width, height: 900 });
      for (const path of paths) {
        await openScreen(page, `${address}/${path}`);
        // Without room for its columns, a table is a list, which has no headers.
        await page.locator('[data-row]').first().waitFor();
        await page.evaluate('document.fonts.ready.then(() => new Promise((resolve) => requestAnimationFrame(() => resolve(null))))');
        assert.deepEqual(await page.evaluate(cutHeaders), [], `${path}, ${width} px`);
      }
    }
  });

  test('the number of results is announced when it changes, and does not stay in the page', async () => {
    const page = await app.context.newPage();
    const region = (text: string | RegExp) => page.locator('[role=status][aria-live=polite]').filter({ hasText: text });
    await page.goto(`${address}/affiliates?search=no-such-name`);
    await region(/^0 results$/).waitFor({ state: 'attached' });
    await page.getByRole('searchbox').fill('zoe');
    await region(/^[1-9]\d* results?$/).waitFor({ state: 'attached' });
    assert.equal(await region(/^0 results$/).count(), 0);
    await region(/^[1-9]\d* results?$/).waitFor({ state: 'detached', timeout: 60_000 });
  });

  test('a change to one affiliate has the name in its title', async () => {
    const page = await app.context.newPage();
    await page.goto(`${address}/affiliates?search=zoe`);
    await page
      .getByRole('checkbox', { name: /^Select Zoë/ })
      .first()
      .check({ force: true });
    await page.getByRole('button', { name: 'Set group' }).click();
    await page.getByRole('dialog', { name: /^Set the group of Zoë/ }).waitFor();
  });

  test('publishing the page of an inactive affiliate says that it stays offline', async () => {
    const { pool, program } = app.service;
    const { rows } = await pool.query(
      `update landing_pages set is_published = false, approved_revision = revision, review_status = 'approved' where program_id = $1 returning affiliate_id, slug`,
      [program.programId],
    );
    const [{ affiliate_id: id, slug }] = rows;
    const changed = await dana.request('PATCH', `${program.path}/affiliates/${id}`, { body: { status: 'suspended' } });
    assert.equal(changed.status, 200, changed.text);
    const page = await app.context.newPage();
    await page.goto(`${address}/pages?page-slug=${slug}`);
    await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText(/^The page is published, but stays offline until .+ is active\.$/).waitFor();
  });
});
