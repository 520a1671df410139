// Preparing a payout batch in the console: affiliates are found by name, left out with a reason that is shown the next time, and
// paid up to a day. With SCREENSHOTS=1: pictures in .tributary/screens.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { anAffiliate, anOrder, aRule } from '../support/builders.ts';
import { checkAccessibility, checkWidth } from '../support/screens/checks.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { type Watched, waitForScreen, watchPage } from '../support/screens/watched-page.ts';

const folder = join(import.meta.dirname, '..', '..', '.tributary', 'screens');
const names = ['Ada Lindqvist', 'Zoë Amari', 'Leo Brandt', 'Mei Tanaka', 'Noor Haddad', 'Ines Costa'];

describe('preparing a payout batch', () => {
  let app: Console;
  let watched: Watched;
  let page: Page;
  let firstDay = '';

  before(async () => {
    mkdirSync(folder, { recursive: true });
    app = await openConsole();
    const { service } = app;
    await service.request('PATCH', service.program.path, { body: { minimumPayoutCents: 0 } });
    await aRule(service, { rate: 10 });
    const affiliates: { id: string }[] = [];
    for (const name of names) {
      const [firstName = '', lastName = ''] = name.split(' ');
      affiliates.push(await anAffiliate(service, { firstName, lastName, status: 'active' }));
    }
    for (const [index, { id }] of affiliates.entries()) await anOrder(service, { affiliateId: id, amountCents: 10_000 * (index + 1) });
    service.clock.advance({ days: 31 });
    firstDay = service.clock.now().toISOString().slice(0, 10);
    service.clock.advance({ days: -25 });
    await anOrder(service, { affiliateId: affiliates[0]?.id, amountCents: 90_000 });
    service.clock.advance({ days: 31 });
    await anOrder(service, { affiliateId: affiliates[1]?.id, amountCents: 33_000 });
    await app.context.clock.setFixedTime(service.clock.now());
    await app.signInAs(await service.asMember('owner', { name: 'Dana Calder' }));
    watched = await watchPage(app.context, app.origin);
    page = watched.page;
    page.setDefaultTimeout(60_000);
  });
  after(() => app?.close());

  const sheet = () => page.getByRole('dialog', { name: 'Pay affiliates' });
  const click = (name: string | RegExp) => sheet().getByRole('button', { name }).click();
  const open = async () => {
    await page.goto(`${app.origin}/console/${app.service.program.programId}/payouts?sheet=dispatch`);
    await waitForScreen(page);
    await sheet().getByRole('list', { name: 'Affiliates' }).waitFor();
  };
  const look = async (name: string) => {
    for (const width of [390, 820, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await checkWidth(page, `${name}, ${width} px`);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        if (process.env.SCREENSHOTS) await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${width}.png`), fullPage: true });
      }
    }
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await checkAccessibility(page, name);
  };

  test('an affiliate is found by name and left out with a reason; the others are paid up to a day', async () => {
    await open();
    await sheet().getByRole('searchbox', { name: 'Search by name' }).fill('zoe am');
    assert.equal(await sheet().getByRole('list', { name: 'Affiliates' }).getByRole('listitem').count(), 1);
    await sheet().getByRole('checkbox', { name: 'Zoë Amari' }).uncheck();
    await sheet().getByLabel('Why Zoë Amari is left out').fill('The contract is missing');
    await sheet().getByRole('searchbox', { name: 'Search by name' }).fill('');
    await sheet().getByText('5 affiliates, $280.00').waitFor();
    await look('dispatch-affiliates');
    await click('Continue');
    await sheet().getByText('5 affiliates, $280.00.').waitFor();
    await sheet().getByLabel('Pay what was due until').fill('2030-01-01');
    await sheet().getByText('Choose today or an earlier day').waitFor();
    assert.ok(await sheet().getByRole('button', { name: 'Continue' }).isDisabled());
    await sheet().getByLabel('Pay what was due until').fill(firstDay);
    await sheet().getByText('5 affiliates, $190.00.').waitFor();
    await look('dispatch-method');
    await click('Continue');
    await click('Pay 5 affiliates $190.00');
    await page.waitForURL(/\/payouts\/batches\/[0-9a-f-]{36}$/);
    const { body } = await app.service.request('GET', `${app.service.program.path}/payouts/batches`);
    assert.deepEqual([body.batches[0].totalCents, body.batches[0].payoutCount], [19_000, 5]);
  });

  test('the next time, the reason is on the row, and the affiliate is left out again until someone selects them', async () => {
    await open();
    await sheet().getByText('1 affiliate, $90.00').waitFor();
    assert.equal(await sheet().getByLabel('Why Zoë Amari is left out').inputValue(), 'The contract is missing');
    await page.keyboard.press('Escape');
    await page.getByRole('region', { name: 'Ready to pay' }).getByText('Left out of the last batch: The contract is missing').waitFor();
    await look('dispatch-left-out');
    const { body } = await app.service.request('GET', `${app.service.program.path}/payouts/forecast?days=60`);
    const bars = page.getByRole('region', { name: 'What matures' });
    await bars.getByText('Payday: 7 May').waitFor();
    for (const unit of ['Weeks', 'Months']) {
      await bars.getByRole('button', { name: unit }).click();
      const amounts = (await bars.locator('ol li').allInnerTexts()).map((text) =>
        Number((/\$([\d,.]+)/.exec(text)?.[1] ?? '').replaceAll(',', '')),
      );
      assert.equal(Math.round(amounts.reduce((sum, amount) => sum + amount, 0) * 100), body.days.at(-1).owedCents, unit);
      const drawn = await bars.locator('ol li:has([aria-hidden])').count();
      assert.equal(drawn, amounts.filter((amount) => amount > 0).length, `${unit}: nothing is drawn for nothing`);
    }
    await page.getByRole('button', { name: /^Pay 2 affiliates/ }).click();
    await sheet().getByRole('checkbox', { name: 'Zoë Amari' }).check();
    await sheet().getByText('2 affiliates, $110.00').waitFor();
    assert.deepEqual(watched.takeFaults(), []);
  });
});
