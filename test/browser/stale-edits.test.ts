// Two people who edit one thing at the same time: the second one sees what the first one saved, and decides.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { aCoupon, aGroup, anAffiliate, aProduct } from '../support/builders.ts';
import { checkAccessibility } from '../support/screens/checks.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { takePictures } from '../support/screens/pictures.ts';
import { waitForScreen } from '../support/screens/watched-page.ts';

describe('editing one affiliate in two tabs', () => {
  let app: Console;
  let id: string;
  before(async () => {
    app = await openConsole();
    await app.signInAs(await app.service.asMember('owner', { name: 'Dana Calder' }));
    ({ id } = await anAffiliate(app.service, { firstName: 'Ada', lastName: 'Lindqvist', email: 'ada@example.com' }));
  });
  // Pages that stay open keep asking for news.
  afterEach(() => Promise.all(app.context.pages().map((page) => page.close())));
  after(() => app?.close());

  async function openForm(): Promise<Page> {
    const page = await app.context.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(`${app.origin}/console/${app.service.program.programId}/affiliates/${id}`);
    await waitForScreen(page);
    await page.getByRole('button', { name: 'Edit', exact: true }).first().click();
    await page.getByLabel('Last name').waitFor();
    return page;
  }
  const save = (page: Page) => page.getByRole('button', { name: 'Save changes' }).click();
  const read = async () => (await app.service.request('GET', `${app.service.program.path}/affiliates/${id}`)).body;

  test('shows who changed it and both versions, and keeps what was typed', async () => {
    const [first, second] = [await openForm(), await openForm()];
    await first.getByLabel('Last name').fill('Lovelace');
    await save(first);
    await first.getByText('Changes saved').first().waitFor();
    await second.getByLabel('Last name').fill('L.');
    await second.getByLabel('Tags').fill('podcast');
    await save(second);
    const notice = second.getByRole('alert').filter({ hasText: /^Dana Calder changed this / });
    await notice.waitFor();
    assert.match(await notice.innerText(), /Lovelace · yours: L\./);
    assert.equal((await read()).lastName, 'Lovelace');
    await notice.getByRole('button', { name: 'Keep what I typed' }).click();
    await save(second);
    await second.getByText('Changes saved').first().waitFor();
    const { lastName, tags } = await read();
    assert.deepEqual([lastName, tags], ['L.', ['podcast']]);
  });

  test('takes the saved version on request', async () => {
    const [first, second] = [await openForm(), await openForm()];
    await first.getByLabel('First name').fill('Augusta');
    await save(first);
    await first.getByText('Changes saved').first().waitFor();
    await second.getByLabel('First name').fill('A.');
    await save(second);
    await second.getByRole('button', { name: 'Use the saved version' }).click();
    assert.equal(await second.getByLabel('First name').inputValue(), 'Augusta');
    assert.equal((await read()).firstName, 'Augusta');
  });
});

