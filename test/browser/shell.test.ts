// The shell of the console as people use it: by keyboard, signed out in the middle of something, in another language.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { aGroup, anAffiliate } from '../support/builders.ts';
import type { TestMember } from '../support/harness.ts';
import { checkAccessibility } from '../support/screens/checks.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { type Watched, waitForScreen, watchPage } from '../support/screens/watched-page.ts';
import { until } from '../support/time/wait.ts';

describe('the shell', () => {
  let app: Console;
  let dana: TestMember;
  let address: string;
  before(async () => {
    app = await openConsole();
    dana = await app.service.asMember('owner', { name: 'Dana Calder' });
    address = `${app.origin}/console/${app.service.program.programId}`;
  });
  // Pages that stay open keep asking for news.
  afterEach(() => Promise.all(app.context.pages().map((page) => page.close())));
  after(() => app?.close());

  async function open(url: string, member = dana): Promise<Watched> {
    await app.signInAs(member);
    const watched = await watchPage(app.context, app.origin, { isFailing: true });
    await watched.page.goto(url);
    await waitForScreen(watched.page);
    return watched;
  }

  const press = async (page: Page, ...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };

  test('/console opens the program that was open last', async () => {
    const { page } = await open(`${app.origin}/console`);
    assert.equal(page.url().split('?')[0], address);
  });

  test('without a session, the sign-in leads back to the page that was asked for', async () => {
    await app.context.clearCookies();
    const page = await app.context.newPage();
    await page.goto(`${address}/affiliates?status=active`);
    await page.waitForURL(/\/sign-in\?next=/);
    assert.equal(new URL(page.url()).searchParams.get('next'), `${new URL(address).pathname}/affiliates?status=active`);
  });

  test('a program of others looks like one that does not exist', async () => {
    const { page } = await open(`${app.origin}/console/${app.service.foreign.programId}`);
    const foreign = await page.locator('main').innerText();
    await page.goto(`${app.origin}/console/01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f`);
    await waitForScreen(page);
    assert.equal(await page.locator('main').innerText(), foreign);
  });

  test('the palette opens by keyboard, finds a page without case, opens it, and passes the accessibility check', async () => {
    const { page, takeFaults } = await open(address);
    await press(page, 'Control+k');
    const field = page.getByRole('combobox');
    await field.waitFor();
    await checkAccessibility(page, 'palette');
    const first = page.getByRole('option').first();
    await field.fill((await first.innerText()).split('\n')[0]?.toUpperCase() ?? '');
    const selected = page.getByRole('option', { selected: true });
    await until('one page is found and selected', async () => (await selected.count()) === 1);
    await press(page, 'Escape');
    await field.waitFor({ state: 'detached' });
    assert.deepEqual(takeFaults(), []);
  });

  test('on phones, what is used each day is a tab, and all screens are behind "More"', async () => {
    const { page, takeFaults } = await open(`${address}/payouts`);
    await page.setViewportSize({ width: 390, height: 844 });
    const tabs = page.getByRole('navigation', { name: 'Main' });
    await tabs.getByRole('button', { name: 'More' }).waitFor();
    assert.deepEqual(await tabs.getByRole('link').allInnerTexts(), ['Overview', 'Review', 'Affiliates', 'Payouts']);
    assert.equal(await tabs.locator('[aria-current=page]').innerText(), 'Payouts');
    await tabs.getByRole('button', { name: 'More' }).press('Enter');
    await page.getByRole('dialog').getByRole('link', { name: 'Pages' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Pages' }).waitFor();
    assert.deepEqual(takeFaults(), []);
  });

  test('the settings are one entry of the main navigation and have their own beside their screens', async () => {
    const { page, takeFaults } = await open(`${address}/settings/members`);
    const main = page.getByRole('navigation', { name: 'Main' });
    assert.deepEqual(await main.getByRole('link', { name: /Members|Emails|Webhooks|Mailbox|Audit log|Data|Security/ }).all(), []);
    assert.equal(await main.getByRole('link', { name: 'Settings' }).getAttribute('aria-current'), 'page');
    const settings = page.getByRole('navigation', { name: 'Settings' });
    assert.equal(await settings.locator('[aria-current=page]').innerText(), 'Members');
    await settings.getByRole('link', { name: 'Audit log' }).click();
    await page.waitForURL(/settings\/audit-log/);
    await page.setViewportSize({ width: 820, height: 1000 });
    assert.equal(await settings.isVisible(), false);
    await page.getByRole('main').getByRole('link', { name: 'Settings' }).click();
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Security/ })
      .click();
    await page.waitForURL(/settings\/security/);
    assert.deepEqual(takeFaults(), []);
  });

  test('the display face is for first screens, and never slants a script that it lacks', async () => {
    const face = `(() => {
      const { fontFamily, fontStyle, fontSize, fontWeight } = getComputedStyle(document.querySelector('main h1'));
      return [fontFamily.split(',')[0], fontStyle, fontSize, fontWeight].join(' ');
    })()`;
    const { page } = await open(address);
    assert.equal(await page.evaluate(face), '"Instrument Serif" normal 34px 400');
    for (const path of ['settings', 'settings/members', 'affiliates', 'conversions']) {
      await page.goto(`${address}/${path}`);
      await waitForScreen(page);
      assert.equal(await page.evaluate(face), '"Figtree Variable" normal 20px 600', path);
    }
  });

  test('the colour of attention marks what awaits a decision, not test mode or unattributed orders', async () => {
    const order = { orderId: 'FF-1', amountCents: 4200, couponCode: 'UNKNOWN' };
    await app.service.request('POST', '/v1/conversions', { key: app.service.program.key, body: order });
    await app.service.pool.query("update programs set mode = 'test' where id = $1", [app.service.program.programId]);
    const { page } = await open(`${address}/conversions`);
    await page.getByRole('tab', { name: 'Unattributed 1' }).waitFor();
    await page.getByText('Test', { exact: true }).first().waitFor();
    const clay = await page.evaluate(`(() => {
      const probe = document.body.appendChild(document.createElement('i'));
      probe.style.color = 'var(--clay)';
      const { color } = getComputedStyle(probe);
      probe.remove();
      return [...document.querySelectorAll('#root *')].filter((each) => getComputedStyle(each).color === color).map((each) => each.textContent);
    })()`);
    assert.deepEqual(clay, []);
  });

  test('the palette runs actions: it switches the theme, copies a link, and finds the place of a word that names no screen', async () => {
    const affiliate = await anAffiliate(app.service, { status: 'active' });
    const { page } = await open(`${address}/affiliates/${affiliate.id}`);
    const find = async (text: string) => {
      await press(page, 'Control+k');
      await page.getByRole('combobox').fill(text);
      return page.getByRole('option', { selected: true });
    };
    await (await find('switch theme')).click();
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
    await (await find('light theme')).click();
    await page.locator('html[data-mantine-color-scheme=light]').waitFor();
    assert.match(await (await find('copy link')).innerText(), /^Copy link/);
    await press(page, 'Escape');
    assert.match(await (await find('dashboard')).innerText(), /^Overview/);
  });

  test('the palette approves the open affiliate, and sets their group', async () => {
    await aGroup(app.service, 'Gold');
    const { id } = await anAffiliate(app.service, { status: 'pending', firstName: 'Ines', lastName: 'Duarte' });
    const { page, takeFaults } = await open(`${address}/affiliates/${id}`);
    const choose = async (text: string) => {
      await press(page, 'Control+k');
      await page.getByRole('combobox').fill(text);
      await page.getByRole('option', { selected: true }).click();
    };
    await choose('approve');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Approve/ })
      .click();
    await page.getByText('Ines Duarte is active').waitFor();
    await page.getByText('Active since').waitFor();
    await press(page, 'Control+k');
    await page.getByRole('combobox').fill('approve');
    assert.equal(await page.getByRole('option', { name: /^Approve/ }).count(), 0);
    await press(page, 'Escape');
    await choose('set group');
    const sheet = page.getByRole('dialog', { name: /group/i });
    await sheet.getByLabel('Group', { exact: true }).first().click();
    await page.getByRole('option', { name: 'Gold' }).click();
    await sheet.getByRole('button', { name: /group/i }).last().click();
    await page.locator('header').getByText('Gold').waitFor();
    const { body } = await dana.request('GET', `${app.service.program.path}/affiliates/${id}?expand=group`);
    assert.deepEqual([body.status, body.group.name], ['active', 'Gold']);
    await page.getByText('Never signed in').waitFor();
    assert.deepEqual(takeFaults(), []);
  });

  test('an affiliate who signed in shows when they claimed their account and were last seen', async () => {
    const affiliate = await anAffiliate(app.service, { status: 'active' });
    await app.service.asAffiliate(affiliate);
    const { page } = await open(`${address}/affiliates/${affiliate.id}`);
    await page
      .locator('header')
      .getByText(/^Claimed /)
      .waitFor();
    await page
      .locator('header')
      .getByText(/^Last seen /)
      .waitFor();
    assert.equal(await page.getByText('Never signed in').count(), 0);
  });

  test('? lists the shortcuts, but not while typing', async () => {
    const { page } = await open(address);
    await press(page, '?');
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await list.waitFor();
    await checkAccessibility(page, 'shortcuts');
    await press(page, 'Escape');
    await list.waitFor({ state: 'detached' });
    await press(page, 'Control+k');
    await page.getByRole('combobox').pressSequentially('?');
    assert.equal(await list.count(), 0);
  });

  test('F opens the filters of a table, and a name starts one', async () => {
    const { page, takeFaults } = await open(`${address}/affiliates`);
    await press(page, 'f');
    await page.getByRole('dialog', { name: 'Filter' }).getByRole('button', { name: 'Status', exact: true }).click();
    await page.getByRole('checkbox', { name: 'Active' }).check();
    await page.waitForURL(/status=active/);
    assert.deepEqual(takeFaults(), []);
  });

  test('the language and the colours change immediately, and are in the next page before a script runs', async () => {
    const { page, takeFaults } = await open(address);
    await page.getByRole('button', { name: /^Account: Dana/ }).click();
    await page.getByRole('menuitem', { name: 'Dark' }).click();
    await page.getByRole('button', { name: /^Account: Dana/ }).click();
    await page.getByRole('menuitem', { name: 'Deutsch' }).click();
    await page.getByRole('button', { name: 'Konto: Dana Calder' }).waitFor();
    assert.equal(await page.evaluate('document.documentElement.lang'), 'de');
    const html = await (await app.context.request.get(address)).text();
    assert.match(html, /<html lang="de" data-mantine-color-scheme="dark">/);
    assert.deepEqual(takeFaults(), []);
  });

  test('when the session ends, a dialog waits for the sign-in, and the same request is repeated', async () => {
    const eve = await app.service.asMember('owner', { name: 'Eve Short' });
    const { page } = await open(address, eve);
    const ended = page.waitForResponse((response) => response.url().includes('/search') && response.status() === 401);
    await app.context.clearCookies();
    await press(page, 'Control+k');
    await page.getByRole('combobox').fill('ada lindqvist');
    await ended;
    await page.getByRole('dialog', { name: 'Sign in to continue' }).waitFor();
    const repeated = page.waitForResponse((response) => response.url().includes('/search') && response.status() === 200);
    await app.signInAs(await app.service.signIn(eve.userId));
    await page.getByRole('button', { name: "I've signed in" }).click();
    await repeated;
    assert.equal(await page.getByRole('combobox').inputValue(), 'ada lindqvist');
  });

  test('signing out ends the session', async () => {
    const guest = await app.service.asMember('viewer', { name: 'Guest Viewer' });
    const { page } = await open(address, guest);
    await page.getByRole('button', { name: /^Account: Guest/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL(/\/sign-in/);
    assert.equal((await guest.request('GET', '/app/me')).status, 401);
  });
});
