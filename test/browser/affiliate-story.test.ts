// The whole path of an affiliate: invited in the console, claimed in another browser, a page made on a phone, reviewed by
// keyboard, visited, an order reported, and its commission explained in the portal. With SCREENSHOTS=1: pictures in
// .tributary/screens.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { chrome } from '../support/browsers.ts';
import { aProduct, aRule } from '../support/builders.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { waitForScreen } from '../support/screens/watched-page.ts';

const folder = join(import.meta.dirname, '..', '..', '.tributary', 'screens');
const phone = { width: 390, height: 844 };
const email = 'ada@example.com';

describe('an affiliate, from the invitation to the first commission', () => {
  let app: Console;
  let otherBrowser: Browser;
  let brand: Page;
  let ada: Page;
  let storefront = '';
  let clickId = '';
  before(async () => {
    mkdirSync(folder, { recursive: true });
    [app, otherBrowser] = await Promise.all([openConsole(), openBrowser()]);
    await aProduct(app.service, { name: 'Practice Starter Kit', checkoutUrl: 'https://brand.example/kit' });
    await aRule(app.service, { name: 'Everyone earns 10%', type: 'percentage', rate: 10 });
    const owner = await app.service.asMember('owner', { name: 'Dana Calder' });
    await app.signInAs(owner);
    brand = await app.context.newPage();
    const context = await otherBrowser.newContext({ viewport: phone, locale: 'en-US', reducedMotion: 'reduce' });
    await context.clock.setFixedTime(app.service.clock.now());
    ada = await context.newPage();
    for (const page of [brand, ada]) page.setDefaultTimeout(60_000);
  });
  after(async () => {
    await otherBrowser?.close();
    await app?.close();
  });

  const programId = () => app.service.program.programId;
  const openInConsole = async (path: string) => {
    await brand.goto(`${app.origin}/console/${programId()}/${path}`);
    await waitForScreen(brand);
  };
  const shoot = async (page: Page, name: string) => {
    if (process.env.SCREENSHOTS) await page.screenshot({ path: join(folder, `story-${name}.png`), fullPage: true });
  };
  /** The newest email to the affiliate, as it is stored. Emails of decisions are sent a minute later. */
  const readEmail = async (): Promise<string> => {
    const { rows } = await app.service.pool.query(
      `select text_body from emails where to_address = $1 order by created_at desc, id desc limit 1`,
      [email],
    );
    return rows[0]?.text_body ?? '';
  };
  /** The path of the link that signs in. The stored invitation has none. */
  const readInvitationLink = async (): Promise<string> => {
    await app.service.drain();
    const mail = app.service.mails.find(({ to }) => to === email);
    return /\/enter\/[\w-]{43}/.exec(mail?.text ?? '')?.[0] ?? assert.fail(`no link in ${mail?.text}`);
  };

  test('is invited in the console', async () => {
    await openInConsole('affiliates?sheet=invite');
    await brand.getByLabel('Email addresses').fill('Ada Lindqvist <ada@example.com>');
    await brand.getByRole('switch', { name: /Approve automatically/ }).check();
    await brand.getByRole('button', { name: 'Invite 1 affiliate' }).click();
    await brand.getByText('1 affiliate invited').first().waitFor();
  });

  test('claims the account with the emailed link, in another browser', async () => {
    const path = await readInvitationLink();
    await ada.goto(app.origin + path);
    await ada.getByText(email).first().waitFor();
    await ada.getByRole('button', { name: /Continue/ }).click();
    await ada.waitForURL(/\/(welcome|portal)/);
    await shoot(ada, '1-claimed');
    await ada.goto(`${app.origin}/portal`);
    await ada.waitForURL(new RegExp(`/portal/${programId()}`));
    await waitForScreen(ada);
    await shoot(ada, '2-portal');
  });

  test('makes a page on a phone, and submits it', async () => {
    await ada.goto(`${app.origin}/portal/${programId()}/page`);
    await ada.getByLabel('Title', { exact: true }).fill('What Ada uses');
    await ada.getByLabel('Headline').fill('Teas that cure everything');
    await ada.getByText('Draft, saved at').waitFor();
    await shoot(ada, '3-page');
    await submit();
  });

  async function submit(): Promise<void> {
    await ada.getByRole('button', { name: 'Submit for review' }).click();
    await ada.getByRole('dialog').getByRole('button', { name: 'Submit for review' }).click();
    await ada.getByText('In review since').waitFor();
  }

  test('is asked for a change by keyboard, makes it, and is approved by keyboard', async () => {
    await openInConsole('review');
    await brand.getByText('Teas that cure everything').first().waitFor();
    await shoot(brand, '4-review');
    await brand.keyboard.press('r');
    await brand.getByLabel('What should Ada Lindqvist change?').waitFor();
    await brand.keyboard.type('Please do not promise a cure.');
    await brand.keyboard.press('Control+Enter');
    await brand.getByRole('heading', { name: 'All caught up.' }).waitFor();
    assert.match(await readEmail(), /Please do not promise a cure\./);
    app.service.clock.advance({ seconds: 70 });

    await ada.reload();
    await ada.getByText('Please do not promise a cure.').first().waitFor();
    await ada.getByLabel('Headline').fill('Teas that I drink every evening');
    await ada.getByText('Draft, saved at').waitFor();
    await submit();

    await openInConsole('review');
    await brand.getByText('Teas that I drink every evening').first().waitFor();
    await brand.keyboard.press('a');
    await brand.getByRole('heading', { name: 'All caught up.' }).waitFor();
    storefront = new URL(/https?:\/\/\S+\/s\/\S+/.exec(await readEmail())?.[0] ?? '').pathname;
  });

  test('has a storefront, and a visitor follows a product to the brand', async () => {
    const visitor = await otherBrowser.newPage({ viewport: { width: 1440, height: 900 } });
    await visitor.goto(app.origin + storefront);
    await visitor.getByText('Teas that I drink every evening').first().waitFor();
    await shoot(visitor, '5-storefront');
    const href = await visitor
      .getByRole('link', { name: /Practice Starter Kit|View|Shop/ })
      .first()
      .getAttribute('href');
    const response = await fetch(new URL(href ?? '', app.origin + storefront), { redirect: 'manual', headers: { 'user-agent': chrome } });
    assert.equal(response.status, 302);
    clickId = /trb_click=([^&]+)/.exec(response.headers.get('location') ?? '')?.[1] ?? '';
    assert.notEqual(clickId, '', response.headers.get('location') ?? '');
  });

  test('earns a commission on the order that follows, and sees why', async () => {
    // An order within seconds of the click would be held.
    app.service.clock.advance({ minutes: 20 });
    const order = { orderId: 'FF-1', amountCents: 24_900, clickId: decodeURIComponent(clickId), customer: { externalId: 'c-1' } };
    const reported = await app.service.request('POST', '/v1/conversions', { body: order });
    assert.equal(reported.status, 201, reported.text);
    await ada.goto(`${app.origin}/portal/${programId()}/earnings`);
    await waitForScreen(ada);
    await shoot(ada, '6-earnings');
    await ada.getByText('$24.90').first().waitFor();
    await ada.locator('main').getByRole('link').first().click();
    await ada.getByText('10% of $249.00 is $24.90.').waitFor();
    await ada.getByText("The program's standard rate applies.").waitFor();
    await shoot(ada, '7-explained');
  });
});
