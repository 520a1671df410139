// No text of a page runs a script where it is previewed and reviewed: at its preview, in the portal's editor, and in the
// review's frames, list of changes and preview of the email. Every string is written to some field;
// TEST_LENGTH=20 writes every string to every field.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Frame, Page } from 'playwright-core';
import { toOneLine } from '../../server/platform/lib/text.ts';
import { anAffiliate, aProduct } from '../support/builders.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { type Watched, waitForScreen, watchPage } from '../support/screens/watched-page.ts';
import { injections } from '../support/storefronts/injections.ts';
import { isLong } from '../support/time/length.ts';

const templates = ['clinical', 'creator', 'minimalist'];
const linksOfPage = 8;
/** The first string of each page; the fields of a page have the following ones. */
const turns = isLong ? injections.map((_, index) => index) : [0, 12, 24, 36, 48];

/** One line, of at most this length: others are not accepted. */
const cut = (text: string, length: number) => toOneLine(text).slice(0, length);
const pick = (index: number) => injections[index % injections.length] ?? '';

/** Elements and attributes that only an injected text brings in. */
const strangers = `(root) => [...root.querySelectorAll('*')].filter((element) =>
  /^(script|object|embed|base|form|marquee|math|template|noscript|video|audio|details|table)$/.test(element.localName)
  || element.matches("iframe[srcdoc], meta[http-equiv]")
  || [...element.attributes].some(({ name, value }) => /^on/.test(name) || /^\\s*(javascript|data):/i.test(value) || value.startsWith('//'))
).map((element) => element.outerHTML.slice(0, 200))`;

type Row = { id: string; email: string; slug: string };

describe('texts of a page that contain scripts', () => {
  let app: Console;
  let watched: Watched;
  let page: Page;
  let products: string[];
  let rows: Row[];

  before(async () => {
    app = await openConsole();
    const { service } = app;
    products = [];
    for (const [index] of injections.entries()) products.push(await aProduct(service, { name: cut(pick(index), 200) || 'x' }));
    rows = [];
    for (const turn of turns) rows.push(await seed(turn));
    await service.pool.query(
      'insert into program_brands (program_id, restricted_phrases, disclaimer, updated_at) values ($1, $2, $3, now())',
      [service.program.programId, injections.slice(0, 12).map((text) => cut(text, 100)), cut(injections.join(' '), 1900)],
    );
    await app.context.clock.setFixedTime(service.clock.now());
    watched = await watchPage(app.context, app.origin);
    page = watched.page;
    page.setDefaultTimeout(60_000);
    await page.addInitScript('window.x = () => { window.hasRun = true; }');
  });
  after(() => app?.close());

  /** Every text field, each with another string. */
  function contentsFrom(turn: number) {
    const links = Array.from({ length: linksOfPage }, (_, index) => ({
      label: cut(pick(turn + 4 + index), 40),
      url: `https://a.example/?${encodeURIComponent(pick(turn + index))}`,
    }));
    const featured = products.map((_, index) => products[(turn + index) % products.length] ?? '').slice(0, 12);
    return {
      pageTitle: cut(pick(turn), 200),
      headline: cut(pick(turn + 1), 300),
      bioText: `${cut(pick(turn + 2), 400)}\n${cut(pick(turn + 3), 400)}`,
      promoBadgeText: cut(pick(turn + 3), 100),
      links,
      featuredProductIds: featured,
      productNotes: Object.fromEntries(featured.map((id, index) => [id, cut(pick(turn + index), 160)])),
      templateId: templates[turn % templates.length],
    };
  }

  /** A page that was approved and has been written since, so that both revisions and the differences are shown. */
  async function seed(turn: number): Promise<Row> {
    const { service } = app;
    const slug = `page-${turn}`;
    const { id, email } = await anAffiliate(service, { status: 'active', lastName: 'Lindqvist' });
    const write = async (from: number) => {
      const body = { affiliateId: id, isPublished: true, ...contentsFrom(from) };
      const answer = await service.request('POST', `${service.program.path}/landing-pages/${slug}`, { body });
      assert.ok(answer.status < 300, answer.text);
    };
    await write(turn + 6);
    await service.request('POST', `${service.program.path}/landing-pages/${slug}/review`, { body: { verdict: 'approved', revision: 1 } });
    await service.pool.query(`update landing_pages set approved_revision = 1 where slug = $1`, [slug]);
    await write(turn);
    return { id, email, slug };
  }

  /** Nothing ran, nothing was requested or blocked, and no element was added. */
  async function checkClean(label: string, frames: readonly Frame[], root = 'document'): Promise<void> {
    for (const frame of frames) assert.deepEqual(await frame.evaluate(`(${strangers})(${root})`), [], label);
    assert.equal(await page.evaluate('window.hasRun === undefined'), true, label);
    assert.deepEqual(watched.takeFaults(), [], label);
  }

  let shown: string[] = [];
  /** The frames of other previews than the last ones, once they show a page each. */
  async function nextPreviews(count: number): Promise<Frame[]> {
    const readAddresses = async () => (await page.evaluate("[...document.querySelectorAll('iframe')].map(({ src }) => src)")) as string[];
    const isComplete = (addresses: string[]) => addresses.length === count && !addresses.some((address) => shown.includes(address));
    const deadline = Date.now() + 60_000;
    let addresses = await readAddresses();
    while (!isComplete(addresses) && Date.now() < deadline) addresses = await readAddresses();
    assert.ok(isComplete(addresses), `${addresses.length} of ${count} previews`);
    shown = addresses;
    const handles = await page.locator('iframe').elementHandles();
    const frames = (await Promise.all(handles.map((handle) => handle.contentFrame()))).filter((frame) => frame !== null);
    for (const frame of frames) await frame.locator('main li').first().waitFor({ state: 'attached' });
    return frames;
  }

  test(`run none at the preview of ${turns.length} pages`, async () => {
    await app.signInAs(await app.service.asMember('reviewer'));
    const base = `/app/programs/${app.service.program.programId}`;
    const reviewer = await app.service.asMember('reviewer');
    for (const { slug } of rows) {
      const { body, status, text } = await reviewer.request('POST', `${base}/landing-pages/${slug}/preview`, { body: {} });
      assert.equal(status, 200, text);
      await page.goto(`${app.origin}${body.url}`);
      assert.equal((await page.locator('main li').count()) >= 12, true);
      await checkClean(slug, [page.mainFrame()]);
    }
  });

  test(`run none in the review of ${turns.length} pages`, async () => {
    await app.signInAs(await app.service.asMember('reviewer', { name: 'Dana Calder' }));
    await page.goto(`${app.origin}/console/${app.service.program.programId}/review?kind=page`);
    await waitForScreen(page);
    for (const { slug } of rows) {
      const frames = await nextPreviews(2);
      await page.locator('del').first().waitFor();
      assert.equal(frames.length, 2);
      await checkClean(slug, frames);
      await checkClean(`${slug}, the console`, [page.mainFrame()], 'document.body');
      await page.keyboard.press('j');
    }
  });

  test(`run none in the portal's editor of ${turns.length} pages`, async () => {
    for (const row of rows) {
      await app.signInAs(await app.service.asAffiliate(row));
      await page.goto(`${app.origin}/portal/${app.service.program.programId}/page`);
      await waitForScreen(page);
      await checkClean(row.slug, await nextPreviews(1));
      await checkClean(`${row.slug}, the portal`, [page.mainFrame()], 'document.body');
    }
  });
});
