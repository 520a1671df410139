// From the join page to the portal, in two browsers: an applicant on a phone, and a member who approves. With SCREENSHOTS=1:
// pictures in .tributary/screens.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { anAffiliate, aRule } from '../support/builders.ts';
import { openJoinForm, questions } from '../support/join/applicant.ts';
import { checkAccessibility, checkFocus, checkHeadline, checkWidth } from '../support/screens/checks.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { type Watched, watchPage } from '../support/screens/watched-page.ts';

const folder = '.tributary/screens';
const hasPictures = process.env.SCREENSHOTS === '1';
const phone = { width: 390, height: 844 };
const timeout = 60_000;

const intro =
  'Fern & Field makes calm, well-tested supplements. Recommend what you use yourself, and earn on every order.\n\nWe look for people who know their subject.';
const terms = [
  'Disclose on every page and in every post that you earn a commission.',
  'Recommend only what you know. No medical claims, no bidding on our name in search ads.',
  'Commissions are paid every month, 30 days after an order, once they reach $50.',
].join('\n\n');

describe('applying to a program', () => {
  let desk: Console;
  let applicantBrowser: Browser;
  let phonePage: Page;
  let watched: Watched;
  let path: string;
  let recruiterCode: string;
  before(async () => {
    [desk, applicantBrowser] = await Promise.all([openConsole(), openBrowser()]);
    mkdirSync(folder, { recursive: true });
    const { service } = desk;
    const owner = await service.asMember('owner', { name: 'Dana Calder' });
    await aRule(service, { name: 'Everyone earns 15%', type: 'percentage', rate: 15 });
    await aRule(service, { name: 'Recruiters earn 2%', level: 2, rate: 2 });
    recruiterCode = (await anAffiliate(service, { firstName: 'Una', lastName: 'Marsh', status: 'active' })).referralCode;
    path = await openJoinForm(owner, service.program, { intro, terms });
    const color = { color: '#0A6B5D' };
    await owner.request('PATCH', `/app/programs/${service.program.programId}/brand`, { body: color });
    await desk.signInAs(owner);
    const context = await applicantBrowser.newContext({ viewport: phone, reducedMotion: 'reduce' });
    context.setDefaultTimeout(timeout);
    desk.context.setDefaultTimeout(timeout);
    await context.clock.setFixedTime(service.clock.now());
    // An invalid form gets a 400 response, which the browser reports.
    watched = await watchPage(context, desk.origin, { isFailing: true });
    phonePage = watched.page;
  });
  after(async () => {
    await applicantBrowser.close();
    await desk.close();
  });

  /** Checks the page as it is, in both schemes and on the narrowest phone. */
  async function check(name: string): Promise<void> {
    for (const scheme of ['light', 'dark'] as const) {
      await phonePage.emulateMedia({ colorScheme: scheme });
      await checkAccessibility(phonePage, `${name} ${scheme}`, { isContrastOnly: scheme === 'dark' });
      await takePictures(name, scheme);
    }
    await phonePage.emulateMedia({ colorScheme: 'light' });
    await phonePage.setViewportSize({ width: 320, height: 700 });
    await checkWidth(phonePage, name);
    await phonePage.setViewportSize(phone);
    await checkHeadline(phonePage, name);
    await checkFocus(phonePage, name, 4);
  }

  async function takePictures(name: string, scheme: string): Promise<void> {
    if (!hasPictures) return;
    for (const size of [phone, { width: 1440, height: 900 }]) {
      await phonePage.setViewportSize(size);
      await phonePage.screenshot({ path: `${folder}/join-${name}-${scheme}-${size.width}.png`, fullPage: true });
    }
    await phonePage.setViewportSize(phone);
  }

  test('leads from a recruiting link on a phone, over the email and the inbox, to the portal with its own link', async () => {
    await phonePage.goto(`${desk.origin}${path}?from=${recruiterCode}`);
    await phonePage.getByText('Una invites you to apply.').waitFor();
    await check('form');
    await phonePage.getByLabel('Email').fill('noor');
    await phonePage.getByRole('button', { name: 'Send application' }).click();
    await phonePage.getByText('5 answers need a change').waitFor();
    await phonePage.getByText('Una invites you to apply.').waitFor();
    assert.equal(await phonePage.getByLabel('Email').inputValue(), 'noor');
    await check('mistakes');
    await phonePage.getByLabel('First name').fill('Noor');
    await phonePage.getByLabel('Last name').fill('Haddad');
    await phonePage.getByLabel('Email').fill('noor@example.com');
    await phonePage.getByLabel(questions[0]?.label ?? '').fill('noor.example/blog');
    await phonePage.getByLabel('Clinician').check();
    await phonePage.getByLabel('I accept the terms').check();
    await phonePage.getByRole('button', { name: 'Send application' }).click();
    await phonePage.getByRole('heading', { name: 'Check your email' }).waitFor();
    await check('sent');
    await desk.service.drain();
    const mail = desk.service.mails.findLast(({ to }) => to === 'noor@example.com');
    const link = /\/join\/\S+\/confirm\/\S+/.exec(mail?.text ?? '')?.[0] ?? '';
    await phonePage.goto(desk.origin + link);
    await check('confirm');
    await phonePage.getByRole('button', { name: 'Send application' }).click();
    await phonePage.getByRole('heading', { name: 'Your account is in review' }).waitFor();
    if (hasPictures) await phonePage.screenshot({ path: `${folder}/join-portal.png` });
    await approve();
    await phonePage.reload();
    await phonePage.getByRole('heading', { name: /Noor/ }).or(phonePage.getByText('Unpaid earnings')).first().waitFor();
    await checkRecruitCard();
    assert.deepEqual(watched.takeFaults(), []);
  });

  /** The new affiliate finds a link to recruit others. */
  async function checkRecruitCard(): Promise<void> {
    await phonePage.getByRole('link', { name: 'Links' }).first().click();
    await phonePage.getByText('You earn 2% of each order that they refer.').waitFor();
    await phonePage.getByText('No application with this link yet.').waitFor();
    const { rows } = await desk.service.pool.query(`select referral_code from affiliates where email = 'noor@example.com'`);
    await phonePage.getByRole('button', { name: new RegExp(`\\?from=${rows[0].referral_code}`) }).waitFor();
    await checkAccessibility(phonePage, 'the recruiting link');
    if (hasPictures) await phonePage.screenshot({ path: `${folder}/join-recruit.png`, fullPage: true });
  }

  test('is set up in the console, where a mistake is shown at its question', async () => {
    const { programId } = desk.service.program;
    const page = await desk.context.newPage();
    await page.goto(`${desk.origin}/console/${programId}/settings/join-page`);
    await page.getByRole('button', { name: 'Add question' }).click();
    await page.getByText('Unsaved changes').waitFor();
    await page.getByRole('textbox', { name: 'Question', exact: true }).nth(3).fill('Where do you live?');
    await page
      .getByRole('radio', { name: 'Applications that match' })
      .or(page.getByRole('button', { name: 'Applications that match' }))
      .first()
      .click();
    await page.getByLabel('Email domains').fill('clinic.example, not a domain!');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Enter a domain, such as example.com').waitFor();
    await page.getByLabel('Email domains').fill('clinic.example');
    await page.getByRole('button', { name: 'Move question 4 up' }).click();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Join page saved').first().waitFor();
    await checkAccessibility(page, 'the settings of the join page');
    await takeConsolePictures(page, 'settings');
    const { rows } = await desk.service.pool.query('select questions, auto_approval from join_forms');
    assert.deepEqual(rows[0].auto_approval.emailDomains, ['clinic.example']);
    assert.equal(rows[0].questions[2].label, 'Where do you live?');
    await page.close();
  });

  async function takeConsolePictures(page: Page, name: string): Promise<void> {
    if (!hasPictures) return;
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      for (const size of [{ width: 1440, height: 900 }, phone]) {
        await page.setViewportSize(size);
        await page.reload();
        await page.getByText('Accept applications').waitFor();
        await page.screenshot({ path: `${folder}/join-${name}-${scheme}-${size.width}.png`, fullPage: true });
      }
    }
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1440, height: 900 });
  }

  async function approve(): Promise<void> {
    const { programId } = desk.service.program;
    const page = await desk.context.newPage();
    await page.goto(`${desk.origin}/console/${programId}/review`);
    await page.getByRole('heading', { name: 'Noor Haddad' }).waitFor();
    await page.getByText('https://noor.example/blog').waitFor();
    await page.getByText('Version 1').waitFor();
    await page.getByText('Invited by').waitFor();
    await page.getByRole('link', { name: 'Una Marsh' }).waitFor();
    await checkAccessibility(page, 'the application in the inbox');
    if (hasPictures) await page.screenshot({ path: `${folder}/join-inbox.png` });
    await page.keyboard.press('a');
    await page.getByText('Approved: Noor Haddad').first().waitFor();
    const { rows } = await desk.service.pool.query(`select id from affiliates where email = 'noor@example.com'`);
    await page.goto(`${desk.origin}/console/${programId}/affiliates/${rows[0].id}`);
    await page.getByRole('heading', { name: 'Application' }).waitFor();
    await page.getByText('Version 1 accepted').waitFor();
    if (hasPictures) await page.screenshot({ path: `${folder}/join-affiliate.png`, fullPage: true });
    await page.close();
  }

  test('is in German, closed, and unknown, as readable', async () => {
    await phonePage.setExtraHTTPHeaders({ 'accept-language': 'de' });
    await phonePage.goto(desk.origin + path);
    await phonePage.getByRole('button', { name: 'Bewerbung senden' }).waitFor();
    await check('german');
    await phonePage.setExtraHTTPHeaders({});
    await phonePage.goto(`${desk.origin}${path}/confirm/unknown`);
    await check('unknown-link');
    const owner = await desk.service.asMember('owner');
    await openJoinForm(owner, desk.service.program, { isOpen: false });
    await phonePage.goto(desk.origin + path);
    await check('closed');
  });
});
