// Tables continue beyond the 10,000 rows that the API skips: forward and back, after reloading, and with another order.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { type Watched, waitForScreen, watchPage } from '../support/screens/watched-page.ts';

const groups = 10_450;

describe('tables with more than 10,000 rows', () => {
  let app: Console;
  let watched: Watched;
  let page: Page;
  let base: string;

  before(async () => {
    app = await openConsole();
    const { service } = app;
    const { programId } = service.program;
    await service.pool.query(
      `insert into groups (program_id, id, name, name_key, status, created_at, updated_at)
       select $1, gen_random_uuid(), 'Group ' || lpad(number::text, 5, '0'), number, 'active', $2, $2 from generate_series(1, ${groups}) as number`,
      [programId, service.clock.now()],
    );
    await service.pool.query(
      `insert into audit_log (program_id, id, actor_kind, actor_id, action, subject_id, created_at)
       select $1, gen_random_uuid(), 'schedule', 'commissions.mature', 'program.updated', $1, $2::timestamptz - make_interval(secs => number)
       from generate_series(1, 10300) as number`,
      [programId, service.clock.now()],
    );
    await app.signInAs(await service.asMember('owner', { name: 'Dana Calder' }));
    watched = await watchPage(app.context, app.origin);
    page = watched.page;
    page.setDefaultTimeout(60_000);
    base = `${app.origin}/console/${programId}`;
  });
  after(() => app?.close());

  const names = async () => (await page.locator('tbody tr[data-row]').allInnerTexts()).map((text) => /Group (\d{5})/.exec(text)?.[1]);
  const go = async (button: 'Next page' | 'Previous page', range: string) => {
    await page.getByRole('button', { name: button }).click();
    await page.getByText(range).waitFor();
  };

  test('the groups continue with the next row, and go back through the same pages', async () => {
    await page.goto(`${base}/groups?sort=name&size=200&page=50`);
    await waitForScreen(page);
    await page.getByText('10,001–10,200 of 10,450').waitFor();
    await go('Next page', '10,201–10,400 of 10,450');
    assert.deepEqual([(await names())[0], (await names()).at(-1)], ['10201', '10400']);
    await go('Next page', '10,401–10,450 of 10,450');
    assert.deepEqual([(await names())[0], (await names()).length], ['10401', 50]);
    assert.ok(await page.getByRole('button', { name: 'Next page' }).isDisabled());
    await page.reload();
    await waitForScreen(page);
    await page.getByText('10,401–10,450 of 10,450').waitFor();
    await page.goBack();
    await page.getByText('10,201–10,400 of 10,450').waitFor();
    await go('Previous page', '10,001–10,200 of 10,450');
    assert.equal((await names())[0], '10001');
  });

  test('the audit log keeps the total of its first page, because later pages have none', async () => {
    await page.goto(`${base}/settings/audit-log?size=200&page=50`);
    await waitForScreen(page);
    const total = /10,001–10,200 of (10,3\d\d)/.exec(await page.getByText(/10,001–10,200 of/).innerText())?.[1];
    await go('Next page', `10,201–${total} of ${total}`);
    await go('Previous page', `10,001–10,200 of ${total}`);
    assert.deepEqual(watched.takeFaults(), []);
  });
});
