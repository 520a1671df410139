// Sums on every screen equal the API's, in currencies with two, no and three decimals: each screen shows the same numbers of
// the smallest unit in three programs with the same activity, and nothing that the API does not return.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page, Request } from 'playwright-core';
import { addMember } from '../../server/accounts/identity/members/add-member.ts';
import { transact } from '../../server/platform/db/transact.ts';
import type { TestProgram } from '../support/harness.ts';
import { type Filled, fillWithAmounts } from '../support/money/fill-with-amounts.ts';
import { readSums } from '../support/money/reported-sums.ts';
import { consoleScreens, portalScreens, type SumPlaces } from '../support/money/screens-with-amounts.ts';
import { amountBelow, readAmounts, type ShownAmounts, sumOfColumn, toCents } from '../support/money/shown-amounts.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { listScreens } from '../support/screens/table-of-contents.ts';
import { openScreen, watchPage } from '../support/screens/watched-page.ts';
import { until } from '../support/time/wait.ts';

type Currency = { currency: string; language: 'en' | 'de' };
type Opened = Currency & TestProgram & { filled: Filled };
type App = 'console' | 'portal';

/** The German one is last: the language is a cookie. */
const currencies: readonly Currency[] = [
  { currency: 'JPY', language: 'en' },
  { currency: 'BHD', language: 'en' },
  { currency: 'EUR', language: 'de' },
];
const listed = { console: consoleScreens, portal: portalScreens };
const apps = ['console', 'portal'] as const;

