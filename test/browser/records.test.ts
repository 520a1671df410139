// What finance needs besides payouts: an affiliate's statement and tax form, the check of the ledger and the totals of a year.
// With SCREENSHOTS=1: pictures in .tributary/screens.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { checkAccessibility } from '../support/screens/checks.ts';
import { fillProgram } from '../support/screens/fill-program.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { type Watched, waitForScreen, waitUntilStill, watchPage } from '../support/screens/watched-page.ts';

describe('records in the console', () => {
  let app: Console;
  let watched: Watched;
  let page: Page;
  let affiliateId = '';
  before(async () => {
    app = await openConsole();
    ({ affiliateId = '' } = await fillProgram(app.service, app.service.program));
    await app.context.clock.setFixedTime(app.service.clock.now());
    await app.signInAs(await app.service.asMember('finance', { name: 'Dana Calder' }));
    watched = await watchPage(app.context, app.origin);
    page = watched.page;
    page.setDefaultTimeout(60_000);
  });
  after(() => app?.close());

  const open = async (path: string) => {
    await page.goto(`${app.origin}/console/${app.service.program.programId}/${path}`);
    await waitForScreen(page);
  };
  const save = async (button: ReturnType<Page['getByRole']>) => {
    const [file] = await Promise.all([page.waitForEvent('download'), button.press('Enter')]);
    return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'latin1') };
  };
  const shoot = async (name: string) => {
    if (!process.env.SCREENSHOTS) return;
    mkdirSync('.tributary/screens', { recursive: true });
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [390, 820, 1440]) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.setViewportSize({ width, height: 900 });
        await waitUntilStill(page);
        await page.screenshot({ path: `.tributary/screens/records-${name}-${width}-${colorScheme}.png`, fullPage: true });
      }
  };

  test("an affiliate's statement is saved, and the tax form on file is named", async () => {
    await open(`affiliates/${affiliateId}?tab=payouts`);
    const taxForm = page.getByRole('region', { name: 'Tax form' });
    await taxForm.getByText('None on file').waitFor();
    await taxForm.getByText("Payouts of this program don't depend on a tax form.").waitFor();
    const statements = page.getByRole('region', { name: 'Monthly statements' });
    const pdf = await save(statements.getByRole('button', { name: 'Download PDF' }));
    assert.match(pdf.text, /^%PDF-/);
    assert.match(pdf.name, /^statement-\d{4}-\d\d-\w{8}\.pdf$/);
    const csv = await save(statements.getByRole('button', { name: 'Download CSV' }));
    assert.match(csv.text, /^seq,createdAt,kind/);
    await checkAccessibility(page, 'the payouts of an affiliate');
    await shoot('affiliate');
  });

  test('the ledger is checked when asked for, and the result is explained', async () => {
    await open('settings/data');
    const ledger = page.getByRole('region', { name: 'Check the ledger' });
    await ledger.getByRole('button', { name: 'Check the ledger' }).press('Enter');
    await ledger.getByText('The ledger is correct').waitFor();
    const { rows } = await app.service.pool.query('select count(*)::int as count from ledger_entries where program_id = $1', [
      app.service.program.programId,
    ]);
    const count = rows[0].count.toLocaleString('en');
    await ledger.getByText(`${count} of ${count}`).waitFor();
    await checkAccessibility(page, 'the check of the ledger');
  });

  test('the totals of a year are a table and a file', async () => {
    const totals = page.getByRole('region', { name: 'Annual totals' });
    const query = `${app.service.program.path}/tax/totals?expand=affiliate`;
    const { body } = await app.service.request('GET', query);
    const [first] = body.totals;
    await totals.getByText(first.affiliate.name).first().waitFor();
    const { name, text } = await save(totals.getByRole('button', { name: 'Download CSV' }));
    assert.match(name, new RegExp(`-totals-${body.year}\\.csv$`));
    const lines = text.trim().split('\r\n');
    assert.equal(lines.length, body.total + 1);
    assert.ok(lines[1]?.startsWith(`${first.affiliateId},`) && lines[1]?.includes(`,${first.amountCents},`), text);
    assert.equal(await page.getByRole('region', { name: 'Delete program' }).count(), 0, 'only owners delete a program');
    await shoot('data');
    assert.deepEqual(watched.takeFaults(), []);
  });
});
