// What the path of an order shows adds up to the API's amounts to the cent, and members refund, credit and enter orders in
// the console. With SCREENSHOTS=1: pictures in .tributary/screens.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { prepareWeb } from '../../server/platform/http/web/prepare.ts';
import { openBrowser } from '../support/browser.ts';
import { aCoupon, aGroup, anAffiliate, anOrder, aProduct, aRule } from '../support/builders.ts';
import { openTestService, type TestService } from '../support/harness.ts';
import { checkWidth } from '../support/screens/checks.ts';
import { type Watched, waitUntilStill, watchPage } from '../support/screens/watched-page.ts';

const folder = join(import.meta.dirname, '..', '..', '.tributary', 'screens');
const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

/** "$1,234.56" and "−$1.00" as cents; "1.234,56 €" is not used here. */
const toCents = (text: string) => Math.round(Number(text.replace(/[^\d.−-]/g, '').replace('−', '-')) * 100);

describe('orders in the console', () => {
  let service: TestService;
  let browser: Browser;
  let origin: string;
  let watched: Watched;
  let page: Page;
  const orders: Record<string, string> = {};

  before(async () => {
    mkdirSync(folder, { recursive: true });
    const web = prepareWeb({ log: { error: console.error, info: () => {} } });
    const [opened, outcome, launched] = await Promise.all([openTestService({ web }), web.settled, openBrowser()]);
    service = opened;
    browser = launched;
    assert.equal(outcome.kind, 'ready', 'the web apps could not be built');
    await service.app.listen({ port: 0, host: '127.0.0.1' });
    origin = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`;
    await seed();
    watched = await watchPage(await openContext(), origin);
    page = watched.page;
    page.setDefaultTimeout(60_000);
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  async function openContext(): Promise<BrowserContext> {
    const context = await browser.newContext({ viewport: sizes.desktop, colorScheme: 'light', locale: 'en-US', reducedMotion: 'reduce' });
    const { cookie } = await service.asMember('owner', { name: 'Dana Calder' });
    const [name = '', value = ''] = cookie.split('=');
    await context.addCookies([{ name, value, url: origin, httpOnly: true, sameSite: 'Lax' }]);
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
    await context.clock.setFixedTime(service.clock.now());
    return context;
  }

  async function seed(): Promise<void> {
    const clinicians = await aGroup(service, 'Clinicians');
    const person = (firstName: string, lastName: string, more: object = {}) =>
      anAffiliate(service, { status: 'active', firstName, lastName, ...more });
    const zoe = await person('Zoë', 'Amari');
    const ada = await person('Ada', 'Lindqvist', { groupId: clinicians, parentAffiliateId: zoe.id });
    const mateo = await person('Mateo', 'Castillo');
    const [kit, teapot] = [
      await aProduct(service, { name: 'Practice Starter Kit' }),
      await aProduct(service, { name: 'Stoneware Teapot' }),
    ];
    const gift = await aProduct(service, { name: 'Gift card', category: 'Gift cards' });
    await aRule(service, { name: 'Everyone', rate: 10 });
    await aRule(service, { name: 'Clinicians', rate: 15, groupId: clinicians });
    await aRule(service, { name: 'Teapots', productId: teapot, type: 'flat', amountCents: 400, per: 'unit' });
    await aRule(service, { name: 'No gift cards', category: 'Gift cards', rate: 0 });
    await aRule(service, { name: 'Last summer', rate: 40, effectiveFrom: '2025-06-01T00:00:00Z', effectiveTo: '2025-09-01T00:00:00Z' });
    await aRule(service, { name: 'Second level', level: 2, type: 'percentage', rate: 5, basis: 'commission' });
    await aCoupon(service, { affiliateId: ada.id, code: 'CALM10' });
    const items = [
      { productId: kit, amountCents: 24_900 },
      { productId: teapot, quantity: 6, amountCents: 8_340 },
      { productId: gift, amountCents: 5_000 },
    ];
    const signals = { couponCode: 'CALM10', referralCode: mateo.referralCode, customer: { externalId: 'c-77' } };
    orders.path = (await anOrder(service, { orderId: 'FF-10023', amountCents: 38_240, items, ...signals })).id;
    orders.refunded = (await anOrder(service, { orderId: 'FF-10024', amountCents: 38_240, items, affiliateId: ada.id })).id;
    orders.own = (
      await anOrder(service, { orderId: 'FF-10025', amountCents: 4980, affiliateId: ada.id, customer: { email: ada.email } })
    ).id;
    orders.nothing = (await anOrder(service, { orderId: 'FF-10026', amountCents: 5000, items: items.slice(2), affiliateId: mateo.id })).id;
    const refund = { refundId: 're_1', orderId: 'FF-10024', items: [{ position: 1, quantity: 2 }] };
    assert.equal((await service.request('POST', '/v1/refunds', { body: refund })).status, 201);
    orders.moved = (await anOrder(service, { orderId: 'FF-10027', amountCents: 8000, affiliateId: mateo.id })).id;
    for (let number = 30; number < 42; number += 1)
      await anOrder(service, { orderId: `FF-100${number}`, amountCents: 1990 + number * 310, affiliateId: number % 3 ? ada.id : mateo.id });
    await service.request('POST', '/v1/conversions', { body: { orderId: 'FF-10050', amountCents: 2490, couponCode: 'OLD20' } });
    await service.request('POST', '/v1/conversions', { body: { orderId: 'FF-10051', amountCents: 8940 } });
  }

  async function open(path: string): Promise<void> {
    await page.goto(`${origin}/console/${service.program.programId}/${path}`);
    await page.locator('main h1').waitFor();
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  }

  /** Only on request: pictures of every state in both schemes and sizes take minutes. */
  async function shoot(name: string): Promise<void> {
    if (!process.env.SCREENSHOTS) return;
    for (const scheme of ['light', 'dark'] as const)
      for (const [size, viewport] of Object.entries(sizes)) {
        await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
        await page.setViewportSize(viewport);
        await waitUntilStill(page);
        await page.screenshot({ path: join(folder, `${name}-${scheme}-${size}.png`), fullPage: true });
      }
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await page.setViewportSize(sizes.desktop);
  }

  const explain = async (id: string) => (await service.request('GET', `${service.program.path}/conversions/${id}/explanation`)).body;

  for (const name of ['path', 'refunded', 'own', 'nothing'])
    test(`the parts on the path add up to the commission: ${name}`, async () => {
      await open(`conversions/${orders[name]}`);
      const { totals } = await explain(orders[name] ?? '');
      for (const viewport of [sizes.desktop, { width: 700, height: 900 }, sizes.phone]) {
        await page.setViewportSize(viewport);
        const parts = (await page.locator('[data-part]').allInnerTexts()).map(toCents);
        assert.equal(
          parts.reduce((sum, cents) => sum + cents, 0),
          totals.commissionCents,
        );
        assert.equal(toCents(await page.locator('[data-total-cents]').innerText()), totals.creditedCents);
      }
      await shoot(`order-${name}`);
      await page.setViewportSize({ width: 320, height: 700 });
      await checkWidth(page, name);
      await page.setViewportSize(sizes.desktop);
      assert.deepEqual(watched.takeFaults(), []);
    });

  test('the order of precedence opens with the reason of each rule', async () => {
    await open(`conversions/${orders.path}`);
    await page
      .getByText(/rules? didn’t apply/)
      .first()
      .press('Enter');
    await page.getByText('effective until').first().waitFor();
    await shoot('order-precedence');
  });

  test('the list adds up what the API adds up, and its tabs filter', async () => {
    await open('conversions');
    const { body } = await service.request('GET', `${service.program.path}/conversions?limit=200`);
    const sum = (name: string) => body.conversions.reduce((total: number, row: Record<string, number>) => total + (row[name] ?? 0), 0);
    const shown = async (name: string) => toCents(await page.locator(`[data-total=${name}] dd`).innerText());
    assert.deepEqual(
      [await shown('sales'), await shown('refunded'), await shown('commission'), await shown('reversed')],
      [sum('amountCents'), sum('refundedCents'), sum('commissionCents'), -sum('reversedCents')],
    );
    await shoot('conversions-list');
    await page.getByRole('tab', { name: 'No commission' }).click();
    await page.getByText('1 order', { exact: true }).waitFor();
    await page.getByText('1–1 of 1').waitFor();
    assert.deepEqual(await page.locator('[data-row] a').allInnerTexts(), ['FF-10026']);
  });

  test('an unattributed order is credited after its effect was shown', async () => {
    await open('conversions?view=unattributed');
    await shoot('unattributed');
    await page
      .getByRole('row', { name: /FF-10051/ })
      .getByRole('button', { name: 'Credit to' })
      .click();
    await page.getByRole('combobox', { name: 'Affiliate' }).fill('ada');
    await page.getByRole('option', { name: /Ada Lindqvist/ }).click();
    await page.getByText('would earn $13.41').waitFor();
    await shoot('credit-sheet');
    await page.getByRole('button', { name: 'Credit $13.41 to Ada Lindqvist' }).click();
    await page.getByText('Order FF-10051 credited').waitFor();
    const { body } = await service.request('GET', `${service.program.path}/conversions?orderId=FF-10051`);
    assert.equal(body.conversions[0].commissions[0].amountCents, 1341);
  });

  test('a refund by lines shows its effect before it happens', async () => {
    await open(`conversions/${orders.path}`);
    await page.getByRole('button', { name: 'Refund' }).click();
    await page.getByRole('checkbox', { name: /Practice Starter Kit/ }).check();
    await page.getByRole('button', { name: 'Refund $249.00' }).waitFor();
    const effect = page.getByRole('region', { name: 'Effect on commissions' });
    const reversed = toCents(await effect.locator('dd').nth(1).innerText());
    await shoot('refund-sheet');
    await page.getByRole('button', { name: 'Refund $249.00' }).click();
    await page.getByText('$249.00 refunded', { exact: true }).waitFor();
    const { totals } = await explain(orders.path ?? '');
    assert.deepEqual([totals.refundedCents, totals.reversedCents], [24_900, -reversed]);
  });

  test('a refund by quantity counts the units that are already refunded', async () => {
    await open(`conversions/${orders.refunded}`);
    await page.getByRole('button', { name: 'Refund' }).click();
    await page.getByRole('checkbox', { name: /Stoneware Teapot/ }).check();
    const quantity = page.getByRole('textbox', { name: 'Quantity' });
    await page.getByText('4 units not refunded').waitFor();
    assert.equal(await quantity.inputValue(), '4');
    await page.getByRole('button', { name: 'Refund $55.60' }).waitFor();
    await quantity.fill('5');
    await page.getByText('Only 4 of this line isn’t refunded yet.').waitFor();
    assert.ok(await page.getByRole('button', { name: 'Refund order' }).isDisabled());
    assert.deepEqual(
      watched.takeFaults().filter((fault) => !fault.includes('status of 400')),
      [],
    );
    await quantity.fill('3');
    await page.getByRole('button', { name: 'Refund $41.70' }).waitFor();
    await shoot('refund-quantity');
    await page.getByRole('button', { name: 'Refund $41.70' }).click();
    await page.getByText('$41.70 refunded', { exact: true }).waitFor();
    const { items } = await explain(orders.refunded ?? '');
    assert.deepEqual([items[1].refundedCents, items[1].remainingQuantity], [6950, 1]);
  });

  const openChange = async (order: string, action: string) => {
    await open(`conversions/${orders[order]}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: action }).click();
  };

  test('an order is moved, increased and cancelled after the effect on every affiliate was shown', async () => {
    const effect = page.getByRole('region', { name: 'Effect on commissions' });
    await openChange('moved', 'Move to another affiliate');
    await page.getByRole('combobox', { name: 'New affiliate' }).fill('ada');
    await page.getByRole('option', { name: /Ada Lindqvist/ }).click();
    await page.getByRole('textbox', { name: 'Note' }).fill('Ada referred this customer');
    await effect.getByText('Mateo Castillo').waitFor();
    await effect.getByText('Ada Lindqvist').waitFor();
    await shoot('order-move-sheet');
    await page.getByRole('button', { name: 'Move order' }).click();
    await page.getByText('Order moved').waitFor();
    await page.getByText('Moved from Mateo Castillo to Ada Lindqvist').first().waitFor();
    await openChange('moved', 'Increase order');
    await page.getByRole('textbox', { name: 'Added amount' }).fill('10.00');
    await effect.getByText('earns').first().waitFor();
    await shoot('order-increase-sheet');
    await page.getByRole('button', { name: 'Increase order' }).click();
    await page.getByText('Order increased').waitFor();
    await openChange('moved', 'Cancel order');
    await effect.getByText('reduces the pending commission').first().waitFor();
    await shoot('order-cancel-sheet');
    await page.getByRole('button', { name: 'Cancel order' }).click();
    await page.getByText('Order cancelled').waitFor();
    const explanation = await explain(orders.moved ?? '');
    assert.deepEqual(
      explanation.changes.map(({ kind }: { kind: string }) => kind),
      ['moved', 'increased', 'cancelled'],
    );
    const { totals } = explanation;
    assert.deepEqual([totals.refundedCents, totals.netCents], [totals.amountCents, 0]);
    await page.getByText('Cancelled', { exact: true }).waitFor();
    await shoot('order-changed');
    assert.deepEqual(watched.takeFaults(), []);
  });

  test('an order is entered after its preview', async () => {
    await open('conversions');
    await page.getByRole('button', { name: 'Add order' }).click();
    await page.getByRole('textbox', { name: 'Order ID' }).fill('PHONE-1');
    await page.getByRole('textbox', { name: 'Amount' }).fill('100.00');
    await page.getByRole('textbox', { name: 'Coupon code' }).fill('CALM10');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('$15.75').first().waitFor();
    await shoot('add-order');
    await page.getByRole('button', { name: 'Add order and credit $15.75' }).click();
    await page.getByText('Order PHONE-1 added').waitFor();
    assert.deepEqual(watched.takeFaults(), []);
  });
});
