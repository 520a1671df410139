// Names in right-to-left scripts don't reorder the text around them: on every screen they are isolated, by `<bdi>` or by
// the characters that isolate them in plain text.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { anAffiliate, aProduct } from '../support/builders.ts';
import type { TestMember } from '../support/harness.ts';
import { apply, openJoinForm } from '../support/join/applicant.ts';
import { fillProgram } from '../support/screens/fill-program.ts';
import { type Console, openConsole } from '../support/screens/open-console.ts';
import { listScreens } from '../support/screens/table-of-contents.ts';
import { loadScreen, openScreen, resize } from '../support/screens/watched-page.ts';
import { openVisitor } from '../support/visitor.ts';

const screens = { console: await listScreens('console'), portal: await listScreens('portal') };

/** Texts with right-to-left characters that are not isolated, with the element they are in. */
const findExposed = `(() => {
  const rightToLeft = /[\\u0590-\\u08ff]/;
  const isolated = /\\u2068[^\\u2068\\u2069]*\\u2069/g;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const { textContent, parentElement } = walker.currentNode;
    if (!rightToLeft.test(textContent.replace(isolated, '')) || parentElement.closest('bdi, script, style')) continue;
    // With dir=auto or in plaintext, the first letter gives a text its direction: a name further back is not isolated by it.
    const [first = ''] = textContent.match(/\\p{L}/u) ?? [];
    const isByFirst = parentElement.closest('[dir=auto]') || getComputedStyle(parentElement.closest('h2, p') ?? parentElement).unicodeBidi === 'plaintext';
    if (isByFirst && rightToLeft.test(first)) continue;
    found.push(parentElement.outerHTML.slice(0, 160));
  }
  for (const field of document.querySelectorAll('input:not([type=hidden], [type=radio], [type=checkbox]), textarea'))
    if (rightToLeft.test(field.value) && field.closest('[dir=auto], [dir=rtl]') === null) found.push(field.outerHTML.slice(0, 160));
  if (rightToLeft.test(document.title.replace(isolated, ''))) found.push('title: ' + document.title);
  return { found, count: document.body.innerText.match(/خليل/g)?.length ?? 0 };
})()`;

