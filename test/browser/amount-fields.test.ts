// Amounts are entered in the unit of the program's currency: yen without decimals, dinars with three, euros as Germans write
// them. Sheets name the sum of what was entered before it is granted, refunded or paid.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { addMember } from '../../server/accounts/identity/members/add-member.ts';
import { transact } from '../../server/platform/db/transact.ts';
import type { TestProgram } from '../support/harness.ts';
import { type Filled, fillWithAmounts } from '../support/money/fill-with-amounts.ts';
import { writtenAmount } from '../support/money/shown-amount.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { openScreen, type Watched, watchPage } from '../support/screens/watched-page.ts';

type Entry = { currency: string; language: 'en' | 'de'; typed: string; cents: number; rejected: Record<string, RegExp> };

/** The German one is last: the language is a cookie. */
const entries: readonly Entry[] = [
  {
    currency: 'JPY',
    language: 'en',
    typed: '12,345',
    cents: 12_345,
    rejected: { '500.5': /JPY has no decimals/, '12,3': /for example 1250/ },
  },
  {
    currency: 'BHD',
    language: 'en',
    typed: '1,234.567',
    cents: 1_234_567,
    rejected: { '1.2345': /BHD has at most 3 decimals/, '12,50': /for example 1\.250/ },
  },
  {
    currency: 'EUR',
    language: 'de',
    typed: '1.234,56',
    cents: 123_456,
    rejected: { '1,234': /EUR hat höchstens 2 Nachkommastellen/, '12.50': /zum Beispiel 12,5/, zwölf: /Einen Betrag eingeben/ },
  },
];

describe('amounts in fields', () => {
  let app: Console;
  let watched: Watched;
  let page: Page;
  const programs = new Map<string, TestProgram & Filled>();

  before(async () => {
    app = await openConsole();
    const { service } = app;
    const created: TestProgram[] = [];
    for (const { currency } of entries) {
      const program = await service.newProgram(`Fern & Field ${currency.toLowerCase()}`);
      await service.pool.query('update programs set currency = $1 where id = $2', [currency, program.programId]);
      created.push(program);
    }
    const filled = await fillWithAmounts(service, created);
    for (const [index, { currency }] of entries.entries())
      programs.set(currency, Object.assign({}, created[index], filled[index]) as TestProgram & Filled);
    await app.context.clock.setFixedTime(service.clock.now());
    // Signed in now: filling took days.
    const owner = await service.asMember('owner', { name: 'Dana Calder' });
    const actor = { kind: 'command' as const, id: 'test' };
    for (const { programId } of created)
      await transact(service.ctx, (tx) => addMember(tx, { programId, userId: owner.userId, role: 'owner', actor }));
    await app.signInAs(owner);
    watched = await watchPage(app.context, app.origin);
    page = watched.page;
    page.setDefaultTimeout(60_000);
  });
  after(() => app?.close());

  const programIn = (currency: string) => programs.get(currency) ?? assert.fail(currency);
  const open = (currency: string, path: string) => openScreen(page, `${app.origin}/console/${programIn(currency).programId}/${path}`);
  const get = async (currency: string, path: string) => {
    const program = programIn(currency);
    return (await app.service.request('GET', `${program.path}${path}`, { key: program.key })).body;
  };
  const sheet = () => page.getByRole('dialog');

  for (const { currency, typed, cents } of entries.filter(({ language }) => language === 'en')) {
    const written = (amount: number) => new RegExp(`(^|[^\\d,.])${writtenAmount(amount, currency)}([^\\d,.]|$)`);

    test(`a bonus for two affiliates in ${currency} names its sum`, async () => {
      await open(currency, 'commissions');
      await page.getByRole('button', { name: 'Grant a bonus' }).click();
      for (const name of ['Ada', 'Ben']) {
        await sheet().getByLabel('Affiliates').fill(name);
        await page.getByRole('option', { name: new RegExp(name) }).click();
      }
      await sheet().getByLabel('Amount for each affiliate').fill(typed);
      await sheet().getByLabel('Reason').fill('Speaker fee');
      await sheet()
        .getByRole('button', { name: written(2 * cents) })
        .click();
      await page
        .getByRole('listitem')
        .filter({ hasText: written(2 * cents) })
        .first()
        .waitFor();
      const { commissions } = await get(currency, '/commissions?kind=bonus&limit=2');
      assert.deepEqual(
        commissions.map(({ amountCents }: { amountCents: number }) => amountCents),
        [cents, cents],
      );
    });

    test(`a refund in ${currency} names its effect`, async () => {
      await open(currency, `conversions/${programIn(currency).conversionId}`);
      await page.getByRole('button', { name: 'Refund' }).click();
      await sheet()
        .getByRole('checkbox', { name: /Evening tea/ })
        .check();
      await sheet().locator('input[name$=amountCents]').fill(writtenAmount(100_001, currency));
      await sheet()
        .getByRole('button', { name: written(100_001) })
        .click();
      await sheet().waitFor({ state: 'detached' });
      const { totals } = await get(currency, `/conversions/${programIn(currency).conversionId}/explanation`);
      assert.equal(totals.refundedCents, 629 + 100_001);
    });

    test(`the sheet that pays in ${currency} names the sum of the affiliates`, async () => {
      const { totalCents } = await get(currency, '/payouts/due');
      await open(currency, 'payouts?sheet=dispatch');
      await sheet().getByText(written(totalCents)).first().waitFor();
      await sheet().getByRole('button', { name: 'Continue' }).click();
      await sheet().getByRole('button', { name: 'Continue' }).click();
      await sheet()
        .getByLabel(/Type|total/i)
        .fill(writtenAmount(totalCents, currency));
      await sheet()
        .getByRole('button', { name: written(totalCents) })
        .click();
      await page.waitForURL(/\/payouts\/batches\/[0-9a-f-]{36}$/);
      const { batches } = await get(currency, '/payouts/batches?limit=1&sort=-createdAt');
      assert.equal(batches[0].totalCents, totalCents);
      assert.deepEqual(watched.takeFaults(), []);
    });
  }

  for (const { currency, language, typed, cents, rejected } of entries)
    test(`the minimum payout is entered in ${currency}, and text that is not an amount is rejected with the reason`, async () => {
      if (language === 'de') await app.context.addCookies([{ name: 'trb-language', value: 'de', url: app.origin }]);
      await open(currency, 'settings/payments');
      const field = page.locator('input[name=minimumPayoutCents]');
      for (const [text, reason] of Object.entries(rejected)) {
        await field.fill(text);
        await field.press('Enter');
        await page.getByText(reason).waitFor();
        assert.equal((await get(currency, '')).minimumPayoutCents, 7531, text);
      }
      await field.fill(typed);
      const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
      await field.press('Enter');
      assert.deepEqual([(await saved).request().postDataJSON().minimumPayoutCents, (await saved).status()], [cents, 200]);
      assert.equal((await get(currency, '')).minimumPayoutCents, cents);
    });
});
