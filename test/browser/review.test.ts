// The review inbox by keyboard only: changes are requested on a page, an application is approved and that is undone. What
// the database and the emails say is what the screen said. With SCREENSHOTS=1: pictures in .tributary/screens.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { anAffiliate } from '../support/builders.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { type Watched, waitForScreen, waitUntilStill, watchPage } from '../support/screens/watched-page.ts';

const folder = join(import.meta.dirname, '..', '..', '.tributary', 'screens');
const note = 'Please don’t promise a cure. “May help” is fine.';

describe('the review inbox', () => {
  let app: Console;
  let watched: Watched;
  let page: Page;

  before(async () => {
    mkdirSync(folder, { recursive: true });
    app = await openConsole();
    await seed();
    await app.context.clock.setFixedTime(app.service.clock.now());
    await app.signInAs(await app.service.asMember('reviewer', { name: 'Dana Calder' }));
    watched = await watchPage(app.context, app.origin);
    page = watched.page;
    page.setDefaultTimeout(60_000);
    await page.goto(`${app.origin}/console/${app.service.program.programId}`);
    await waitForScreen(page);
  });
  after(() => app?.close());

  async function seed(): Promise<void> {
    const { service } = app;
    const ada = await anAffiliate(service, { status: 'active', firstName: 'Ada', lastName: 'Lindqvist', email: 'ada@example.com' });
    const write = async (content: object) => {
      const body = { affiliateId: ada.id, pageTitle: 'Calm evenings', isPublished: true, ...content };
      const written = await service.request('POST', `${service.program.path}/landing-pages/ada`, { body });
      assert.ok(written.status < 300, written.text);
    };
    await write({ headline: 'Calm evenings', bioText: 'Three things I use with my patients.' });
    const owner = await service.asMember('owner', { name: 'Tom Ruiz' });
    const path = `/app/programs/${service.program.programId}/landing-pages/ada/review`;
    assert.equal((await owner.request('POST', path, { body: { revision: 1, verdict: 'approved' } })).status, 200);
    await write({ headline: 'Calmer evenings', bioText: 'Three things I use with my patients. They cure insomnia.' });
    const values = [service.program.programId];
    await service.pool.query(
      `insert into program_brands (program_id, restricted_phrases, updated_at) values ($1, '{cure}', now())`,
      values,
    );
    service.clock.advance({ minutes: 180 });
    await anAffiliate(service, { firstName: 'Noor', lastName: 'Haddad', email: 'noor@example.com', autoApprove: false });
    service.clock.advance({ minutes: 120 });
  }

  const heading = (name: string | RegExp) => page.getByRole('heading', { level: 2, name });
  const shoot = async (name: string) => {
    if (!process.env.SCREENSHOTS) return;
    // A change of the scheme reaches every element after the next frames.
    await waitUntilStill(page);
    await page.screenshot({ path: join(folder, `review-${name}.png`) });
  };
  const only = async (text: string, values: unknown[] = []) => (await app.service.pool.query(text, values)).rows[0];

  test('opens the oldest item and shows which words changed', async () => {
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    await heading('Calm evenings').waitFor();
    await page.getByText('“cure” in About').waitFor();
    for (const title of ['Approved, revision 1', 'Now, revision 2'])
      await page.frameLocator(`iframe[title="${title}"]`).getByText('Calm').first().waitFor();
    const words = async (tag: 'ins' | 'del') => (await page.locator(tag).allTextContents()).map((text) => text.trim());
    assert.deepEqual(await words('del'), ['Removed: Calm']);
    assert.deepEqual(await words('ins'), ['Added: Calmer', 'Added:  They cure insomnia.']);
    await shoot('page-1440');
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    await shoot('page-dark-1440');
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await page.keyboard.press(']');
    await page.getByRole('button', { name: 'Approved', pressed: true }).waitFor();
  });

  test('requests changes with a note and opens the next item', async () => {
    await page.keyboard.press('r');
    await page.getByLabel('What should Ada Lindqvist change?').waitFor();
    await page.keyboard.type(note);
    await shoot('note-1440');
    await page.keyboard.press('Control+Enter');
    await heading('Noor Haddad').waitFor();
    await page.getByRole('status').getByText('Next: Noor Haddad, Application, 1 of 1').waitFor();
    await page.locator(':focus', { hasText: /^Noor Haddad$/ }).waitFor();
    const row = await only(`select review_status, approved_revision from landing_pages where slug = 'ada'`);
    assert.deepEqual(row, { review_status: 'changes_requested', approved_revision: 1 });
    const review = await only(`select verdict, note, revision from landing_page_reviews order by created_at desc limit 1`);
    assert.deepEqual(review, { verdict: 'changes_requested', note, revision: 2 });
    const email = await only(`select * from emails where kind = 'page_review' order by created_at desc limit 1`);
    assert.equal(email.to_address, 'ada@example.com');
    assert.ok(email.text_body.includes(note));
    assert.equal(email.not_before.getTime(), app.service.clock.now().getTime() + 60_000);
  });

  test('approves an application, and undoes it', async () => {
    await page.keyboard.press('a');
    await page.getByRole('heading', { name: 'All caught up.' }).waitFor();
    await shoot('done-1440');
    const status = `select status from affiliates where email = 'noor@example.com'`;
    assert.deepEqual(await only(status), { status: 'active' });
    await page.keyboard.press('Control+z');
    await heading('Noor Haddad').waitFor();
    assert.deepEqual(await only(status), { status: 'pending' });
    const email = await only(`select kind, status from emails where to_address = 'noor@example.com' order by created_at desc limit 1`);
    assert.deepEqual(email, { kind: 'approval', status: 'cancelled' });
    assert.deepEqual(watched.takeFaults(), []);
  });

  test('loads the items that follow the first hundred', async () => {
    await app.service.pool.query(
      `with applicant as (
         insert into affiliates (program_id, id, first_name, last_name, email, email_key, referral_code, status, search, created_at, updated_at)
         select $1, gen_random_uuid(), 'Kim', 'A' || n, n || '@later.example', n || '@later.example', 'LATER' || n, 'pending', 'kim', now(), now()
         from generate_series(1, 120) as n returning program_id)
       update affiliate_counts set affiliates = affiliates + 120 where status = 'pending' and program_id = (select distinct program_id from applicant)`,
      [app.service.program.programId],
    );
    await page.goto(`${app.origin}/console/${app.service.program.programId}/review`);
    await page.getByText('1 of 121').waitFor();
    const items = page.locator('section ol li button');
    const more = page.getByRole('button', { name: 'Load more' });
    await more.click();
    await more.waitFor({ state: 'detached' });
    assert.equal(await items.count(), 121);
  });

  test('shows one item at a time on a phone, with the decisions at the bottom', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${app.origin}/console/${app.service.program.programId}/review`);
    await heading('Noor Haddad').waitFor();
    const approve = await page.getByRole('button', { name: 'Approve' }).boundingBox();
    assert.ok(approve && approve.y > 700 && approve.height >= 44, JSON.stringify(approve));
    await shoot('phone-390');
  });
});
