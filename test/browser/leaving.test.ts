// An affiliate reads on a phone what leaving means, leaves, and still reaches payouts and payout details.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { anAffiliate } from '../support/builders.ts';
import { checkAccessibility } from '../support/screens/checks.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { waitForScreen } from '../support/screens/watched-page.ts';

describe('leaving a program', () => {
  let app: Console;
  before(async () => {
    app = await openConsole();
  });
  after(() => app?.close());

  test('names the unpaid amount before, and leaves payouts and payout details open', async () => {
    const { service } = app;
    const ada = await anAffiliate(service, { status: 'active', email: 'ada@example.com' });
    const bonus = { affiliateId: ada.id, amountCents: 41_280, note: 'Spring' };
    assert.equal((await service.request('POST', `${service.program.path}/commissions`, { body: bonus })).status, 201);
    await app.signInAs(await service.asAffiliate(ada));
    const page = await app.context.newPage();
    page.setDefaultTimeout(60_000);
    await page.setViewportSize({ width: 390, height: 844 });
    const picture = async (name: string) => {
      if (process.env.SCREENSHOTS !== '1') return;
      mkdirSync('.tributary/screens', { recursive: true });
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.screenshot({ path: `.tributary/screens/leaving-${name}-${colorScheme}.png` });
      }
    };
    const home = `${app.origin}/portal/${service.program.programId}`;
    await page.goto(`${home}/account`);
    await waitForScreen(page);
    const card = page.locator('section', { hasText: 'Leave the program' }).last();
    await card.getByText("$412.80 isn't paid yet").waitFor();
    await card.scrollIntoViewIfNeeded();
    await picture('before');
    await card.getByRole('button', { name: 'Leave the program' }).press('Enter');
    await page.getByRole('dialog').getByText('$412.80 is still paid out').waitFor();
    await page.getByRole('dialog').getByRole('textbox').fill(ada.referralCode);
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Leave/ })
      .press('Enter');
    await page.getByRole('heading', { name: 'Your participation has ended' }).waitFor();
    await page.getByText("$412.80 isn't paid yet").waitFor();
    await picture('after');
    await checkAccessibility(page, 'the status of an affiliate who left');
    await page.getByRole('main').getByRole('link', { name: 'Payout details' }).press('Enter');
    await page.getByRole('button', { name: 'Add payout details' }).waitFor();
    await page.goto(`${home}/payouts`);
    await waitForScreen(page);
    await page.getByRole('heading', { name: 'Payouts', exact: true }).waitFor();
    await page.goto(`${home}/links`);
    await page.getByRole('heading', { name: 'Your participation has ended' }).waitFor();
  });
});
