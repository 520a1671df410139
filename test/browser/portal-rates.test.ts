// An affiliate sees on a phone what the next order earns and what is missing for a better rate.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { anAffiliate, anOrder, aProduct, aRule } from '../support/builders.ts';
import { checkAccessibility } from '../support/screens/checks.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { waitForScreen } from '../support/screens/watched-page.ts';

describe('the rate card', () => {
  let app: Console;
  before(async () => {
    app = await openConsole();
  });
  after(() => app?.close());

  test('shows the tiers, the total so far and what is missing', async () => {
    const { service } = app;
    const ada = await anAffiliate(service, { status: 'active', email: 'ada@example.com' });
    const tier = { metric: 'amountCents', period: 'month' };
    await aRule(service, { name: 'Standard', rate: 10, tiers: [Object.assign({ from: 100_000, rate: 15 }, tier)] });
    const productId = await aProduct(service, { name: 'Evening tea', priceCents: 2400 });
    const orders = [
      { metric: 'conversions', period: 'total', from: 1, amountCents: 400 },
      { metric: 'conversions', period: 'total', from: 20, amountCents: 500 },
    ];
    await aRule(service, { name: 'Tea', productId, type: 'flat', amountCents: 300, rate: null, tiers: orders });
    await anOrder(service, { affiliateId: ada.id, amountCents: 82_000 });
    await app.signInAs(await service.asAffiliate(ada));
    const page = await app.context.newPage();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${app.origin}/portal/${service.program.programId}/rates`);
    await waitForScreen(page);
    const main = page.locator('main');
    const text = (await main.innerText()).replaceAll(/\s+/g, ' ');
    assert.match(text, /\$820\.00 in sales this month \$180\.00 to go until the next rate\. From \$1,000\.00 15%/);
    assert.match(text, /The total starts again on 1 \w+/);
    assert.match(
      text,
      /1 order so far 19 orders to go until the next rate\. From 1 order \$4\.00 per order Reached From 20 orders \$5\.00/,
    );
    await checkAccessibility(page, 'the rate card');
    if (process.env.SCREENSHOTS !== '1') return;
    mkdirSync('.tributary/screens', { recursive: true });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `.tributary/screens/portal-rates-${colorScheme}.png`, fullPage: true });
    }
  });
});