describe('names in right-to-left scripts', () => {
  let app: Console;
  let page: Page;
  let examples: Record<string, string>;
  before(async () => {
    app = await openConsole();
    const { service } = app;
    examples = await fillProgram(service, service.program);
    await service.pool.query(`update affiliates set first_name = 'نور', last_name = 'خليل'`);
    await app.context.clock.setFixedTime(service.clock.now());
    page = await app.context.newPage();
  });
  after(() => app?.close());

  async function readNames(): Promise<{ found: string[]; count: number }> {
    return (await page.evaluate(findExposed)) as { found: string[]; count: number };
  }

  for (const name of ['console', 'portal'] as const) {
    test(`are isolated on every screen of the ${name}, on desktops and on phones`, async () => {
      const { service, origin } = app;
      const { programId } = service.program;
      const { affiliateId = '' } = examples;
      const { body } = await service.request('GET', `${service.program.path}/affiliates/${affiliateId}`);
      if (name === 'console') await app.signInAs(await service.asMember('owner', { name: 'دانا قلعجي خليل' }));
      else {
        await app.signInAs(await service.asAffiliate({ id: affiliateId, email: body.email }));
        await service.pool.query(`update users set name = 'نور خليل'`);
      }
      const exposed: string[] = [];
      const names = { 1440: 0, 390: 0 };
      for (const { path } of screens[name]) {
        const filled = path.replace(/\$(\w+)/g, (_, key: string) => examples[key] ?? '').replace(/^\//, '');
        await page.setViewportSize({ width: 1440, height: 900 });
        await openScreen(page, `${origin}/${name}/${programId}/${filled}`);
        for (const width of [1440, 390] as const) {
          await resize(page, { width, height: 900 });
          const { found, count } = await readNames();
          exposed.push(...found.map((element) => `${path} at ${width} px: ${element}`));
          names[width] += count;
        }
      }
      assert.deepEqual(exposed, []);
      for (const [width, count] of Object.entries(names))
        assert.ok(count >= (name === 'console' ? 60 : 1), `${count} names were found at ${width} px`);
    });
  }

  test('are isolated in questions and toasts', async () => {
    const { service, origin } = app;
    await app.signInAs(await service.asMember('owner', { name: 'دانا خليل' }));
    await service.asMember('admin', { name: 'ليلى خليل' });
    await page.setViewportSize({ width: 1440, height: 900 });
    await loadScreen(page, `${origin}/console/${service.program.programId}/settings/members`);
    await page.getByRole('button', { name: /Actions for .*ليلى/ }).click();
    await page.getByRole('menuitem', { name: 'Remove', exact: true }).click();
    const question = page.getByRole('dialog');
    await question.getByText('ليلى خليل').first().waitFor();
    assert.deepEqual((await readNames()).found, []);
    await question.getByRole('button', { name: /^Remove/ }).click();
    await page.getByRole('region', { name: 'Notifications' }).getByText('ليلى خليل').waitFor();
    assert.deepEqual((await readNames()).found, []);
  });

  test('are isolated in sheets, questions and notifications', async () => {
    const { service, origin } = app;
    await app.signInAs(await service.asMember('owner', { name: 'دانا' }));
    await page.setViewportSize({ width: 1440, height: 900 });
    const { id } = await anAffiliate(service, { email: 'nour@example.com', firstName: 'نور', lastName: 'خليل' });
    await loadScreen(page, `${origin}/console/${service.program.programId}/affiliates/${id}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).first().click();
    await page.getByLabel('Last name').waitFor();
    assert.deepEqual((await readNames()).found, []);
  });

  test('are isolated on storefronts, join pages, and the pages of sign-in and claim', async () => {
    const { service, origin } = app;
    await service.pool.query(`update programs set name = 'متجر خليل (Fern)' where id = $1`, [service.program.programId]);
    const owner = await service.asMember('owner', { name: 'دانا' });
    const questions = [{ id: 'site', kind: 'short_text', label: 'ما اسمك؟', isRequired: true }];
    const form = await openJoinForm(owner, service.program, { intro: 'انضم (Join) إلينا', questions, terms: 'الشروط 1 (Terms).' });
    const storefronts = [];
    for (const template of ['clinical', 'creator', 'minimalist']) storefronts.push(await publish(owner, template));
    const visitor = openVisitor(service.app);
    const sentForm = { firstName: 'نور', lastName: 'خليل', email: 'nour-applies@example.com', q_site: 'نور 1', termsVersion: '2' };
    const mistaken = await visitor.post(form, sentForm);
    assert.equal(mistaken.status, 400);
    const { link } = await apply(service, form, Object.assign({ acceptTerms: 'yes' }, sentForm));
    await anAffiliate(service, { email: 'claims@example.com', firstName: 'نور', lastName: 'خليل', sendInvite: true });
    await service.drain();
    const claim = /\/enter\/[\w-]{43}/.exec(service.mails.findLast(({ to }) => to === 'claims@example.com')?.text ?? '')?.[0];
    const exposed: string[] = [];
    const read = async (name: string, open: () => Promise<unknown>) => {
      await open();
      const { found, count } = await readNames();
      exposed.push(...found.map((element) => `${name}: ${element}`));
      assert.ok(count > 0 || name === 'welcome', `no name on ${name}`);
    };
    await app.context.clearCookies();
    for (const path of [...storefronts, form, link, claim ?? '', '/s/fern-field/unknown']) await read(path, () => page.goto(origin + path));
    await read('mistakes', () => page.setContent(mistaken.text));
    await page.goto(origin + claim);
    await read('welcome', () => page.locator('form button').click());
    assert.deepEqual(exposed, []);
  });

  /** Publishes a page of a new affiliate, and returns its path. */
  async function publish(owner: TestMember, templateId: string): Promise<string> {
    const { service } = app;
    const { id } = await anAffiliate(service, { email: `${templateId}@example.com`, firstName: 'نور', lastName: 'خليل', status: 'active' });
    const product = await aProduct(service, { name: 'شاي (Tea) خليل' });
    const links = [{ label: 'رسائل (Letters)', url: 'https://letters.example/' }];
    const texts = { pageTitle: 'Calm evenings', headline: 'مساء هادئ (calm)', bioText: 'أنا نور (Nour).', links };
    const page = { affiliateId: id, isPublished: true, templateId, featuredProductIds: [product] };
    const path = `${service.program.path}/landing-pages/nour-${templateId}`;
    const created = await service.request('POST', path, { body: Object.assign(page, texts) });
    assert.ok(created.status < 300, created.text);
    const review = `/app/programs/${service.program.programId}/landing-pages/nour-${templateId}/review`;
    const reviewed = await owner.request('POST', review, { body: { revision: 1, verdict: 'approved' } });
    assert.equal(reviewed.status, 200, reviewed.text);
    return `/s/fern-field/nour-${templateId}`;
  }
});
