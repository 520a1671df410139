// Every ISO currency is read with its own number of decimals: in an email, in a PDF, in files for spreadsheets and by the
// browser's formatter. Some of each number of decimals are entered in the console, and read there and in the portal.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import type { Locator } from 'playwright-core';
import { addMember } from '../../server/accounts/identity/members/add-member.ts';
import { transact } from '../../server/platform/db/transact.ts';
import { anAffiliate, anOrder, aRule } from '../support/builders.ts';
import type { TestMember, TestProgram } from '../support/harness.ts';
import { readPdfText } from '../support/money/pdf-text.ts';
import { isoDecimals, numberIn, writtenAmount } from '../support/money/shown-amount.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { moveTo, type Watched, waitForScreen, watchPage } from '../support/screens/watched-page.ts';

/** In the smallest unit: 12,345.67 of a currency with two decimals. */
const cents = 1_234_567;
const affiliateEmail = 'ada@example.com';
const contactEmail = 'finance@brand.example';
/** With 0, 2, 3 and 4 decimals; with and without a symbol; and some to which browsers give other decimals than ISO 4217. */
const typed = ['CLF', 'EUR', 'HUF', 'IQD', 'JPY', 'KRW', 'KWD', 'UGX', 'USD', 'XOF'];

type Amounts = { language: string; amounts: { currency: string; decimals: number; major: string }[] };

/** Runs in the browser, with the options of `formatMoney`. */
const formatAmounts = ({ language, amounts }: Amounts) =>
  amounts.map(({ currency, decimals, major }) => {
    const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
    return new Intl.NumberFormat(language, { style: 'currency', currency, ...digits }).format(major as Intl.StringNumericLiteral);
  });

