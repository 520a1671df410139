// An upline who earns nothing, because no commission rule pays the second level, is named where the upline is chosen and on
// the affiliate's screen. SCREENSHOTS=1: pictures in .tributary/screens.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { anAffiliate, aRule } from '../support/builders.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { waitForScreen } from '../support/screens/watched-page.ts';

const folder = join(import.meta.dirname, '../../.tributary/screens');

describe('an upline in a program without a rule of the second level', () => {
  let app: Console;
  let page: Page;
  let affiliateId: string;
  before(async () => {
    app = await openConsole();
    const { service } = app;
    await aRule(service, { rate: 10 });
    const upline = await anAffiliate(service, { firstName: 'Una', lastName: 'Marsh', status: 'active' });
    affiliateId = (await anAffiliate(service, { status: 'active', parentAffiliateId: upline.id })).id;
    await app.signInAs(await service.asMember('owner', { name: 'Dana Calder' }));
    page = await app.context.newPage();
    page.setDefaultTimeout(60_000);
  });
  after(() => app?.close());

  const open = async (path: string) => {
    await page.goto(`${app.origin}/console/${app.service.program.programId}/${path}`);
    await waitForScreen(page);
  };
  const capture = async (name: string) => {
    if (!process.env.SCREENSHOTS) return;
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [390, 820, 1440]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        await page.screenshot({ path: join(folder, `upline-${name}-${colorScheme}-${width}.png`) });
      }
  };

  test('is named on the screen of the affiliate and in both forms, until a rule pays it', async () => {
    const noRule = 'Earns nothing yet: no commission rule pays the second level';
    await open(`affiliates/${affiliateId}`);
    await page.getByText('The upline Una Marsh earns nothing').waitFor();
    await capture('notice');
    await page.getByRole('button', { name: /^Edit/ }).first().click();
    await page.getByText(noRule).waitFor();
    await capture('edit');
    await open('affiliates?sheet=invite');
    await page.getByText(noRule).waitFor();
    await aRule(app.service, { level: 2, rate: 2 });
    await open('affiliates?sheet=invite');
    await page.getByText('Earns on the second level').waitFor();
    await open(`affiliates/${affiliateId}`);
    assert.equal(await page.getByText('The upline Una Marsh earns nothing').count(), 0);
  });

  test('leads to the commission rules', async () => {
    const { id } = await anAffiliate(app.service, { status: 'active' });
    const rules = (await app.service.request('GET', `${app.service.program.path}/commission-rules?level=2`)).body.commissionRules;
    for (const rule of rules)
      await app.service.request('PATCH', `${app.service.program.path}/commission-rules/${rule.id}`, { body: { status: 'archived' } });
    await app.service.request('PATCH', `${app.service.program.path}/affiliates/${id}`, { body: { parentAffiliateId: affiliateId } });
    await open(`affiliates/${id}`);
    await page.getByRole('link', { name: 'Open the commission rules' }).click();
    await page.getByRole('heading', { level: 1, name: /rules/i }).waitFor();
  });
});
