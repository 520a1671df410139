// Exports in the console: a table exports its page, the selected rows or everything that matches, and the file is what the table
// shows. A long export is followed, cancelled and downloaded on its own screen. With SCREENSHOTS=1: pictures in .tributary/screens.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import type { Download, Page } from 'playwright-core';
import { anAffiliate } from '../support/builders.ts';
import type { TestMember } from '../support/harness.ts';
import { checkAccessibility } from '../support/screens/checks.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { takePictures } from '../support/screens/pictures.ts';
import { openScreen, waitForScreen } from '../support/screens/watched-page.ts';

type Line = Record<string, string>;
const customers = 10_001;

describe('exports', () => {
  let app: Console;
  let dana: TestMember;
  let page: Page;
  let base: string;

  before(async () => {
    app = await openConsole();
    const { service } = app;
    base = `/app/programs/${service.program.programId}`;
    for (let number = 1; number <= 55; number += 1)
      await anAffiliate(service, { firstName: 'Ada', lastName: `No. ${number}`, status: number > 3 ? 'active' : 'pending' });
    await service.pool.query(
      `insert into customers (program_id, id, changes, created_at, updated_at)
       select $1, gen_random_uuid(), 0, '2026-01-01'::timestamptz + n * interval '1 second', '2026-01-01' from generate_series(1, $2::int) as n`,
      [service.program.programId, customers],
    );
    dana = await service.asMember('owner', { name: 'Dana Calder' });
    await app.signInAs(dana);
    page = await app.context.newPage();
    page.setDefaultTimeout(60_000);
  });
  after(() => app?.close());

  const open = (path: string) => openScreen(page, `${app.origin}/console/${app.service.program.programId}/${path}`);
  const choose = async (name: RegExp) => {
    await page.getByRole('button', { name: 'Export as CSV' }).press('Enter');
    // An open menu focuses its first item a moment later, and would take the key.
    await page.locator('[role=menuitem]:focus').waitFor();
    await page.getByRole('menuitem', { name }).press('Enter');
  };
  const saved = async (act: () => Promise<void>): Promise<Download> => {
    const [download] = await Promise.all([page.waitForEvent('download'), act()]);
    return download;
  };
  const linesOf = async (download: Download) => parse(readFileSync(await download.path(), 'utf8'), { columns: true }) as Line[];
  const idsOf = (lines: readonly Record<string, unknown>[]) => lines.map(({ id }) => String(id));
  const shownIds = async (path: string) => idsOf((await dana.request('GET', `${base}${path}`)).body.affiliates);
  const row = () => page.locator('tbody tr[data-row]').first();

  test('of a page, a selection and everything that matches are the rows that the table shows', async () => {
    await open('affiliates?status=active&sort=-name');
    const shown = await shownIds('/affiliates?status=active&sort=-name&limit=50');
    const first = await saved(() => choose(/^This page \(50 rows\)/));
    assert.match(first.suggestedFilename(), /^affiliates-\d{4}-\d{2}-\d{2}\.csv$/);
    assert.deepEqual(idsOf(await linesOf(first)), shown);
    const all = await linesOf(await saved(() => choose(/^Everything that matches \(52 rows\)/)));
    assert.deepEqual(idsOf(all).toSorted(), (await shownIds('/affiliates?status=active&limit=100')).toSorted());
    for (const index of [0, 2]) await page.locator('tbody tr[data-row]').nth(index).getByRole('checkbox').press('Space');
    const selected = await linesOf(await saved(() => choose(/^Selected \(2 rows\)/)));
    assert.deepEqual(idsOf(selected).toSorted(), [shown[0], shown[2]].map(String).toSorted());
    assert.deepEqual(new Set(all.map(({ status }) => status)), new Set(['active']));
  });

  test('of many rows continue in the background, and are downloaded when they are finished', async () => {
    await open('customers');
    await choose(/^Everything that matches \(10,001 rows\)/);
    await page.getByText('The export continues in the background.').waitFor();
    await page.getByRole('button', { name: 'View' }).press('Enter');
    await waitForScreen(page);
    await row().getByText('0 of 10,001', { exact: true }).waitFor();
    await checkAccessibility(page, 'a running export');
    await takePictures(page, 'exports-running');
    await app.service.drain();
    await page.getByText('Your export is ready.').waitFor();
    await row().getByText('10,001 rows', { exact: true }).waitFor();
    const file = await linesOf(await saved(() => row().getByRole('button', { name: 'Download' }).press('Enter')));
    const { rows } = await app.service.pool.query('select id from customers order by created_at desc, id desc');
    assert.deepEqual(idsOf(file), idsOf(rows));
  });

  test('are cancelled while they run', async () => {
    await open('customers');
    await choose(/^Everything that matches/);
    await page.getByRole('button', { name: 'View' }).press('Enter');
    await row().getByRole('button', { name: 'Cancel' }).press('Enter');
    await row().getByText('Cancelled').waitFor();
    assert.equal(await row().getByRole('button').count(), 0);
    await app.service.drain();
    await row().getByText('Cancelled').waitFor();
  });

  test('say when they failed, or when their file has expired', async () => {
    const { pool } = app.service;
    await pool.query(`update background_tasks set status = 'failed' where status = 'cancelled'`);
    await pool.query(`update background_tasks set created_at = created_at - interval '8 days' where status = 'succeeded' and total = $1`, [
      customers,
    ]);
    await open('exports');
    await row().getByText('Failed').waitFor();
    await row().getByText('Export it again').waitFor();
    const expired = page.locator('tbody tr[data-row]', { hasText: '10,001 rows' });
    await expired.getByText('Expired').waitFor();
    assert.equal(await expired.getByRole('button').count(), 0);
    assert.equal(await page.getByRole('button', { name: 'Download' }).count(), 3);
    await checkAccessibility(page, 'the list of exports');
    await takePictures(page, 'exports');
  });
});
