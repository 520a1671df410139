// An affiliate makes their page on a phone: words, a photo, products, preview, submission. What was typed is in the rows,
// and nothing typed is lost when the connection is, or when another window was faster. With SCREENSHOTS=1: pictures in
// .tributary/screens.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { prepareWeb } from '../../server/platform/http/web/prepare.ts';
import { openBrowser } from '../support/browser.ts';
import { anAffiliate, aProduct } from '../support/builders.ts';
import { openTestService, type TestMember, type TestService } from '../support/harness.ts';
import { checkAccessibility, checkWidth } from '../support/screens/checks.ts';
import { type Watched, waitUntilStill, watchPage } from '../support/screens/watched-page.ts';

const folder = join(import.meta.dirname, '..', '..', '.tributary', 'screens');
const phone = { width: 390, height: 844 };

describe('the page editor on a phone', () => {
  let service: TestService;
  let browser: Browser;
  let origin: string;
  let author: TestMember & { id: string };
  let page: Page;
  let watched: Watched;

  before(async () => {
    mkdirSync(folder, { recursive: true });
    const web = prepareWeb({ log: { error: console.error, info: () => {} } });
    const [opened, outcome, launched] = await Promise.all([openTestService({ web }), web.settled, openBrowser()]);
    service = opened;
    browser = launched;
    assert.equal(outcome.kind, 'ready', 'the web apps could not be built');
    await service.app.listen({ port: 0, host: '127.0.0.1' });
    origin = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`;
    const row = await anAffiliate(service, { email: 'mara@example.com', firstName: 'Mara', lastName: 'Lindqvist', status: 'active' });
    author = { ...(await service.asAffiliate(row)), id: row.id };
    await service.pool.query(
      `insert into program_brands (program_id, restricted_phrases, updated_at) values ($1, '{clinically proven}', now())`,
      [service.program.programId],
    );
    for (const name of ['Practice Starter Kit', 'Stoneware Teapot', 'Valerian Sleep Tea']) await aProduct(service, { name });
    page = await openEditor({ watch: true });
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  async function openEditor({ watch = false, size = phone, colorScheme = 'light' as 'light' | 'dark' } = {}): Promise<Page> {
    const context = await browser.newContext({ viewport: size, colorScheme, locale: 'en-US', reducedMotion: 'reduce' });
    const [name = '', value = ''] = (await service.signIn(author.userId)).cookie.split('=');
    await context.addCookies([{ name, value, url: origin, httpOnly: true, sameSite: 'Lax' }]);
    await context.clock.setFixedTime(service.clock.now());
    if (watch) watched = await watchPage(context, origin, { isFailing: true });
    const opened = watch ? watched.page : await context.newPage();
    opened.setDefaultTimeout(60_000);
    await opened.goto(`${origin}/portal/${service.program.programId}/page`);
    await opened.getByLabel('Title', { exact: true }).waitFor();
    return opened;
  }
  const readDraft = async () => (await author.request('GET', `/app/portal/${service.program.programId}/page`)).body;
  const saved = (from = page) => from.getByText('Draft, saved at').waitFor();
  const picture = async (name: string, from = page) => {
    if (process.env.SCREENSHOTS) await from.screenshot({ path: join(folder, `page-editor-${name}.png`), fullPage: true });
  };

  test('saves words as a private draft while they are typed, and warns of restricted ones', async () => {
    await page.getByLabel('Title', { exact: true }).fill("Mara's favourites");
    await page.getByLabel('Headline').fill('What I hand to my clients, clinically proven or not');
    await page.getByLabel('About').fill('I run a small practice by the sea.');
    await page.getByText('does not allow “clinically proven”').waitFor();
    await page.getByText('Creator', { exact: true }).click();
    await page.getByText('Plum', { exact: true }).click();
    await saved();
    const { draft, page: state } = await readDraft();
    const { pageTitle, headline, bioText, templateId, accent } = draft.content;
    assert.deepEqual(
      { pageTitle, headline, bioText, templateId, accent, state },
      {
        pageTitle: "Mara's favourites",
        headline: 'What I hand to my clients, clinically proven or not',
        bioText: 'I run a small practice by the sea.',
        templateId: 'creator',
        accent: 'plum',
        state: null,
      },
    );
    await page.getByLabel('Headline').fill('What I hand to my clients');
  });

  test('uploads a photo from the camera roll', async () => {
    const photo = await sharp({ create: { width: 1800, height: 1200, channels: 3, background: { r: 190, g: 120, b: 90 } } })
      .jpeg()
      .toBuffer();
    await page.locator('[data-photo=heroImageUrl]').setInputFiles({ name: 'IMG_0001.JPG', mimeType: 'image/jpeg', buffer: photo });
    await page.getByRole('button', { name: 'Remove large photo' }).waitFor();
    await page.locator('[data-photo=avatarUrl]').setInputFiles({ name: 'me.svg', mimeType: 'image/png', buffer: Buffer.from('<svg/>') });
    await page.getByText('This file is not a JPEG, PNG, WebP or AVIF image.').waitFor();
    await page.locator('[data-photo=avatarUrl]').setInputFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer: photo });
    await page.getByRole('button', { name: 'Remove portrait' }).waitFor();
    await page.getByRole('button', { name: 'Left' }).click();
    await saved();
    const { draft } = await readDraft();
    assert.match(draft.content.heroImageUrl, /\/media\/[0-9a-f-]{36}$/);
    assert.notEqual(draft.content.avatarUrl, draft.content.heroImageUrl);
    assert.equal(draft.content.heroFocus, 'left');
    const isShown = "document.querySelector('img[src$=\\'?w=512\\']').naturalWidth > 0";
    await page.waitForFunction(isShown);
  });

  test('chooses products, orders them with buttons, and adds a note and a link', async () => {
    await page.getByRole('button', { name: 'Choose products' }).click();
    await page.getByLabel('Search products').fill('te');
    await page.getByText('Stoneware Teapot').click();
    await page.getByText('Valerian Sleep Tea').click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Move Valerian Sleep Tea up' }).click();
    await page.getByLabel('Why I like it').first().fill('The one I hand to guests who wake at three.');
    await page.getByRole('button', { name: 'Add link' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Journal');
    await page.getByLabel('Web address').fill('mara.example/journal');
    await page.getByLabel('Name', { exact: true }).focus();
    await page.getByText('This address is available.').waitFor();
    await saved();
    await checkWidth(page, 'the page editor');
    await checkAccessibility(page, 'the page editor');
    await picture('phone');
  });

  test('keeps what is typed without a connection, and saves it when it is back', async () => {
    await page.context().setOffline(true);
    await page.getByLabel('Offer').fill('20% off with MARA20');
    await page.getByText("You're offline. Your changes are kept on this device.").first().waitFor();
    await page.context().setOffline(false);
    await page.getByText('Draft, saved at').waitFor();
    assert.equal((await readDraft()).draft.content.promoBadgeText, '20% off with MARA20');
  });

  test('warns that another window saved the page, and keeps both changes if asked', async () => {
    const other = await openEditor();
    await other.getByLabel('About').fill('Written in the other window.');
    await saved(other);
    await page.getByLabel('Headline').fill('Written in this window');
    await page.getByText('This page was edited in another window').waitFor();
    await page.getByRole('button', { name: 'Keep my changes' }).click();
    await saved();
    const { draft } = await readDraft();
    assert.deepEqual([draft.content.headline, draft.content.bioText], ['Written in this window', 'Written in the other window.']);
    assert.equal(await page.getByLabel('About').inputValue(), 'Written in the other window.');
  });

  test('shows the page as it will look', async () => {
    await page.getByRole('button', { name: 'Preview' }).click();
    const frame = page.frameLocator('iframe[data-shown]');
    await frame.getByText("Mara's favourites").first().waitFor();
    await frame.getByText('The one I hand to guests who wake at three.').waitFor();
    await picture('preview');
    await page.keyboard.press('Escape');
  });

  test('names what is missing when it is submitted, and submits exactly the draft', async () => {
    await page.getByLabel('Title', { exact: true }).fill('');
    await page.getByRole('button', { name: 'Submit for review' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Submit for review' }).click();
    await page.getByText('One field needs a change before the page can be submitted.').waitFor();
    await page.getByLabel('Title', { exact: true }).fill("Mara's favourites");
    await page.getByRole('button', { name: 'Submit for review' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Submit for review' }).click();
    await page.getByText('In review since').waitFor();
    const { rows } = await service.pool.query(
      `select page.review_status, page.is_published, page.slug, revision.page_title, revision.headline, revision.template_id, revision.accent,
         revision.links, revision.promo_badge_text, cardinality(revision.featured_product_ids) as products
       from landing_pages as page join landing_page_revisions as revision on revision.page_id = page.id and revision.revision = page.revision
       where page.affiliate_id = $1`,
      [author.id],
    );
    assert.deepEqual(rows, [
      {
        review_status: 'draft',
        is_published: true,
        slug: 'mara-lindqvist',
        page_title: "Mara's favourites",
        headline: 'Written in this window',
        template_id: 'creator',
        accent: 'plum',
        links: [{ label: 'Journal', url: 'https://mara.example/journal' }],
        promo_badge_text: '20% off with MARA20',
        products: 2,
      },
    ]);
    await picture('submitted');
    for (const [name, size, colorScheme] of [
      ['desktop', { width: 1440, height: 900 }, 'light'],
      ['desktop-dark', { width: 1440, height: 900 }, 'dark'],
      ['phone-dark', phone, 'dark'],
    ] as const) {
      if (!process.env.SCREENSHOTS) break;
      const shown = await openEditor({ size, colorScheme });
      await waitUntilStill(shown);
      await picture(name, shown);
    }
  });

  test('reports no error and no violation of the content security policy', () => {
    assert.deepEqual(watched.takeFaults(), []);
  });
});