describe('editing the terms of a program in two tabs', () => {
  let app: Console;
  let base: string;
  before(async () => {
    app = await openConsole();
    const mei = await app.service.asMember('owner', { name: 'Mei Tanaka' });
    await app.signInAs(mei);
    base = app.service.program.path;
    // The edits are later than the creation, as in reality.
    app.service.clock.advance({ seconds: 1 });
  });
  // Pages that stay open keep asking for news.
  afterEach(() => Promise.all(app.context.pages().map((page) => page.close())));
  after(() => app?.close());

  const read = async (path: string) => (await app.service.request('GET', `${base}${path}`)).body;
  async function open(path: string): Promise<Page> {
    const page = await app.context.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(`${app.origin}/console/${app.service.program.programId}/${path}`);
    await waitForScreen(page);
    return page;
  }
  const openSheet = async (path: string, label: string) => {
    const page = await open(path);
    await page.getByRole('dialog').getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('dialog').getByLabel(label, { exact: true }).waitFor();
    return page;
  };
  const save = (page: Page) => page.getByRole('button', { name: /^Save/ }).click();
  const notice = (page: Page) => page.getByRole('alert').filter({ hasText: /^Mei Tanaka changed this / });

  /** Both change one field: the second one sees both values, nothing is overwritten, and keeps what was typed. */
  async function clash(
    pages: [Page, Page],
    { label, values, seen, saved }: { label: string; values: string[]; seen: RegExp; saved: string },
  ) {
    const [first, second] = pages;
    await first.getByLabel(label, { exact: true }).fill(values[0] ?? '');
    await save(first);
    await first.getByText(saved).first().waitFor();
    await second.getByLabel(label, { exact: true }).fill(values[1] ?? '');
    await save(second);
    await notice(second).waitFor();
    assert.match(await notice(second).innerText(), seen);
    if (label !== 'Name') await checkAccessibility(second, `a conflict about ${label}`);
  }
  const keep = async (page: Page, saved: string) => {
    await notice(page).getByRole('button', { name: 'Keep what I typed' }).click();
    await save(page);
    await page.getByText(saved).first().waitFor();
    await notice(page).waitFor({ state: 'detached' });
  };

  test('settings of the program: shows both values, and changes of other fields are merged', async () => {
    const saved = 'Settings saved';
    const pages: [Page, Page] = [await open('settings/payments'), await open('settings/payments')];
    await clash(pages, { label: 'Minimum payout', values: ['30', '40'], seen: /\$30\.00 · yours: \$40\.00/, saved });
    assert.equal((await read('')).minimumPayoutCents, 3000);
    await takePictures(pages[1], 'stale-settings');
    await keep(pages[1], saved);
    assert.equal((await read('')).minimumPayoutCents, 4000);
    const [third, fourth] = [await open('settings/payments'), await open('settings/payments')];
    await third.getByLabel('Minimum payout', { exact: true }).fill('55');
    await save(third);
    await third.getByText(saved).first().waitFor();
    await fourth.getByLabel('Hold period', { exact: true }).fill('7');
    await save(fourth);
    await fourth.getByText(saved).first().waitFor();
    const { minimumPayoutCents, holdDays } = await read('');
    assert.deepEqual([minimumPayoutCents, holdDays], [5500, 7]);
  });

  test('a product, a group and a coupon: shows both values, and overwrites nothing', async () => {
    const productId = await aProduct(app.service, { name: 'Tea' });
    const groupId = await aGroup(app.service, 'Gold');
    const { id: affiliateId } = await anAffiliate(app.service, { status: 'active' });
    const { id: couponId } = await aCoupon(app.service, { affiliateId, maxRedemptions: 5 });
    app.service.clock.advance({ seconds: 1 });
    const product = {
      path: `products?product=${productId}`,
      label: 'Name',
      values: ['Sleep tea', 'Night tea'],
      seen: /Sleep tea · yours: Night tea/,
    };
    const group = { path: `groups?group=${groupId}`, label: 'Hold period', values: ['14', '21'], seen: /14 · yours: 21/ };
    const coupon = { path: `coupons?coupon=${couponId}`, label: 'Limit of uses', values: ['10', '20'], seen: /10 · yours: 20/ };
    const saved = 'was saved.';
    for (const each of [product, group, coupon]) {
      const pages: [Page, Page] = [await openSheet(each.path, each.label), await openSheet(each.path, each.label)];
      await clash(pages, { ...each, saved });
      await takePictures(pages[1], `stale-${each.path.split('?')[0]}`);
      await keep(pages[1], saved);
    }
    const { name } = await read(`/products/${productId}`);
    const { holdDays } = await read(`/groups/${groupId}`);
    const { maxRedemptions } = await read(`/coupons/${couponId}`);
    assert.deepEqual([name, holdDays, maxRedemptions], ['Night tea', 21, 20]);
  });
});
