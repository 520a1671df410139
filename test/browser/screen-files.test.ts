// The files of screens are loaded when a screen is opened: offline, and after a release that replaced them.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { waitForScreen } from '../support/screens/watched-page.ts';

describe('a screen whose file is not there', () => {
  let app: Console;
  let page: Page;
  before(async () => {
    app = await openConsole();
    await app.signInAs(await app.service.asMember('owner', { name: 'Dana Calder' }));
    page = await app.context.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(`${app.origin}/console/${app.service.program.programId}`);
    await waitForScreen(page);
  });
  after(() => app?.close());

  const openAffiliates = () => page.getByRole('link', { name: 'Affiliates', exact: true }).first().click();
  const title = () => page.getByRole('heading', { level: 1, name: 'Affiliates' });

  test('says that the browser is offline, and opens when it is online again', async () => {
    await app.context.setOffline(true);
    await openAffiliates();
    await page.getByText("You're offline, so this screen can't be opened.").waitFor();
    // 24 hours, as everywhere.
    await page.getByText(/^You're offline\. Showing data from \d\d:\d\d\.$/).waitFor();
    await app.context.setOffline(false);
    await title().waitFor();
  });

  test('is found after a release removed the files that an open page knows', async () => {
    await page.goto(`${app.origin}/console/${app.service.program.programId}`);
    await waitForScreen(page);
    await page.evaluate('sessionStorage.clear()');
    let rejected = 0;
    await page.route('**/Customers-*.js', (route) => {
      rejected += 1;
      return rejected === 1 ? route.fulfill({ status: 404, body: '' }) : route.continue();
    });
    await page.getByRole('link', { name: 'Customers' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor();
    assert.ok(rejected > 1, 'the page was loaded again');
    await page.unroute('**/Customers-*.js');
  });

  test('an unknown address of a program has one main landmark and leads back', async () => {
    for (const base of ['console', 'portal']) {
      if (base === 'portal') await app.signInAs(await anAccount(app));
      await page.goto(`${app.origin}/${base}/${app.service.program.programId}/no-such-screen`);
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
      assert.equal(await page.getByRole('main').count(), 1, base);
    }
  });
});

async function anAccount({ service }: Console) {
  const { body } = await service.request('POST', `${service.program.path}/affiliates`, {
    body: { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lindqvist', autoApprove: true },
  });
  return service.asAffiliate({ id: body.id, email: 'ada@example.com' });
}
