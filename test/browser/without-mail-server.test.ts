// The first hour of a new user, on a clean `npm start` without a mail server: invite, claim, apply, approve, write a page,
// review it, report an order and read how its commission came about. With SCREENSHOTS=1: pictures in .tributary/screens.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { type FirstStart, startFirstTime } from '../support/embedded/first-start.ts';
import { waitForScreen } from '../support/screens/watched-page.ts';

const folder = join(import.meta.dirname, '..', '..', '.tributary', 'screens');
const phone = { width: 390, height: 844 };
const invitedAddress = 'ada@example.com';
const applicantAddress = 'leo@example.com';

describe('without a mail server', () => {
  let started: FirstStart;
  let browsers: Browser[] = [];
  let owner: Page;
  let ada: Page;
  let leo: Page;
  let origin = '';
  let programId = '';
  before(async () => {
    mkdirSync(folder, { recursive: true });
    // A browser for each person: contexts of the pinned Chromium share their cookies.
    [started, browsers] = await Promise.all([startFirstTime(), Promise.all([openBrowser(), openBrowser(), openBrowser()])]);
    const viewports = [{ width: 1440, height: 900 }, phone, phone];
    const pages = await Promise.all(
      browsers.map((browser, index) => browser.newPage({ viewport: viewports[index] ?? phone, locale: 'en-US', reducedMotion: 'reduce' })),
    );
    for (const page of pages) page.setDefaultTimeout(60_000);
    [owner, ada, leo] = pages as [Page, Page, Page];
  });
  after(async () => {
    await Promise.all(browsers.map((browser) => browser.close()));
    await started?.close();
  });

  const shoot = async (page: Page, name: string) => {
    if (process.env.SCREENSHOTS) await page.screenshot({ path: join(folder, `without-mail-${name}.png`) });
  };
  const openInConsole = async (path: string) => {
    await owner.goto(`${origin}/console/${programId}/${path}`);
    await waitForScreen(owner);
  };
  const request = async (method: string, path: string, body?: object) => {
    const [, key = ''] = /export KEY=(\S+)/.exec(started.printed) ?? [];
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await fetch(origin + path, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

  const findAda = async (): Promise<string> => {
    const { body } = await request('GET', `/v1/programs/${programId}/affiliates?search=${invitedAddress}`);
    return (body.affiliates as { id: string }[])[0]?.id ?? assert.fail('Ada is not an affiliate');
  };

  /** Opens the newest email to an address in the mailbox and returns the path of its link. */
  async function showLink(address: string): Promise<string> {
    await openInConsole(`settings/mailbox?search=${encodeURIComponent(address)}`);
    await owner.locator('[data-row]').filter({ hasText: address }).first().click();
    await owner.getByRole('button', { name: 'Show link' }).click();
    const link = owner.getByRole('button', { name: 'Copy the link' });
    await link.waitFor();
    await shoot(owner, `mailbox-${address.split('@')[0]}`);
    return new URL(await link.innerText()).pathname;
  }

  test('the printed link opens the console', async () => {
    const [, link = ''] = /Console +(http\S+\/enter\/\S+)/.exec(started.printed) ?? [];
    await owner.goto(link);
    await owner.getByRole('button', { name: /Continue/ }).click();
    await owner.waitForURL(/\/console\/[0-9a-f-]{36}/);
    await waitForScreen(owner);
    origin = new URL(owner.url()).origin;
    [, programId = ''] = /console\/([0-9a-f-]{36})/.exec(owner.url()) ?? [];
  });

  test('an affiliate is invited, and claims the account with the link of the mailbox', async () => {
    await openInConsole('affiliates?sheet=invite');
    await owner.getByLabel('Email addresses').fill(`Ada Lindqvist <${invitedAddress}>`);
    await owner.getByRole('switch', { name: /Approve automatically/ }).check();
    await owner.getByRole('button', { name: 'Invite 1 affiliate' }).click();
    await owner.getByText('1 affiliate invited').first().waitFor();
    await ada.goto(origin + (await showLink(invitedAddress)));
    await ada.getByText(invitedAddress).first().waitFor();
    await ada.getByRole('button', { name: /Continue/ }).click();
    await ada.waitForURL(/\/(welcome|portal)/);
    await ada.goto(`${origin}/portal/${programId}`);
    await waitForScreen(ada);
    await shoot(ada, 'claimed');
  });

  test('a visitor applies, confirms with the link of the mailbox, and is approved', async () => {
    await leo.goto(`${origin}/join/fern-field`);
    await leo.getByText('finds the link that confirms your address in the mailbox').waitFor();
    await leo.getByLabel('First name').fill('Leo');
    await leo.getByLabel('Last name').fill('Brandt');
    await leo.getByLabel('Email').fill(applicantAddress);
    await fillQuestions(leo);
    await leo.locator('form button').last().click();
    await leo.getByText('Your application counts once its link is opened').waitFor();
    await shoot(leo, 'applied');
    await leo.goto(origin + (await showLink(applicantAddress)));
    await leo.locator('form button').click();
    await leo.waitForURL(/\/(welcome|portal)/);
    await openInConsole('review?kind=application');
    await owner.getByText('Leo Brandt').first().click();
    await owner
      .getByRole('button', { name: /^Approve/ })
      .first()
      .click();
    await owner.getByRole('button', { name: 'Undo' }).waitFor();
    const { body } = await request('GET', `/v1/programs/${programId}/affiliates?search=${applicantAddress}`);
    assert.deepEqual(
      (body.affiliates as { status: string }[]).map(({ status }) => status),
      ['active'],
    );
  });

  test('a page is written on a phone, and goes live after its review', async () => {
    await ada.goto(`${origin}/portal/${programId}/page`);
    await ada.getByLabel('Title', { exact: true }).fill('What Ada drinks');
    await ada.getByLabel('Headline').fill('Teas for long evenings');
    await ada.getByText('Draft, saved at').waitFor();
    await ada.getByRole('button', { name: 'Submit for review' }).click();
    await ada.getByRole('dialog').getByRole('button', { name: 'Submit for review' }).click();
    await ada.getByText('In review since').waitFor();
    await openInConsole('review?kind=page');
    await owner.getByText('Ada Lindqvist').first().click();
    await owner.getByText('Teas for long evenings').first().waitFor();
    await owner
      .getByRole('button', { name: /^Approve/ })
      .first()
      .click();
    await owner.getByRole('button', { name: 'Undo' }).waitFor();
    const { body } = await request('GET', `/v1/programs/${programId}/affiliates/${await findAda()}`);
    assert.equal((body.landingPage as { isLive: boolean }).isLive, true);
  });

  test('an order is reported, and the portal explains its commission', async () => {
    const order = { orderId: 'first-hour-1', amountCents: 24_900, affiliateId: await findAda(), customer: { externalId: 'c-1' } };
    const reported = await request('POST', '/v1/conversions', order);
    assert.equal(reported.status, 201, JSON.stringify(reported.body));
    await openInConsole(`conversions/${reported.body.id}`);
    await owner.getByRole('heading', { level: 1, name: /earned \$/ }).waitFor();
    await shoot(owner, 'order');
    await ada.goto(`${origin}/portal/${programId}/earnings`);
    await waitForScreen(ada);
    await ada.locator('main').getByRole('link').first().click();
    await ada.getByText(/% of \$249\.00 is \$/).waitFor();
    await shoot(ada, 'explained');
  });
});

/** Answers every required question of the demo's form, and accepts its terms. */
async function fillQuestions(page: Page): Promise<void> {
  for (const field of await page.locator('form [name^="q_"]:not([type=radio]):not([type=checkbox])').all()) {
    const kind = await field.evaluate(
      (element) => `${element.tagName} ${element.getAttribute('type')} ${element.getAttribute('inputmode')}`,
    );
    if (kind.startsWith('SELECT')) await field.selectOption({ index: 1 });
    else await field.fill(/url/.test(kind) ? 'https://leo.example' : 'Running shoes and long evenings.');
  }
  for (const group of new Set(
    await page.locator('form [name^="q_"][type=radio]').evaluateAll((all) => all.map((one) => one.getAttribute('name') ?? '')),
  ))
    await page.locator(`form [name="${group}"]`).first().check();
  const terms = page.locator('form [name=acceptTerms]');
  if ((await terms.count()) > 0) await terms.check();
}
