// The overview in a browser: what it shows adds up to the totals of the API, to the cent, and it works by keyboard.
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { createDemo } from '../../server/operations/demo/demo.ts';
import { prepareWeb } from '../../server/platform/http/web/prepare.ts';
import { openBrowser } from '../support/browser.ts';
import { openTestService, type TestProgram, type TestService } from '../support/harness.ts';

describe('the overview', () => {
  let service: TestService;
  let browser: Browser;
  let page: Page;
  let program: TestProgram;
  let origin: string;

  before(async () => {
    const web = prepareWeb({ log: { error: console.error, info: () => {} } });
    const [opened, outcome, launched] = await Promise.all([openTestService({ web }), web.settled, openBrowser()]);
    [service, browser] = [opened, launched];
    assert.ok(outcome.kind === 'ready', 'the web apps could not be built');
    await service.app.listen({ port: 0, host: '127.0.0.1' });
    origin = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`;
    const { programId, apiKey } = await createDemo(service.ctx, async () => {});
    program = { programId, key: apiKey, readKey: apiKey, path: `/v1/programs/${programId}` };
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US', reducedMotion: 'reduce' });
    const { cookie } = await service.asMember('owner', { program, name: 'Dana Calder' });
    const [name = '', value = ''] = cookie.split('=');
    await context.addCookies([{ name, value, url: origin, httpOnly: true, sameSite: 'Lax' }]);
    await context.clock.setFixedTime(service.clock.now());
    page = await context.newPage();
    await open();
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  async function open(query = ''): Promise<void> {
    await page.goto(`${origin}/console/${program.programId}${query}`);
    await settled();
  }
  async function settled(): Promise<void> {
    await page.locator('main h1').waitFor();
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  }
  const get = async (path: string) => (await service.request('GET', `${program.path}/${path}`, { key: program.key })).body;

  /** What the page writes as `$1,980.20` or `−$84.20`, in cents. */
  const toCents = (text: string): number => Number(text.replace('\u2212', '-').replace(/[^\d-]/g, ''));

  /** The amounts of the river by their labels. */
  async function readRiver(): Promise<Map<string, number>> {
    const pairs = await page
      .locator('main dl > div')
      .evaluateAll((parts) =>
        parts.map((part) => [part.querySelector('dt')?.textContent ?? '', part.querySelector('dd')?.textContent ?? '']),
      );
    return new Map(pairs.map(([label = '', amount = '']) => [label, toCents(amount)]));
  }

  async function readTable(label: string): Promise<{ value: number; before: number }[]> {
    await page.getByRole('button', { name: 'Table' }).click();
    const rows = await page
      .getByRole('region', { name: label, exact: true })
      .last()
      .locator('tbody tr')
      .evaluateAll((all) => all.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent ?? '')));
    await page.getByRole('button', { name: 'Chart', exact: true }).click();
    return rows
      .filter((cells) => cells.length <= 3)
      .map(([value = '', before = '']) => ({ value: toCents(value), before: toCents(before) }));
  }

  test('shows the logo of the program, even at another address than the public one', async () => {
    const logo = page.locator('img[src*="/media/"]').first();
    // Fails for an image that can't be shown.
    await logo.evaluate((image) => (image as unknown as { decode(): Promise<void> }).decode());
  });

  test('leads from its headline to the batch that awaits approval', async () => {
    await page.locator('main header').getByRole('link', { name: 'Review and approve' }).click();
    await page.waitForURL(/\/payouts\?view=batches&status=awaiting_approval$/);
    await settled();
    const { batches } = await get('payouts/batches?status=awaiting_approval');
    const amount = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(batches[0].totalCents / 100);
    await page.locator('[data-row]').filter({ hasText: amount }).first().waitFor();
    await open();
  });

  test('links to the API reference open at the operation', async () => {
    const reference = await page.context().newPage();
    const anchor = 'tag/payouts/POST/v1/programs/{programId}/payouts/dispatch';
    await reference.goto(`${origin}/docs/api#${anchor}`);
    const section = reference.locator(`[id$="${anchor}"]`).first();
    await section.waitFor();
    assert.match(await section.innerText(), /Dispatch/);
    await reference.close();
  });

  test('shows the money of every state as the API has it', async () => {
    const river = await readRiver();
    const forecast = await get('payouts/forecast?days=366');
    const sum = (rows: Record<string, number>[], field: string) => rows.reduce((total, row) => total + (row[field] ?? 0), 0);
    const { payouts } = await get('payouts?status=paid&limit=200');
    const since = service.clock.now().getTime() - 30 * 86_400_000;
    const paid = payouts.filter(({ settledAt }: { settledAt: string }) => Date.parse(settledAt) > since);
    assert.deepEqual([...river.keys()], ['Pending', 'On hold', 'Ready to pay', 'In transit', 'Paid, last 30 days']);
    assert.equal(river.get('On hold'), forecast.heldCents);
    assert.equal(river.get('In transit'), forecast.inTransitCents);
    assert.equal(river.get('Paid, last 30 days'), sum(paid, 'amountCents'));
    const maturing = sum(forecast.days, 'maturingCents') + forecast.laterCents;
    assert.equal((river.get('Pending') ?? 0) + (river.get('Ready to pay') ?? 0), forecast.payableCents + maturing);
    assert.ok((river.get('Pending') ?? 0) > 0);
  });

  test('its metrics equal the orders and commissions of the API, and the chart adds up to them', async () => {
    const from = new Date(service.clock.now().getTime() - 29 * 86_400_000).toISOString().slice(0, 10);
    const { rows } = await service.pool.query<{ sales: number; commissions: number }>(
      `select (select sum(amount_cents - refunded_cents)::int from conversions where program_id = $1 and occurred_at >= $2::date) as sales,
         (select sum(earned.amount_cents - earned.reversed_cents)::int from commissions as earned left join conversions as conversion
           on conversion.program_id = earned.program_id and conversion.id = earned.conversion_id
           where earned.program_id = $1 and coalesce(conversion.occurred_at, earned.created_at) >= $2::date) as commissions`,
      [program.programId, from],
    );
    for (const [label, expected] of [
      ['Affiliate sales', rows[0]?.sales],
      ['Commissions', rows[0]?.commissions],
    ] as const) {
      const metric = page.getByRole('button', { name: new RegExp(`^${label}\\s*\\$`) });
      await metric.click();
      await page.getByRole('button', { name: new RegExp(`^${label}\\s*\\$`), pressed: true }).waitFor();
      const shown = toCents((await metric.innerText()).split('\n').find((line) => line.startsWith('$')) ?? '');
      assert.equal(shown, expected, label);
      const buckets = await readTable(label);
      assert.equal(buckets.length, 30);
      assert.equal(
        buckets.reduce((total, { value }) => total + value, 0),
        expected,
        label,
      );
    }
  });

  const paidDuring = (period: string) => page.locator('main dl dt', { hasText: `Paid, ${period}` });

  test('T and a digit choose the period, which is kept in the address', async () => {
    await page.locator('h1').click();
    await page.keyboard.press('t');
    await page.getByRole('menuitem', { name: 'Last 7 days' }).waitFor();
    await page.keyboard.press('2');
    await page.waitForURL(/range=7d/);
    await paidDuring('last 7 days').waitFor();
    await page.goBack();
    await paidDuring('last 30 days').waitFor();
  });

  test('a period of any days is chosen in a dialog, which loads when it opens and has the focus', async () => {
    await page.locator('h1').click();
    await page.keyboard.press('t');
    await page.getByRole('menuitem', { name: 'Custom period…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Custom period' });
    await dialog.getByRole('textbox', { name: 'From' }).waitFor();
    await dialog.locator(':focus').waitFor();
    const [frame, heading] = await Promise.all([dialog.boundingBox(), dialog.getByRole('heading').boundingBox()]);
    assert.ok(frame && heading && heading.x - frame.x >= 16, 'the dialog has a margin');
    if (process.env.SCREENSHOTS) await page.screenshot({ path: '.tributary/screens/overview-custom-period.png' });
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.waitForURL(/from=\d{4}-\d\d-\d\d.*to=\d{4}-\d\d-\d\d/);
    await page.goBack();
    await settled();
  });

  test('a new order appears in the latest activity, without moving what is around it', async () => {
    const card = page.getByRole('region', { name: 'Latest activity' });
    const before = await card.boundingBox();
    const { affiliates } = await get('affiliates?status=active&limit=1');
    const body = { orderId: 'LIVE-1', amountCents: 4900, affiliateId: affiliates[0].id };
    assert.equal((await service.request('POST', '/v1/conversions', { key: program.key, body })).status, 201);
    await page.clock.runFor(9000);
    await card.getByText('Order LIVE-1').waitFor({ timeout: 60_000 });
    assert.deepEqual(await card.boundingBox(), before);
    assert.equal(await card.getByRole('listitem').count(), 10);
  });

  test('the next of the first steps is hidden by the user, and stays hidden', async () => {
    const steps = page.getByRole('region', { name: 'First steps' });
    await open();
    await steps.getByRole('link', { name: 'Payout provider' }).waitFor();
    await steps.getByRole('button', { name: 'Hide' }).click();
    await steps.waitFor({ state: 'detached' });
    const stored = page.waitForResponse((response) => response.url().endsWith('/app/preferences') && response.ok());
    await open();
    await stored;
    await page.locator('main dl').first().waitFor();
    assert.equal(await steps.count(), 0);
  });
});
