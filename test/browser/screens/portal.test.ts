// Every screen of the portal's table of contents, with data, without, and when requests fail, in both colour schemes and at
// both widths; and what the account of each status sees. With SCREENSHOTS=1: pictures in .tributary/screens.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { anAffiliate } from '../../support/builders.ts';
import type { TestProgram } from '../../support/harness.ts';
import { checkAmounts } from '../../support/screens/amounts.ts';
import { checkAppearances, desktop } from '../../support/screens/appearances.ts';
import { checkFocus } from '../../support/screens/checks.ts';
import { fillProgram } from '../../support/screens/fill-program.ts';
import { type Budgets, checkBudgets, recordFirstVisit, recordRequests } from '../../support/screens/measure.ts';
import { type Console, openConsole } from '../../support/screens/open-console.ts';
import { listScreens } from '../../support/screens/table-of-contents.ts';
import { loadScreen, openScreen, type Watched, watchPage } from '../../support/screens/watched-page.ts';

const states = ['data', 'empty', 'error'] as const;
type State = (typeof states)[number];
const statuses = ['pending', 'suspended', 'rejected'] as const;

const screens = await listScreens('portal');

/** What screens read, other than the user. */
const isData = /\/(app\/(?!me$)|v1\/)/;

/** Kilobytes, compressed with gzip. */
const budgets: Budgets = { script: 168, style: 15, font: 45, screen: 40, texts: 8, files: 16 };

describe('the screens of the portal', () => {
  let app: Console;
  let programs: Record<State | (typeof statuses)[number], TestProgram>;
  let pages: Record<State, Watched>;
  let firstVisit: Set<string>;
  const loaded = new Map<string, Set<string>>();

  before(async () => {
    app = await openConsole();
    const { service } = app;
    const { program } = service;
    const [empty, pending, suspended, rejected] = await Promise.all(
      ['Quiet Shores', 'Alder Tea', 'Birch & Co', 'Cedar'].map((name) => service.newProgram(name)),
    );
    assert.ok(empty && pending && suspended && rejected);
    programs = { data: program, empty, error: program, pending, suspended, rejected };
    await service.pool.query(`update programs set website_url = 'https://fernandfield.example', destination_hosts = '{blog.example}'`);
    const { affiliateId = '' } = await fillProgram(service, program);
    const { body: ada } = await service.request('GET', `${program.path}/affiliates/${affiliateId}`);
    const person = { email: String(ada.email), firstName: 'Ada', lastName: 'Lindqvist' };
    await anAffiliate(service, { ...person, status: 'active' }, empty);
    for (const status of statuses) await anAffiliate(service, { ...person, status }, programs[status]);
    const user = await service.asAffiliate({ id: affiliateId, email: person.email });
    const details = { method: 'paypal', email: 'ada@payments.example' };
    assert.equal((await user.request('POST', `/app/portal/${program.programId}/payout-details`, { body: details })).status, 201);
    const bonus = { affiliateId, amountCents: 128_500, note: 'Best newsletter of the spring' };
    const dispatch = { affiliateIds: [affiliateId], minimumPayoutCents: 0 };
    const requests = { commissions: bonus, 'payouts/dispatch': dispatch };
    for (const [path, body] of Object.entries(requests)) {
      const answer = await service.request('POST', `${program.path}/${path}`, { body });
      assert.equal(answer.status, 201, answer.text);
    }
    const postback = { url: 'https://tracker.example/cb?cid={sub1}&payout={amount}', method: 'GET', eventTypes: ['commission.created'] };
    assert.equal((await user.request('POST', `/app/portal/${program.programId}/postbacks`, { body: postback })).status, 201);
    for (const name of ['Newsletter', 'Video about evening tea'])
      await user.request('POST', `/app/portal/${program.programId}/links`, { key: null, body: { name } });
    for (const orderId of ['FF-2001', 'FF-9999'])
      await user.request('POST', `/app/portal/${program.programId}/claims`, { key: null, body: { orderId } });
    await app.context.clock.setFixedTime(service.clock.now());
    await app.signInAs(user);
    pages = Object.fromEntries(await Promise.all(states.map(async (state) => [state, await openPage(state)]))) as Record<State, Watched>;
    firstVisit = await recordFirstVisit(pages.empty, `${app.origin}/portal/none`);
  });

  after(() => app?.close());

  async function openPage(state: State): Promise<Watched> {
    const watched = await watchPage(app.context, app.origin, { isFailing: state === 'error' });
    if (state === 'error') {
      const failure = { error: 'The service failed.', code: 'internal_error', requestId: '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f' };
      await watched.page.route(isData, (route) => route.fulfill({ status: 500, json: failure }));
    }
    return watched;
  }

  async function open(path: string, { page }: Watched, program: TestProgram, openAt = openScreen): Promise<Page> {
    await page.setViewportSize(desktop);
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await openAt(page, `${app.origin}/portal/${program.programId}/${path.replace(/^\//, '')}`);
    return page;
  }

  for (const screen of screens) {
    for (const state of states) {
      test(`${screen.id}: ${state}`, async () => {
        const { page } = pages[state];
        const openIt = (openAt = openScreen) => open(screen.path, pages[state], programs[state], openAt);
        // What a screen requests is seen when the app is loaded with it.
        if (state === 'data') loaded.set(screen.id, await recordRequests(pages.data, () => openIt(loadScreen)));
        else await openIt();
        if (state === 'data') await checkFocus(page, screen.id);
        if (state === 'data') await checkAmounts(page, screen.id);
        await checkAppearances(page, `portal-${screen.id}-${state}`);
        assert.deepEqual(pages[state].takeFaults(), [], `${screen.id}, ${state}`);
      });
    }
  }

  for (const status of statuses) {
    test(`an account that is ${status} shows its status in place of the screens`, async () => {
      const page = await open('/links', pages.empty, programs[status]);
      assert.match(await page.locator('h1').innerText(), /review|suspended|not accepted/);
      await checkAppearances(page, `portal-status-${status}`);
      assert.deepEqual(pages.empty.takeFaults(), []);
    });
  }

  test('an earning opens its history, and every control is large enough for a thumb', async () => {
    const page = await open('/earnings', pages.data, programs.data);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.locator('main section a').first().click();
    await page.locator('[role=dialog] ol li').first().waitFor();
    const sizes = (await page.evaluate(
      `[...document.querySelectorAll('main button, nav a, nav button')].map((each) => each.getBoundingClientRect().height)`,
    )) as number[];
    assert.ok(sizes.length > 5 && sizes.every((height) => height >= 44), sizes.join(' '));
    await page.keyboard.press('Escape');
    assert.deepEqual(pages.data.takeFaults(), []);
  });

  test('stays within its budgets', () => checkBudgets(app.files, { firstVisit, loaded, budgets }));
});
