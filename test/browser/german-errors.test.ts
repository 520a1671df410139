// In a German console and portal, failed requests are explained in German: toasts name the reason.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { anAffiliate } from '../support/builders.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { waitForScreen } from '../support/screens/watched-page.ts';

const english = /\b(the|this|has|already|request|try again|failed|fetch|your)\b/i;

describe('a failed request in German', () => {
  let app: Console;
  let page: Page;
  before(async () => {
    app = await openConsole();
    page = await app.context.newPage();
    page.setDefaultTimeout(60_000);
  });
  after(() => app?.close());

  const toast = () => page.getByRole('region', { name: 'Benachrichtigungen' }).getByRole('listitem');
  const speakGerman = () => app.context.addCookies([{ name: 'trb-language', value: 'de', url: app.origin }]);

  async function openPending(email: string): Promise<string> {
    const { service, origin } = app;
    await app.signInAs(await service.asMember('owner', { name: 'Dana Calder' }));
    await speakGerman();
    const { id } = await anAffiliate(service, { email, autoApprove: false });
    await service.pool.query(`update affiliates set status = 'pending' where id = $1`, [id]);
    await page.goto(`${origin}/console/${service.program.programId}/affiliates/${id}`);
    await waitForScreen(page);
    return id;
  }

  test('is explained by its code in the console', async () => {
    const id = await openPending('decided@example.com');
    await app.service.request('PATCH', `${app.service.program.path}/affiliates/${id}`, { body: { status: 'active' } });
    await page
      .getByRole('button', { name: /freigeben$/ })
      .first()
      .click();
    await toast().filter({ hasText: 'Das wurde bereits genauso entschieden.' }).waitFor();
    assert.doesNotMatch(await toast().first().innerText(), english);
  });

  test('is explained in the portal', async () => {
    const { service, origin } = app;
    const { id } = await anAffiliate(service, { email: 'ada@example.com' });
    await app.signInAs(await service.asAffiliate({ id, email: 'ada@example.com' }));
    await speakGerman();
    await page.goto(`${origin}/portal/${service.program.programId}/account`);
    await waitForScreen(page);
    await service.pool.query('delete from affiliate_accounts where affiliate_id = $1', [id]);
    await page.getByRole('switch').first().click();
    await toast().filter({ hasText: 'Das existiert nicht mehr' }).waitFor();
  });
});