describe('amounts of every ISO currency', () => {
  const currencies = [...isoDecimals.keys()].sort();
  const programs = new Map<string, TestProgram & { affiliateId: string; referralCode: string }>();
  let app: Console;
  let owner: TestMember;
  let watched: Watched;

  before(async () => {
    app = await openConsole();
    owner = await app.service.asMember('owner', { name: 'Dana Calder' });
    for (const currency of currencies) programs.set(currency, await aProgramIn(currency));
    watched = await watchPage(app.context, app.origin);
    watched.page.setDefaultTimeout(60_000);
  });
  after(() => app?.close());

  /** A program with an affiliate who earns the whole order, so that each amount is the one that was typed or sent. */
  async function aProgramIn(currency: string) {
    const { service } = app;
    const program = await service.newProgram(`Brand in ${currency}`);
    const actor = { kind: 'command' as const, id: 'test' };
    await service.pool.query('update programs set currency = $1, hold_days = 0 where id = $2', [currency, program.programId]);
    await transact(service.ctx, (tx) => addMember(tx, { programId: program.programId, userId: owner.userId, role: 'owner', actor }));
    await aRule(service, { rate: 100 }, program);
    const { id, referralCode } = await anAffiliate(service, { email: affiliateEmail, status: 'active' }, program);
    if (!typed.includes(currency)) await anOrder(service, { affiliateId: id, amountCents: cents }, program);
    return { ...program, affiliateId: id, referralCode };
  }

  const programIn = (currency: string) => {
    const program = programs.get(currency);
    assert.ok(program, currency);
    return program;
  };

  /** Waits for the amount, and compares the whole number: "12,345.67" is also a part of "112,345.67". */
  async function checkAmount(place: Locator, currency: string): Promise<void> {
    const written = writtenAmount(cents, currency);
    await place.filter({ hasText: written }).first().waitFor();
    assert.equal(numberIn(await place.first().innerText()), written, currency);
  }

  const goTo = (path: string) => moveTo(watched.page, path);

  test('are stored as they were typed in the console, and are shown there', async () => {
    const { page } = watched;
    await app.signInAs(owner);
    await page.goto(`${app.origin}/console/${programIn('USD').programId}/conversions`);
    for (const currency of typed) {
      const { programId, referralCode, key, path } = programIn(currency);
      await goTo(`/console/${programId}/conversions`);
      await page.getByRole('heading', { level: 1, name: 'Conversions' }).waitFor();
      await page.getByText(`Brand in ${currency}`).first().waitFor();
      await page.getByRole('button', { name: 'Add order' }).first().click();
      await page.getByRole('textbox', { name: 'Order ID' }).fill(`ORDER-${currency}`);
      await page.getByRole('textbox', { name: 'Amount' }).fill(writtenAmount(cents, currency));
      await page.getByRole('textbox', { name: 'Referral code' }).fill(referralCode);
      await page.getByRole('button', { name: 'Preview' }).click();
      const submit = page.getByRole('button', { name: /^Add order and credit/ });
      await checkAmount(submit, currency);
      await submit.click();
      await page.locator('[data-row] a', { hasText: `ORDER-${currency}` }).waitFor();
      await checkAmount(page.locator('[data-total=sales] dd'), currency);
      const { body } = await app.service.request('GET', `${path}/conversions`, { key });
      assert.deepEqual([body.conversions[0].amountCents, body.conversions[0].currency], [cents, currency]);
    }
    assert.deepEqual(watched.takeFaults(), []);
  });

  test('exchange rates are checked and uploaded, and faults are shown at their lines', async () => {
    const { page } = watched;
    const { programId } = programIn('USD');
    await goTo(`/console/${programId}/settings/exchange-rates`);
    await page.getByRole('combobox', { name: 'Orders in other currencies' }).click();
    await page.getByRole('option', { name: 'Convert at uploaded rates' }).click();
    await page.getByRole('button', { name: /^Save changes/ }).click();
    await page.getByText('No order waits for an exchange rate.').waitFor();
    const rates = page.getByLabel('Rates', { exact: true });
    const check = () => page.getByRole('button', { name: 'Check', exact: true }).click();
    await rates.fill('EUR,2026-11-26,1.084213\n\nGBP,2026-11-26,no');
    await check();
    await page.getByText('Line 3: the rate must be a decimal above 0').waitFor();
    assert.ok(await page.getByRole('button', { name: 'Upload 2 rates' }).isDisabled());
    assert.match(await rates.inputValue(), /GBP,2026-11-26,no/);
    await rates.fill('EUR,2026-11-26,1.084213\nJPY,2026-11-26,0.0065');
    await check();
    await page.getByText('2 new, 0 changed, 0 unchanged. Nothing has been stored yet.').waitFor();
    await page.getByRole('button', { name: 'Upload 2 rates' }).click();
    await page.getByText('2 rates stored').waitFor();
    await page.getByText('1.084213').waitFor();
    assert.equal(watched.takeFaults().length, 1, 'the browser logs the rejected check');
    const { rows } = await app.service.pool.query('select currency, rate::text from exchange_rates where program_id = $1 order by 1', [
      programId,
    ]);
    assert.deepEqual(
      rows.map((row) => Object.values(row).join(' ')),
      ['EUR 1.084213', 'JPY 0.0065'],
    );
  });

  test('are shown in the portal', async () => {
    const { page } = watched;
    await app.signInAs(await app.service.asAffiliate({ id: '', email: affiliateEmail }));
    await page.goto(`${app.origin}/portal/${programIn('USD').programId}`);
    await waitForScreen(page);
    for (const currency of typed) {
      await goTo(`/portal/${programIn(currency).programId}/earnings`);
      await page.locator('header', { hasText: `Brand in ${currency}` }).waitFor();
      await checkAmount(page.locator('main section li [class*=amount]'), currency);
    }
    assert.deepEqual(watched.takeFaults(), []);
  });

  test('of all currencies are formatted by the browser with their decimals, as web/ui/figures/format.test.ts shows for Node', async () => {
    assert.deepEqual(new Set(typed.map((currency) => isoDecimals.get(currency))), new Set(isoDecimals.values()));
    const amounts = currencies.map((currency) => {
      const decimals = isoDecimals.get(currency) ?? 2;
      return { currency, decimals, major: writtenAmount(cents, currency).replaceAll(',', '') };
    });
    const written = currencies.map((currency) => writtenAmount(cents, currency));
    const english = await watched.page.evaluate(formatAmounts, { language: 'en-US', amounts });
    assert.deepEqual(english.map(numberIn), written);
    const german = await watched.page.evaluate(formatAmounts, { language: 'de-DE', amounts });
    const swapped = written.map((amount) => amount.replace(/[.,]/g, (separator) => (separator === '.' ? ',' : '.')));
    assert.deepEqual(german.map(numberIn), swapped);
  });

  test('are written into emails', async () => {
    for (const currency of currencies) {
      const { programId, key } = programIn(currency);
      const change = (body: object) => app.service.request('PATCH', `/v1/programs/${programId}`, { key, body });
      assert.equal((await change({ contactEmail, payoutApprovalCents: cents })).status, 200);
      assert.ok((await change({ payoutApprovalCents: null })).status < 300);
    }
    await app.service.drain();
    for (const currency of currencies) {
      const mail = app.service.mails.find(({ subject }) => subject.startsWith(`Brand in ${currency}:`));
      assert.equal(numberIn(/changes from ([\s\S]*?) to /.exec(mail?.text ?? '')?.[1] ?? ''), writtenAmount(cents, currency), currency);
    }
  });

  test('are printed in PDF statements with letters that their font has', async () => {
    for (const currency of currencies) {
      const { path, affiliateId, key } = programIn(currency);
      const url = `${path}/affiliates/${affiliateId}/statement?format=pdf`;
      const response = await app.service.app.inject({ url, headers: { authorization: `Bearer ${key}` } });
      const lines = readPdfText(response.rawPayload);
      const amount = lines[lines.indexOf('Closing') + 1] ?? '';
      assert.equal(numberIn(amount), writtenAmount(cents, currency), currency);
      assert.match(amount, /^(F\u202fCFA|[A-Za-z.]*)\p{Sc}?\u00a0?[\d,.]+$/u, currency);
    }
  });

  test('are the same in files for spreadsheets and product feeds', async () => {
    for (const currency of currencies) {
      const program = programIn(currency);
      const { path, affiliateId, key } = program;
      const statement = await app.service.request('GET', `${path}/affiliates/${affiliateId}/statement?format=csv`, { key });
      const last = (parse(statement.text) as string[][]).at(-1) ?? [];
      assert.deepEqual(last.slice(5), [String(cents), currency]);
      const csv = `externalId,name,priceCents,checkoutUrl\nt1,Tea,${cents},https://shop.example/tea\n`;
      assert.equal((await app.service.request('POST', `${path}/products/import`, { key, body: { csv } })).status, 200);
      const feed = await app.service.request('GET', `${path}/products/feed?format=google_xml`, { key });
      assert.match(feed.text, new RegExp(`<g:price>${writtenAmount(cents, currency).replaceAll(',', '')} ${currency}</g:price>`));
    }
  });
});
