// Menus, sheets and tooltips whose files are loaded with the first input of the user, or when they open.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { anAffiliate, anOrder } from '../support/builders.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { waitForScreen } from '../support/screens/watched-page.ts';
import { holdsFor } from '../support/time/wait.ts';

const files = /\/(menu-panel|overlays|sheet-panel|popover-panel|confirm-panel|zones-tooltip)-[^/]*\.js$/;

describe('an overlay of the portal whose file is not loaded yet', () => {
  let app: Console;
  let page: Page;
  let requested: string[] = [];
  before(async () => {
    app = await openConsole();
    const { service } = app;
    const { body } = await service.request('POST', `${service.program.path}/affiliates`, {
      body: { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lindqvist', autoApprove: true },
    });
    await app.signInAs(await service.asAffiliate({ id: body.id, email: 'ada@example.com' }));
    page = await app.context.newPage();
    page.setDefaultTimeout(60_000);
    page.on('request', (request) => void (files.test(request.url()) && requested.push(request.url())));
  });
  after(() => app?.close());
  beforeEach(async () => {
    await page.unrouteAll();
    await page.goto(`${app.origin}/portal/${app.service.program.programId}`);
    await waitForScreen(page);
  });

  const button = () => page.getByRole('button', { name: /^Account/ });
  const isFocused = async () => (await page.locator('button[aria-haspopup=menu]:focus').count()) === 1;

  test('loads it with the first input, not before', async () => {
    assert.deepEqual(requested, []);
    const first = page.waitForRequest(files);
    await page.keyboard.press('Shift');
    await first;
    requested = [];
  });

  test('keeps the focus on the button until the menu opens, and returns it', async () => {
    const gate = Promise.withResolvers<void>();
    await page.route(files, async (route) => {
      await gate.promise;
      await route.continue();
    });
    await button().focus();
    await page.keyboard.press('Enter');
    await page.locator('[aria-haspopup=menu][aria-expanded=true]').waitFor();
    assert.equal(await isFocused(), true);
    assert.equal(await page.getByRole('menu').count(), 0);
    gate.resolve();
    await page.getByRole('menu').waitFor();
    assert.equal(await button().getAttribute('aria-controls'), await page.getByRole('menu').getAttribute('id'));
    await page.keyboard.press('ArrowDown');
    await page.locator('[role=menuitem]:focus').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await page.waitForFunction("document.activeElement?.getAttribute('aria-haspopup') === 'menu'");
  });

  test('says that the file is missing, and opens after the page was reloaded', async () => {
    await page.route(files, (route) => route.abort());
    await button().click();
    await page.getByText("This couldn't be loaded.").waitFor();
    assert.equal(await button().getAttribute('aria-expanded'), 'false');
    await page.unroute(files);
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByText("This couldn't be loaded.").waitFor({ state: 'detached' });
    await waitForScreen(page);
    await button().click();
    await page.getByRole('menu').waitFor();
  });
});

describe('a toast of the portal', () => {
  let app: Console;
  let page: Page;
  before(async () => {
    app = await openConsole();
    await app.signInAs(await app.service.asAffiliate(await anAffiliate(app.service, { status: 'active', email: 'ada@example.com' })));
    page = await app.context.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(`${app.origin}/portal/${app.service.program.programId}/account`);
    await waitForScreen(page);
  });
  after(() => app?.close());

  const toast = () => page.getByRole('region', { name: 'Notifications' }).getByRole('listitem');

  test('closes even if it opened under a resting pointer, including on another screen', async () => {
    const { height } = page.viewportSize() ?? { height: 0 };
    await page.mouse.move(60, height - 36);
    await page.getByRole('switch').first().press('Space');
    await toast().waitFor();
    await page.getByRole('link', { name: 'Payouts' }).first().press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Payouts' }).waitFor();
    await toast().waitFor({ state: 'detached' });
  });

  test('stays while the pointer is moved onto it', async () => {
    await page.mouse.move(600, 10);
    await page.goto(`${app.origin}/portal/${app.service.program.programId}/account`);
    await waitForScreen(page);
    await page.getByRole('switch').first().press('Space');
    await toast().hover();
    await toast().hover({ position: { x: 30, y: 12 } });
    await holdsFor(8000, 'the toast stays', async () => (await toast().count()) === 1);
    await page.mouse.move(600, 10);
    await toast().waitFor({ state: 'detached' });
  });
});

describe('the tooltip of a date', () => {
  let app: Console;
  let page: Page;
  before(async () => {
    app = await openConsole();
    const { service } = app;
    const affiliate = await anAffiliate(service, { status: 'active' });
    const order = await anOrder(service, { affiliateId: affiliate.id });
    await app.signInAs(await service.asMember('owner', { name: 'Dana Calder' }));
    page = await app.context.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(`${app.origin}/console/${service.program.programId}/conversions/${order.id}`);
    await waitForScreen(page);
  });
  after(() => app?.close());

  const date = () => page.locator('time[tabindex="0"]').first();

  test('opens at the keyboard focus, which stays on the date, and describes it', async () => {
    await date().focus();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    const tooltip = page.getByRole('tooltip');
    await tooltip.waitFor();
    assert.match(await tooltip.innerText(), /UTC/);
    assert.equal(await page.locator('time:focus').count(), 1);
    const described = await date().getAttribute('aria-describedby');
    assert.equal(await tooltip.locator('dl').getAttribute('id'), described);
    await page.keyboard.press('Escape');
    await tooltip.waitFor({ state: 'detached' });
  });

  test('opens while the pointer rests on the date', async () => {
    await date().hover();
    await page.getByRole('tooltip').waitFor();
    await page.mouse.move(0, 0);
    await page.getByRole('tooltip').waitFor({ state: 'detached' });
  });
});