describe('sums on the screens', () => {
  let app: Console;
  let page: Page;
  let programs: Opened[];
  let takeFaults: () => string[];
  /** Requests that have no response yet. */
  const waiting = new Set<Request>();
  /** What the API returned to the browser, by program. */
  const returned = new Map<string, Set<number>>();
  /** What was shown, by screen and currency. */
  const shown = new Map<string, Map<string, number[]>>();

  before(async () => {
    app = await openConsole();
    programs = await openPrograms();
    ({ page, takeFaults } = await watchPage(app.context, app.origin));
    // Tabs that are opened less often load their script first, and then what they show.
    page.on('request', (request) => ['fetch', 'script'].includes(request.resourceType()) && waiting.add(request));
    page.on('requestfinished', (request) => waiting.delete(request));
    page.on('requestfailed', (request) => waiting.delete(request));
    page.on('response', async (response) => {
      const [, programId = ''] = /\/(?:programs|portal)\/([0-9a-f-]{36})/.exec(response.url()) ?? [];
      if (!/json/.test(response.headers()['content-type'] ?? '')) return;
      const known = returned.get(programId) ?? new Set();
      returned.set(programId, known);
      for (const cents of centsIn(await response.json().catch(() => null))) known.add(cents);
    });
  });
  after(() => app?.close());

  async function openPrograms(): Promise<Opened[]> {
    const { service } = app;
    const created: TestProgram[] = [];
    for (const { currency } of currencies) created.push(await service.newProgram(`Fern & Field ${currency.toLowerCase()}`));
    for (const [index, { currency }] of currencies.entries())
      await service.pool.query('update programs set currency = $1 where id = $2', [currency, created[index]?.programId]);
    const filled = await fillWithAmounts(service, created);
    for (const { path, key } of created) await service.request('PATCH', `${path}/payouts/schedule`, { key, body: { isActive: true } });
    await app.context.clock.setFixedTime(service.clock.now());
    return currencies.map((each, index) => Object.assign({}, each, created[index], { filled: filled[index] }) as Opened);
  }

  async function signInTo(kind: App): Promise<void> {
    const { service } = app;
    if (kind === 'portal') return app.signInAs(await service.asAffiliate({ id: '', email: 'ada@example.com' }));
    const owner = await service.asMember('owner', { name: 'Dana Calder' });
    const actor = { kind: 'command' as const, id: 'test' };
    for (const { programId } of programs)
      await transact(service.ctx, (tx) => addMember(tx, { programId, userId: owner.userId, role: 'owner', actor }));
    await app.signInAs(owner);
  }

  async function show(kind: App, program: Opened, path: string): Promise<ShownAmounts> {
    const filled = path.replace(/\$(\w+)/g, (_, name: keyof Filled) => program.filled[name]);
    await openScreen(page, `${app.origin}/${kind}/${program.programId}/${filled.replace(/^\//, '')}`);
    let text = '';
    await until('everything is loaded, and drawn', async () => {
      // Reading the text makes the browser draw the page: not while it can't be complete.
      if (waiting.size > 0) return false;
      const before = text;
      text = await page.locator('main').innerText();
      return waiting.size === 0 && text === before && (await page.locator('main [aria-busy=true]').count()) === 0;
    });
    return readAmounts(page);
  }

  async function checkSums(read: ShownAmounts, program: Opened, { below = {}, columns = {}, of }: SumPlaces & { of?: 'affiliate' }) {
    const sums = await readSums(app.service, program, of === 'affiliate' ? program.filled.affiliateId : undefined);
    for (const [label, name] of Object.entries(below)) assert.equal(amountBelow(read, label, program.currency), sums[name], label);
    for (const [header, name] of Object.entries(columns)) assert.equal(sumOfColumn(read, header, program.currency), sums[name], header);
  }

  for (const kind of apps) {
    test(`of the ${kind}: each is listed, with its sums or the reason for which it shows no amounts`, async () => {
      const screens = await listScreens(kind);
      assert.deepEqual(
        Object.keys(listed[kind]),
        screens.map(({ id }) => id),
      );
    });

    for (const { currency, language } of currencies) {
      test(`of the ${kind} are those of the API, in ${currency}`, async () => {
        const program = programs.find((each) => each.currency === currency) ?? assert.fail();
        await signInTo(kind);
        if (language === 'de') await app.context.addCookies([{ name: 'trb-language', value: 'de', url: app.origin }]);
        for (const { id, path } of await listScreens(kind)) {
          const screen = listed[kind][id] ?? assert.fail(id);
          const isText = typeof screen === 'string';
          // Nothing to compare: one program is enough.
          if (isText && currency !== 'BHD') continue;
          for (const view of isText ? [{}] : (screen.views ?? [])) {
            const name = `${kind}: ${id}${view.query ?? ''}`;
            const read = await show(kind, program, `${path}${view.query ?? ''}`);
            // VAT is stated in the currency of the country too, which differs between the programs.
            const [inEuros, inCurrency] = partition(read.amounts, (text) => currency !== 'EUR' && text.includes('€'));
            const cents = inCurrency.map((text) => toCents(text, currency, language));
            if (isText) assert.deepEqual(cents, [], name);
            else assert.notDeepEqual(cents, [], name);
            shown.set(name, (shown.get(name) ?? new Map()).set(currency, cents));
            const known = returned.get(program.programId);
            const computed = isText ? [] : (screen.computed ?? []);
            const all = [...cents, ...inEuros.map((text) => toCents(text, 'EUR', language))];
            const unknown = all.filter((each) => each !== 0 && !known?.has(Math.abs(each)) && !computed.includes(each));
            assert.deepEqual(unknown, [], `${name} shows what the API didn't return`);
            if (language === 'en') await checkSums(read, program, view).catch((error) => assert.fail(`${name}: ${error.message}`));
          }
        }
        assert.deepEqual(takeFaults(), []);
      });
    }
  }

  test('are the same numbers of the smallest unit in every currency', () => {
    for (const [name, byCurrency] of shown)
      if (byCurrency.size > 1) for (const cents of byCurrency.values()) assert.deepEqual(cents, byCurrency.get('BHD'), name);
  });
});

/** Those that match, and the others. */
function partition(texts: readonly string[], matches: (text: string) => boolean): [string[], string[]] {
  return [texts.filter(matches), texts.filter((text) => !matches(text))];
}

/** The amounts in a response, and the remaining ones where a part was reversed. */
function centsIn(value: unknown, name = ''): number[] {
  if (typeof value === 'number') return name.endsWith('Cents') ? [Math.abs(Math.round(value))] : [];
  if (value === null || typeof value !== 'object') return [];
  const { amountCents, reversedCents } = value as Record<string, unknown>;
  const left = typeof amountCents === 'number' && typeof reversedCents === 'number' ? [amountCents - reversedCents] : [];
  const inside = Object.entries(value).flatMap(([key, each]) => centsIn(each, name.endsWith('Cents') ? name : key));
  return [...left, ...inside];
}
