// "This wasn't me", the link of the emails about changed payout details, as an affiliate opens it on a phone: the question, what
// happens after the button, and a link that has expired, in both languages and both schemes. With SCREENSHOTS=1: pictures in
// .tributary/screens.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { anAffiliate } from '../support/builders.ts';
import { checkAccessibility, checkFocus, checkHeadline, checkWidth } from '../support/screens/checks.ts';
import { press } from '../support/screens/keyboard.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { takePictures } from '../support/screens/pictures.ts';
import { watchPage } from '../support/screens/watched-page.ts';

const phone = { width: 390, height: 844 };
const narrow = { width: 320, height: 700 };
const leastTargetPx = 44;
const languages = ['en', 'de'] as const;
const titles = {
  question: { en: 'You didn’t change your payout details?', de: 'Du hast deine Auszahlungsdaten nicht geändert?' },
  done: { en: 'Payouts are stopped', de: 'Auszahlungen sind angehalten' },
  expired: { en: 'This link doesn’t work', de: 'Dieser Link funktioniert nicht' },
};

describe('the page of the link "This wasn’t me"', () => {
  let app: Console;
  let affiliateId: string;
  let page: Page;
  let takeFaults: () => string[];
  let link: string;
  let shownLanguage: (typeof languages)[number] = 'en';
  before(async () => {
    app = await openConsole();
    const { service } = app;
    const ada = await anAffiliate(service, { status: 'active', firstName: 'Ada', lastName: 'Lindqvist', email: 'ada@example.com' });
    affiliateId = ada.id;
    await app.signInAs(await service.asAffiliate(ada));
    const details = `${service.program.path}/affiliates/${affiliateId}/payout-details`;
    for (const name of ['ada', 'stranger']) {
      const body = { method: 'paypal', email: `${name}@payments.example` };
      assert.ok((await service.request('POST', details, { body })).status < 300);
    }
    await service.drain();
    const urls = service.mails.flatMap(({ text }) => /\/payout-change\/[\w-]+/.exec(text)?.[0] ?? []);
    link = app.origin + (urls.at(-1) ?? '');
    // A link that doesn't work gets a 404 response, which the browser reports.
    ({ page, takeFaults } = await watchPage(app.context, app.origin, { isFailing: true }));
    await page.route('**/payout-change/*', (route) =>
      route.continue({ headers: Object.assign(route.request().headers(), { 'accept-language': shownLanguage }) }),
    );
    page.setDefaultTimeout(60_000);
    await page.setViewportSize(phone);
  });
  after(() => app?.close());

  const alerts = async () => {
    const { rows } = await app.service.pool.query(`select status from fraud_events where affiliate_id = $1`, [affiliateId]);
    return rows.map(({ status }) => status);
  };

  /** Opens a link in both languages, the second time in English, and checks the page in both schemes on a phone. */
  async function check(url: string, name: keyof typeof titles): Promise<void> {
    for (const language of [...languages].reverse()) {
      const label = `${name}, ${language}`;
      shownLanguage = language;
      await page.goto(url);
      await page.getByRole('heading', { name: titles[name][language], level: 1 }).waitFor();
      assert.equal(await page.locator('html').getAttribute('lang'), language);
      await checkHeadline(page, label);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await checkAccessibility(page, `${label}, ${colorScheme}`);
      }
      await page.setViewportSize(narrow);
      await checkWidth(page, label);
      await page.setViewportSize(phone);
      await takePictures(page, `payout-change-${name}-${language}`);
    }
  }

  test('asks before it does anything, with a button that is large enough for a thumb', async () => {
    await check(link, 'question');
    await checkFocus(page, 'the question', 2);
    const size = await page.getByRole('button', { name: 'This wasn’t me' }).boundingBox();
    assert.ok(size && size.height >= leastTargetPx, `${size?.height} px`);
    assert.deepEqual(await alerts(), []);
    assert.deepEqual(takeFaults(), []);
  });

  test('stops payouts with one key press, signs the affiliate out, and says what happens next', async () => {
    await press(page, page.getByRole('button', { name: 'This wasn’t me' }));
    await page.getByRole('heading', { name: titles.done.en }).waitFor();
    assert.deepEqual(await alerts(), ['open']);
    await checkAccessibility(page, 'the response to the button');
    await check(link, 'done');
    assert.deepEqual(takeFaults(), []);
    await page.goto(`${app.origin}/portal/${app.service.program.programId}`);
    await page.waitForURL(/\/sign-in/);
    await page.goto(link);
    await press(page, page.getByRole('link', { name: 'Sign in' }));
    await page.getByLabel('Email').waitFor();
  });

  test('says that a link has expired, and whom to ask', async () => {
    app.service.clock.advance({ days: 3, minutes: 1 });
    await check(link, 'expired');
    assert.equal(await page.getByRole('button').count(), 0);
    assert.deepEqual(takeFaults(), []);
  });
});
