// Public pages: only approved words of live pages of active affiliates, everything escaped, small, and without a script.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { aCoupon, anAffiliate, aPage, aProduct } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { aStorefront, someProducts } from '../../../test/support/storefronts/contents.ts';
import { often } from '../../../test/support/time/length.ts';
import { transact } from '../../platform/db/transact.ts';
import { reviewPage, StaleReview } from '../landing-pages/review.ts';
import { renderStorefront } from './render.ts';
import type { TemplateName } from './storefront.ts';

const templates: TemplateName[] = ['clinical', 'creator', 'minimalist'];
const races = often(100);

describe('a public page', () => {
  let service: TestService;
  before(async () => {
    service = await openTestService();
    await aProduct(service, { name: 'Tea <b>', checkoutUrl: 'https://brand.example/tea?x=1', compareAtPriceCents: 99_900 });
    await aProduct(service, { name: 'Elsewhere', checkoutUrl: 'https://shop.example/cart', availability: 'out_of_stock' });
  });
  after(() => service.close());

  const open = (slug: string, headers: Record<string, string> = {}) =>
    service.request('GET', `/s/fern-field/${slug}`, { key: null, headers });
  const write = (affiliateId: string, slug: string, body: object) =>
    service.request('POST', `${service.program.path}/landing-pages/${slug}`, { body: { affiliateId, isPublished: true, ...body } });
  const approve = (slug: string, revision: number) =>
    transact(service.ctx, (tx) =>
      reviewPage(tx, { programId: service.program.programId, slug, revision, verdict: 'approved', actor: { kind: 'command', id: 'test' } }),
    );
  const aLivePage = async (slug: string, content: object = {}) => {
    const affiliate = await anAffiliate(service, { status: 'active' });
    await aPage(service, affiliate.id, slug, { isPublished: true, ...content });
    await approve(slug, 1);
    return affiliate;
  };

  test('shows an approved page with its links, code and disclosure, cacheable by its ETag', async () => {
    const { id, referralCode } = await aLivePage('shown', { pageTitle: 'My shelf', templateId: 'clinical', promoBadgeText: 'Ten off' });
    await aCoupon(service, { affiliateId: id, code: 'ADA10', discountType: 'percentage', discountRate: 10 });
    const { status, text, headers } = await open('shown');
    assert.equal(status, 200);
    assert.match(text, /<h1 dir="auto">My shelf<\/h1>/);
    assert.match(text, /10% off with code[\s\S]*<code>ADA10<\/code>/);
    assert.ok(text.includes(`/r/${referralCode}?url=${encodeURIComponent('https://brand.example/tea?x=1')}`));
    assert.ok(text.includes(`https://shop.example/cart?ref=${referralCode}`), 'a host that redirects do not follow is linked directly');
    assert.ok(text.includes('Out of stock') && text.includes('Tea &lt;b&gt;') && text.includes('$999.00'));
    assert.ok(text.indexOf('earns a commission') < text.indexOf('class="items"'), 'the disclosure is above the first product');
    const policy = String(headers['content-security-policy']);
    assert.match(policy, /^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self'; font-src 'self';/);
    assert.ok(!policy.includes('script') && policy.includes("frame-ancestors 'none'"));
    const again = await open('shown', { 'if-none-match': String(headers.etag) });
    assert.deepEqual([again.status, again.text], [304, '']);
    const link = await service.request('GET', `/r/${referralCode}?url=${encodeURIComponent('https://brand.example/tea?x=1')}`, {
      key: null,
    });
    assert.match(String(link.headers.location), /^https:\/\/brand\.example\/tea\?x=1&/);
  });

  test('loads images only from uploads and hosts of the program, including on pages written with API keys', async () => {
    const foreign = 'https://elsewhere.example/ada.jpg';
    const hero = 'https://cdn.example/hero.jpg';
    const { id } = await aLivePage('images');
    const written = await write(id, 'images', { pageTitle: 'Images', avatarUrl: foreign, heroImageUrl: hero });
    assert.equal(written.status, 200);
    assert.match(
      written.body.message,
      /approve this page.*`avatarUrl` \(elsewhere\.example\) and `heroImageUrl` \(cdn\.example\).*`imageHosts`/,
    );
    await approve('images', 2);
    const before = await open('images');
    assert.ok(!before.text.includes('elsewhere.example') && !before.text.includes('cdn.example'), 'no image of another host');
    assert.match(String(before.headers['content-security-policy']), /img-src 'self'; /);
    const added = await service.request('PATCH', service.program.path, { body: { imageHosts: ['cdn.example'] } });
    assert.deepEqual([added.status, added.body.imageHosts], [200, ['cdn.example']]);
    const shown = await open('images');
    assert.ok(shown.text.includes(hero) && !shown.text.includes('elsewhere.example'));
    assert.match(String(shown.headers['content-security-policy']), /img-src 'self' https:\/\/cdn\.example; /);
    const again = await write(id, 'images', { pageTitle: 'Images', avatarUrl: null });
    assert.equal(again.body.message, 'Saved as a draft. The brand must approve this page before it goes live.');
  });

  test('is the same neutral 404 for a draft, an unpublished page, an inactive affiliate and an unknown slug', async () => {
    const drafted = await aLivePage('drafted');
    await write(drafted.id, 'drafted', { pageTitle: 'Not approved yet' });
    const unpublished = await aLivePage('unpublished');
    await write(unpublished.id, 'unpublished', { pageTitle: 'Off', isPublished: false });
    await approve('unpublished', 2);
    const missing = await open('missing');
    for (const status of ['suspended', 'archived', 'rejected', 'pending']) {
      const { id } = await aLivePage(`of-${status}`);
      assert.equal((await open(`of-${status}`)).status, 200);
      await service.request('PATCH', `${service.program.path}/affiliates/${id}`, { body: { status } });
    }
    for (const slug of ['drafted', 'unpublished', 'of-suspended', 'of-archived', 'of-rejected', 'of-pending', 'UP%00', '%F0%9F%98%80']) {
      const answer = await open(slug);
      assert.deepEqual([answer.status, answer.text], [404, missing.text], slug);
    }
    assert.match(missing.text, /noindex[\s\S]*Fern &amp; Field/);
    assert.ok(!(await service.request('GET', '/s/unknown/missing', { key: null })).text.includes('Fern'));
  });

  test('redirects from a former slug, and from capital letters, while it is live', async () => {
    const { id } = await aLivePage('before');
    await write(id, 'now', { pageTitle: 'Moved' });
    assert.equal((await open('before')).status, 404);
    await approve('now', 2);
    for (const slug of ['before', 'Now']) {
      const { status, headers } = await open(slug);
      assert.deepEqual([status, headers.location], [301, '/s/fern-field/now'], slug);
    }
  });

  test(`never shows a word that was not approved while ${races} writes race with ${races} approvals`, async () => {
    const { id } = await aLivePage('raced', { pageTitle: 'Words 1.' });
    const approved = new Set([1]);
    const shown = new Set<number>();
    const state = { revision: 1 };
    const writing = async () => {
      for (let turn = 0; turn < races; turn += 1) {
        const words = { pageTitle: `Words ${state.revision + 1}.` };
        assert.equal((await write(id, 'raced', words)).status, 200);
        state.revision += 1;
      }
    };
    const approving = async () => {
      for (let turn = 0; turn < races; turn += 1) {
        // Often the next revision, whose write is on its way.
        const revision = state.revision + (turn % 2);
        await approve('raced', revision).then(
          () => approved.add(revision),
          (error: unknown) => assert.ok(error instanceof StaleReview),
        );
      }
    };
    const reading = async () => {
      for (let turn = 0; turn < races; turn += 1) {
        const { status, text } = await open('raced');
        if (status === 200) shown.add(Number(/<h1 dir="auto">Words (\d+)\./.exec(text)?.[1]));
        else assert.equal(status, 404);
      }
    };
    await Promise.all([writing(), approving(), reading(), reading()]);
    assert.ok(shown.size > 0 && approved.size > 1);
    assert.deepEqual(
      [...shown].filter((revision) => !approved.has(revision)),
      [],
      'revisions that were shown and never approved',
    );
  });

  test('has an image for links to it, under an address that changes with the page, and none unless it is live', async () => {
    const titles = ['Short', 'Everything that I keep in the cupboard above the stove. '.repeat(3).trim(), 'ما أستخدمه كل يوم 🍵 <b>&'];
    const addresses = new Set<string>();
    const { id } = await aLivePage('shared', { accent: 'plum' });
    for (const [index, pageTitle] of titles.entries()) {
      await write(id, 'shared', { pageTitle });
      assert.equal((await open('shared/og.png')).status, 404);
      await approve('shared', index + 2);
      const [, address = ''] = /property="og:image" content="[^"]*?(\/s\/[^"]*)"/.exec((await open('shared')).text) ?? [];
      addresses.add(address);
      const {
        statusCode: status,
        headers,
        rawPayload: raw,
      } = await service.app.inject({ url: address, headers: { 'accept-encoding': 'gzip' } });
      assert.deepEqual([status, headers['content-type']], [200, 'image/png'], address);
      assert.equal(headers['content-encoding'], undefined);
      const { width, height, format } = await sharp(raw).metadata();
      assert.deepEqual([width, height, format, raw.length < 200_000], [1200, 630, 'png', true]);
      assert.equal((await service.request('GET', address, { key: null, headers: { 'if-none-match': String(headers.etag) } })).status, 304);
    }
    assert.equal(addresses.size, titles.length);
    await service.request('PATCH', `${service.program.path}/affiliates/${id}`, { body: { status: 'suspended' } });
    const [gone, unknown] = [await open('shared/og.png'), await open('unknown/og.png')];
    assert.deepEqual([gone.status, gone.text], [404, unknown.text]);
  });

  test('is previewed through a signed address that expires, sandboxed, without counting clicks', async () => {
    const { id } = await aLivePage('previewed', { pageTitle: 'Approved words' });
    await write(id, 'previewed', { pageTitle: 'New words' });
    const member = await service.asMember('viewer');
    const path = `/app/programs/${service.program.programId}/landing-pages/previewed/preview`;
    const show = async (revision: unknown) => {
      const { body, status, text } = await member.request('POST', path, { body: { revision } });
      assert.equal(status, 200, text);
      return { url: body.url as string, ...(await service.request('GET', body.url, { key: null })) };
    };
    const current = await show('current');
    assert.ok(current.text.includes('New words') && current.text.includes('noindex') && !current.text.includes('/r/'));
    assert.match(String(current.headers['content-security-policy']), /frame-ancestors 'self'; sandbox/);
    assert.ok((await show('approved')).text.includes('Approved words'));
    assert.ok((await show(1)).text.includes('Approved words'));
    assert.equal((await member.request('POST', path, { body: { revision: 9 } })).status, 404);
    const forged = current.url.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    assert.equal((await service.request('GET', forged, { key: null })).status, 404);
    service.clock.advance({ days: 1 });
    assert.equal((await service.request('GET', current.url, { key: null })).status, 404);
  });
});

describe('the HTML of a public page', () => {
  const size = (html: string) => ({ bytes: Buffer.byteLength(html), compressed: gzipSync(html).byteLength });

  for (const template of templates) {
    test(`${template} has at most 30 kB with forty products, and fewer than 8 kB are sent`, () => {
      const { bytes, compressed } = size(renderStorefront(aStorefront(template, { products: someProducts(40) })));
      assert.ok(bytes <= 30_000 && compressed <= 8000, `${bytes} bytes, ${compressed} compressed`);
    });

    test(`${template} is the same for the same contents, and has no script, event handler or inline style`, () => {
      const page = aStorefront(template);
      const html = renderStorefront(page);
      assert.equal(renderStorefront(page), html);
      assert.deepEqual(
        [...html.matchAll(/<script[^>]*>/g)].map(([tag]) => tag),
        ['<script type="application/ld+json">'],
      );
      assert.ok(!/ on\w+=|style="|javascript:/i.test(html));
    });
  }
});
