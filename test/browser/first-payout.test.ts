// From nothing to a paid affiliate, in the browser: a clean `npm start` without the demo and without a mail server, its set-up
// link, a program, its rule and product, an affiliate, an order over the public API, and the first payout. Once with a pointer
// and once with only the keyboard; no command is run. With SCREENSHOTS=1: pictures in .tributary/screens.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { type FirstStart, startFirstTime } from '../support/embedded/first-start.ts';
import { checkAccessibility } from '../support/screens/checks.ts';
import { type Input, inputs } from '../support/screens/input.ts';
import { waitForScreen } from '../support/screens/watched-page.ts';

const folder = join(import.meta.dirname, '..', '..', '.tributary', 'screens');
const affiliateAddress = 'ada@example.com';
// biome-ignore lint/suspicious/noExplicitAny: the responses of the API as the store receives them.
type Answer = any;

for (const { name, create } of inputs) {
  describe(`the first payout of a clean installation, by ${name}`, () => {
    let started: FirstStart;
    let browsers: Browser[] = [];
    let owner: Page;
    let ada: Page;
    let owners: Input;
    let adas: Input;
    let link = '';
    let origin = '';
    let key = '';
    before(async () => {
      mkdirSync(folder, { recursive: true });
      [started, browsers] = await Promise.all([startFirstTime({ hasDemo: false }), Promise.all([openBrowser(), openBrowser()])]);
      const viewport = { width: 1440, height: 900 };
      const pages = await Promise.all(browsers.map((browser) => browser.newPage({ viewport, locale: 'en-US', reducedMotion: 'reduce' })));
      for (const page of pages) page.setDefaultTimeout(60_000);
      [owner, ada] = pages as [Page, Page];
      [owners, adas] = [create(owner), create(ada)];
    });
    after(async () => {
      await Promise.all(browsers.map((browser) => browser.close()));
      await started?.close();
    });

    const shoot = async (page: Page, step: string) => {
      if (process.env.SCREENSHOTS) await page.screenshot({ path: join(folder, `first-payout-${name}-${step}.png`) });
    };
    const button = (page: Page, text: string | RegExp) => page.getByRole('button', { name: text });
    /** Opens a screen of the console with its link in the navigation. */
    const go = async (screen: string) => {
      await owners.press(owner.getByRole('link', { name: screen, exact: true }).first());
      await waitForScreen(owner);
    };
    const openStep = async (step: string) => {
      await go('Overview');
      await owners.press(owner.locator('main').getByRole('link', { name: step, exact: true }));
      await waitForScreen(owner);
    };
    const openSetting = async (setting: string) => {
      await go('Settings');
      await owners.press(owner.locator('main').getByRole('link', { name: setting }).first());
      await waitForScreen(owner);
    };
    const isDone = (step: string) =>
      owner
        .getByRole('listitem')
        .filter({ has: owner.getByText(step, { exact: true }) })
        .getByText('Complete')
        .waitFor();
    const request = async (method: string, path: string, body?: object) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const response = await fetch(origin + path, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
      return { status: response.status, body: (await response.json()) as Answer };
    };

    test('the printed link creates the first user and their organization', async () => {
      [, link = ''] = /Set up +(http\S+\/set-up\/\S+)/.exec(started.printed) ?? [];
      assert.doesNotMatch(started.printed, /bin\/tributary/);
      await owner.goto(link);
      await checkAccessibility(owner, 'the set-up page');
      await shoot(owner, '1-set-up');
      await owners.enter(owner.getByLabel('Company'), 'Quiet Shores GmbH');
      await owners.enter(owner.getByLabel('Your email'), 'dana@example.com');
      await owners.press(button(owner, 'Continue'));
      await owner.waitForURL(/\/welcome/);
      origin = new URL(owner.url()).origin;
      await owners.enter(owner.getByLabel('Your name'), 'Dana Calder');
      await owners.press(button(owner, 'Save and continue'));
      await owner.getByRole('heading', { name: 'No programs yet' }).waitFor();
    });

    test('the link no longer works', async () => {
      await ada.goto(link);
      await ada.getByRole('heading', { name: 'Tributary is set up' }).waitFor();
      await shoot(ada, '2-ended');
    });

    test('a program is created, and opens with its first steps', async () => {
      await owners.press(button(owner, 'Create program'));
      const form = owner.getByRole('dialog');
      await owners.enter(form.getByLabel('Name', { exact: true }), 'Quiet Shores');
      await owners.choose(form.getByRole('combobox', { name: 'Currency' }), 'EUR', owner.getByRole('option', { name: /^EUR/ }));
      await owners.enter(form.getByLabel('Website'), 'https://shores.example/');
      await owners.press(form.getByRole('button', { name: 'Create program' }));
      await owner.getByText('0 of 9 complete').first().waitFor();
      await shoot(owner, '3-first-steps');
    });

    test('its rule, product and payout terms are set', async () => {
      await openStep('First commission rule');
      await owners.press(button(owner, 'Add rule').first());
      const form = owner.getByRole('dialog');
      await owners.enter(form.getByLabel('Name'), 'Everyone');
      await owners.enter(form.getByLabel('Percentage').last(), '12.5');
      await owners.press(form.getByRole('button', { name: 'Add rule' }));
      await form.waitFor({ state: 'detached' });
      await openStep('Products');
      await owners.press(button(owner, 'Add product').first());
      await owners.enter(form.getByLabel('Name'), 'Assam, loose');
      await owners.enter(form.getByLabel('Price', { exact: true }), '18.90');
      await owners.enter(form.getByLabel('Page in the store'), 'https://shores.example/assam');
      await owners.press(form.getByRole('button', { name: 'Add product' }));
      await form.waitFor({ state: 'detached' });
      await openSetting('Commissions and payouts');
      await owners.enter(owner.getByLabel('Hold period'), '0');
      await owners.enter(owner.getByLabel('Minimum payout'), '10');
      await owners.press(button(owner, /^Save changes/));
      await owner.getByText('Settings saved').first().waitFor();
      await go('Overview');
      await isDone('First commission rule');
      await isDone('Products');
    });

    test('an authenticator app is set up, which handling money requires', async () => {
      await openSetting('Security');
      await owners.press(button(owner, 'Set up app'));
      const sheet = owner.getByRole('dialog');
      const secret = (
        await sheet
          .getByText(/^[A-Z2-7 ]{16,}$/)
          .first()
          .innerText()
      ).replace(/\s/g, '');
      await owners.enter(sheet.getByLabel('Six-digit code from the app'), new TOTP({ secret: Secret.fromBase32(secret) }).generate());
      await owners.press(sheet.getByRole('button', { name: 'Turn on' }));
      await owners.press(sheet.getByRole('button', { name: /stored|saved/i }));
    });

    test('an API key is created for the store', async () => {
      await openSetting('API keys');
      await owners.press(button(owner, 'Create key').first());
      const form = owner.getByRole('dialog');
      await owners.enter(form.getByLabel('Name'), 'Shop');
      await owners.press(form.getByText('Read and write', { exact: true }));
      await owners.press(form.getByRole('button', { name: 'Create key' }));
      key = (
        await form
          .getByText(/^trb_\w+$/)
          .first()
          .innerText()
      ).trim();
      await owners.press(button(owner, 'I have stored it'));
      assert.equal((await request('GET', '/v1/me')).status, 200);
    });

    test('an affiliate is invited, and enters their payout details in the portal', async () => {
      await openStep('First affiliate');
      const form = owner.getByRole('dialog');
      await owners.enter(form.getByLabel('Email addresses'), `Ada Lindqvist <${affiliateAddress}>`);
      await owners.press(form.getByRole('switch', { name: /Approve automatically/ }));
      await owners.press(form.getByRole('button', { name: 'Invite 1 affiliate' }));
      await owner.getByText('1 affiliate invited').first().waitFor();
      await openSetting('Mailbox');
      await owners.press(owner.locator('[data-row]').filter({ hasText: affiliateAddress }).first().getByRole('link').first());
      await owners.press(button(owner, 'Show link'));
      const shown = button(owner, 'Copy the link');
      await shown.waitFor();
      const invitation = await shown.innerText();
      await owner.keyboard.press('Escape');
      await form.waitFor({ state: 'detached' });
      await ada.goto(invitation);
      await adas.press(button(ada, /Continue/));
      await ada.waitForURL(/\/(welcome|portal)/);
      if (ada.url().includes('/welcome')) await adas.press(button(ada, 'Save and continue'));
      await ada.waitForURL(/\/portal/);
      await waitForScreen(ada);
      await adas.press(ada.getByRole('link', { name: 'Payout details' }).first());
      await adas.press(button(ada, 'Add payout details'));
      await adas.press(button(ada, /PayPal/));
      await adas.enter(ada.getByLabel('Email address at PayPal'), 'ada@payments.example');
      await adas.press(button(ada, 'Save payout details'));
      await ada.getByText('In use').waitFor();
      await shoot(ada, '4-payout-details');
    });

    test('an order that the store reports earns a commission, which is paid and marked as paid', async () => {
      const { body } = await request('GET', '/v1/me');
      const found = await request('GET', `/v1/programs/${body.programId}/affiliates?search=${affiliateAddress}`);
      const order = { orderId: 'SHORES-1', amountCents: 24_900, referralCode: found.body.affiliates[0].referralCode };
      const reported = await request('POST', '/v1/conversions', order);
      assert.deepEqual([reported.status, reported.body.commissionCents], [201, 3113], JSON.stringify(reported.body));
      await go('Payouts');
      await owners.press(button(owner, /^Pay 1 affiliate €31\.13/).first());
      const sheet = owner.getByRole('dialog', { name: 'Pay affiliates' });
      await owners.press(sheet.getByRole('button', { name: 'Continue' }));
      await sheet.getByText('Paid manually').waitFor();
      await owners.press(sheet.getByRole('button', { name: 'Continue' }));
      await shoot(owner, '5-confirm');
      await owners.press(sheet.getByRole('button', { name: /^Pay 1 affiliate €31\.13/ }));
      await owner.waitForURL(/\/payouts\/batches\/[0-9a-f-]{36}$/);
      await waitForScreen(owner);
      await owners.press(button(owner, 'Mark as paid'));
      const mark = owner.getByRole('dialog', { name: 'Mark as paid' });
      await owners.enter(mark.getByLabel('Reference'), 'BANK-1');
      await owners.press(mark.getByRole('button', { name: 'Mark 1 payout as paid, €31.13' }));
      await owner.getByText('1 payout marked as paid').first().waitFor();
      await shoot(owner, '6-paid');
      const paid = await request('GET', `/v1/programs/${body.programId}/payouts`);
      assert.deepEqual(
        paid.body.payouts.map(({ status, amountCents }: Record<string, unknown>) => [status, amountCents]),
        [['paid', 3113]],
      );
    });

    test('the affiliate sees it as paid', async () => {
      await adas.press(ada.getByRole('link', { name: 'Payouts', exact: true }).first());
      await waitForScreen(ada);
      await ada.getByText('€31.13').first().waitFor();
      await ada.getByText('Reference BANK-1').waitFor();
      await shoot(ada, '7-affiliate-paid');
    });
  });
}
