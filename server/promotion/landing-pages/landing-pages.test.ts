import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { aGroup, anAffiliate, aPage, aProduct } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { transact } from '../../platform/db/transact.ts';
import { reviewPage, StaleReview } from './review.ts';

describe('a landing page', () => {
  let service: TestService;
  before(async () => {
    service = await openTestService();
  });
  after(() => service.close());

  const at = (slug: string) => `${service.program.path}/landing-pages/${slug}`;
  const get = (slug: string, query = '') => service.request('GET', at(slug) + query);
  const write = (slug: string, body: unknown) => service.request('POST', at(slug), { body });
  const approve = (slug: string, revision: number) =>
    transact(service.ctx, (tx) =>
      reviewPage(tx, { programId: service.program.programId, slug, revision, verdict: 'approved', actor: { kind: 'command', id: 'test' } }),
    );

  test('is created with 201, the six fields of the contract and the defaults', async () => {
    const { id: affiliateId, referralCode } = await anAffiliate(service);
    const created = await write('defaults', { affiliateId, pageTitle: ' Mine ' });
    assert.equal(created.status, 201);
    assert.deepEqual(Object.keys(created.body), ['id', 'slug', 'reviewStatus', 'isPublished', 'isLive', 'message']);
    assert.match(created.body.message, /must approve/);
    const { body } = await get('defaults');
    const { products: _, ...page } = body;
    assert.deepEqual(page, {
      slug: 'defaults',
      templateId: 'minimalist',
      promotionMode: 'all',
      pageTitle: 'Mine',
      headline: null,
      bioText: null,
      avatarUrl: null,
      heroImageUrl: null,
      promoBadgeText: null,
      featuredProductIds: [],
      accent: 'lagoon',
      links: [],
      productNotes: {},
      heroFocus: 'center',
      isPublished: false,
      reviewStatus: 'draft',
      isLive: false,
      affiliate: { name: page.affiliate.name, referralCode, status: 'pending' },
      currency: 'USD',
      brandName: page.brandName,
      disclosureText: `${page.affiliate.name} earns a commission when you buy through this page. You pay the same price.`,
    });
  });

  test('can be shown from its answer: prices with a currency, the brand, the disclosure, what can be bought', async () => {
    const { path, programId } = service.program;
    const { id: affiliateId } = await anAffiliate(service, { status: 'active' });
    const product = { name: 'Sold out', priceCents: 900, checkoutUrl: 'https://shop.example/sold-out', availability: 'out_of_stock' };
    assert.equal((await service.request('POST', `${path}/products`, { body: product })).status, 201);
    await service.pool.query('insert into program_brands (program_id, disclosure, updated_at) values ($1, $2, now())', [
      programId,
      '{program} pays {affiliate}.',
    ]);
    await service.request('POST', `${path}/landing-pages/complete`, { body: { affiliateId, pageTitle: 'Mine' } });
    const { body } = await service.request('GET', `${path}/landing-pages/complete`);
    const { rows } = await service.pool.query('select name, currency from programs where id = $1', [programId]);
    assert.deepEqual([body.currency, body.brandName], [rows[0].currency, rows[0].name]);
    assert.equal(body.disclosureText, `${body.brandName} pays ${body.affiliate.name}.`);
    assert.ok(body.products.some(({ availability }: { availability: string }) => availability === 'out_of_stock'));
  });

  test('has a color, links, notes on products and a focus, which are validated and kept', async () => {
    const { id: affiliateId } = await anAffiliate(service);
    const details = {
      accent: 'plum',
      links: [{ label: 'Newsletter', url: 'https://ada.example/' }],
      productNotes: { [service.ctx.ids.uuid()]: 'I drink it every night.' },
      heroFocus: 'left',
    };
    await write('detailed', { affiliateId, pageTitle: 'One', ...details });
    await write('detailed', { affiliateId, pageTitle: 'Two' });
    const { body } = await get('detailed');
    const { accent, links, productNotes, heroFocus } = body;
    assert.deepEqual({ accent, links, productNotes, heroFocus }, details);
    for (const [field, wrong] of [
      ['accent', 'red'],
      ['heroFocus', 'top'],
      ['links', [{ label: 'x', url: 'http://ada.example/' }]],
      ['links', [{ label: 'x', url: 'javascript:alert(1)' }]],
      ['links', Array.from({ length: 9 }, () => details.links[0])],
      ['productNotes', { [service.ctx.ids.uuid()]: 'x'.repeat(161) }],
      ['productNotes', { name: 'x' }],
    ] as const) {
      const answer = await write('detailed', { affiliateId, pageTitle: 'Three', [field]: wrong });
      assert.deepEqual([answer.status, answer.body.details?.[0].path[0] ?? answer.body.details?.[0].path], [400, field], answer.text);
    }
  });

  test('keeps omitted fields, clears nulls, and returns 200 after the first write', async () => {
    const { id: affiliateId } = await anAffiliate(service);
    await write('keeps', {
      affiliateId,
      pageTitle: 'One',
      headline: 'H',
      bioText: 'A\r\nB',
      templateId: 'creator',
      promoBadgeText: 'New',
      isPublished: true,
    });
    assert.equal((await write('keeps', { affiliateId, pageTitle: 'Two', headline: null })).status, 200);
    const { body } = await get('keeps');
    assert.deepEqual(
      [body.pageTitle, body.headline, body.bioText, body.templateId, body.promoBadgeText, body.isPublished],
      ['Two', null, 'A\nB', 'creator', 'New', true],
    );
  });

  test('becomes a draft with every write; the API can never approve it', async () => {
    const { id: affiliateId } = await anAffiliate(service);
    const body = { affiliateId, pageTitle: 'Mine', isPublished: true, reviewStatus: 'approved', isLive: true };
    const created = await write('drafts', body);
    assert.deepEqual([created.status, created.body.reviewStatus, created.body.isLive], [201, 'draft', false]);
    await approve('drafts', 1);
    assert.equal((await get('drafts')).body.isLive, true);
    const rewritten = await write('drafts', body);
    assert.deepEqual([rewritten.status, rewritten.body.reviewStatus, rewritten.body.isLive], [200, 'draft', false]);
    assert.equal((await get('drafts')).body.isLive, false);
  });

  test('is live only when published and approved', async () => {
    const { id: affiliateId } = await anAffiliate(service);
    await write('live', { affiliateId, pageTitle: 'Mine' });
    await approve('live', 1);
    assert.deepEqual([(await get('live')).body.reviewStatus, (await get('live')).body.isLive], ['approved', false]);
  });

  test('is not approved when it was written after the review; the approved revision stays readable', async () => {
    const { id: affiliateId } = await anAffiliate(service);
    await write('stale', { affiliateId, pageTitle: 'First', isPublished: true });
    assert.equal((await get('stale', '?revision=approved')).status, 404);
    await approve('stale', 1);
    await write('stale', { affiliateId, pageTitle: 'Second' });
    await assert.rejects(approve('stale', 1), StaleReview);
    assert.deepEqual([(await get('stale')).body.pageTitle, (await get('stale')).body.isLive], ['Second', false]);
    const { body } = await get('stale', '?revision=approved');
    assert.deepEqual([body.pageTitle, body.reviewStatus, body.isLive], ['First', 'approved', true]);
    assert.equal((await get('stale', '?revision=7')).status, 400);
  });

  test('a simultaneous approval and write never approve the unreviewed revision', async () => {
    const { id: affiliateId } = await anAffiliate(service);
    await write('race-review', { affiliateId, pageTitle: 'Read', isPublished: true });
    for (let revision = 1; revision < 15; revision += 1) {
      await Promise.allSettled([approve('race-review', revision), write('race-review', { affiliateId, pageTitle: `Unread ${revision}` })]);
      const { body } = await get('race-review');
      assert.deepEqual([body.reviewStatus, body.isLive], ['draft', false]);
    }
  });

  test('twenty affiliates that write one new slug at the same time: one 201, nineteen 409', async () => {
    const affiliates = await Promise.all(Array.from({ length: 20 }, () => anAffiliate(service)));
    const answers = await Promise.all(affiliates.map(({ id }) => write('one-slug', { affiliateId: id, pageTitle: 'Mine' })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(19).fill(409)]);
  });

  test('twenty first writes of one affiliate at the same time create one page: one 201, nineteen 200, twenty revisions', async () => {
    const { id: affiliateId } = await anAffiliate(service);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => write('one-page', { affiliateId, pageTitle: `Title ${index}` })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(19).fill(200), 201]);
    assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1);
    const { rows } = await service.pool.query('select revision from landing_page_revisions where page_id = $1 order by revision', [
      answers[0]?.body.id,
    ]);
    assert.deepEqual(
      rows.map(({ revision }) => revision),
      Array.from({ length: 20 }, (_, index) => index + 1),
    );
  });

  test('moves with its owner to a new slug; the old one leads to it until another page takes it', async () => {
    const [first, second] = [await anAffiliate(service), await anAffiliate(service)];
    await aPage(service, first.id, 'old-home');
    assert.equal((await write('new-home', { affiliateId: first.id, pageTitle: 'Moved' })).status, 200);
    assert.equal((await get('old-home')).body.slug, 'new-home');
    await aPage(service, second.id, 'old-home');
    assert.equal((await get('old-home')).body.slug, 'old-home');
    assert.equal((await get('new-home')).body.slug, 'new-home');
    assert.equal((await write('old-home', { affiliateId: first.id, pageTitle: 'Back' })).status, 409);
  });

  for (const [fault, slug, more, path] of [
    ['an upper-case slug', 'Ada', {}, 'slug'],
    ['a slug of 65 characters', 'x'.repeat(65), {}, 'slug'],
    ['a slug with a dot', 'a.b', {}, 'slug'],
    ['no title', 'ok', { pageTitle: undefined }, 'pageTitle'],
    ['an unknown template', 'ok', { templateId: 'fancy' }, 'templateId'],
    ['a script as avatar', 'ok', { avatarUrl: 'javascript:alert(1)' }, 'avatarUrl'],
    ['a data address as hero image', 'ok', { heroImageUrl: 'data:text/html,x' }, 'heroImageUrl'],
    ['a badge that is null', 'ok', { promoBadgeText: null }, 'promoBadgeText'],
    ['a page title of two lines', 'ok', { pageTitle: 'a\nb' }, 'pageTitle'],
    ['featured ids that are no uuids', 'ok', { featuredProductIds: ['x'] }, 'featuredProductIds'],
  ] as const) {
    test(`rejects ${fault}: 400 with its path`, async () => {
      const { id: affiliateId } = await anAffiliate(service);
      const { status, body } = await write(slug, { affiliateId, pageTitle: 'Mine', ...more });
      assert.equal(status, 400);
      assert.equal(body.details[0].path[0], path);
    });
  }

  test('an unknown affiliateId or one of another program is 404 naming the field', async () => {
    const foreign = await anAffiliate(service, {}, service.foreign);
    for (const affiliateId of [foreign.id, service.ctx.ids.uuid()]) {
      const { status, body } = await write('unknown', { affiliateId, pageTitle: 'Mine' });
      assert.equal(status, 404);
      assert.match(body.error, /affiliateId/);
    }
    assert.equal((await get('unknown')).status, 404);
  });
});

describe('the products of a page', () => {
  let service: TestService;
  let gold: string;
  const product: Record<'open' | 'gold' | 'draft' | 'foreign', string> = { open: '', gold: '', draft: '', foreign: '' };
  before(async () => {
    service = await openTestService();
    gold = await aGroup(service, 'Gold');
    product.open = await aProduct(service, { name: 'Open', checkoutUrl: 'https://shop.example/cart?sku=1#top' });
    product.gold = await aProduct(service, { name: 'Gold only', allowedGroupIds: [gold] });
    product.draft = await aProduct(service, { name: 'Draft', status: 'draft' });
    product.foreign = await aProduct(service, { name: 'Foreign' }, service.foreign);
  });
  after(() => service.close());

  const page = async (affiliate: { groupId?: string }, given: object) => {
    const { id, referralCode } = await anAffiliate(service, affiliate);
    const { slug } = await aPage(service, id, `page-${referralCode.toLowerCase()}`, { ...given });
    const { body } = await service.request('GET', `${service.program.path}/landing-pages/${slug}`);
    const names: string[] = body.products.map(({ name }: { name: string }) => name);
    return { body, names, referralCode };
  };

  test('are active ones, and those of a tier only for its affiliates', async () => {
    assert.deepEqual((await page({}, {})).names, ['Open']);
    assert.deepEqual((await page({ groupId: gold }, {})).names.sort(), ['Gold only', 'Open']);
    assert.deepEqual((await page({ groupId: await aGroup(service, 'Silver') }, {})).names, ['Open']);
  });

  test('are only the featured ones in featured_only, and these first in all', async () => {
    const featuredProductIds = [product.open];
    assert.deepEqual((await page({ groupId: gold }, { promotionMode: 'featured_only', featuredProductIds })).names, ['Open']);
    assert.deepEqual((await page({ groupId: gold }, { promotionMode: 'all', featuredProductIds })).names, ['Open', 'Gold only']);
    assert.deepEqual((await page({}, { promotionMode: 'featured_only' })).names, []);
  });

  test('featured ids are filtered to what the affiliate may promote, never rejected', async () => {
    const featuredProductIds = [product.draft, product.foreign, service.ctx.ids.uuid(), product.gold, product.open, product.open];
    const { body, names } = await page({}, { promotionMode: 'featured_only', featuredProductIds });
    assert.deepEqual(names, ['Open']);
    assert.deepEqual(body.featuredProductIds, [product.open]);
  });

  test('lead to the checkout with the affiliate’s referral on the address', async () => {
    const { body, referralCode } = await page({}, {});
    assert.equal(body.products[0].checkoutUrl, `https://shop.example/cart?sku=1&ref=${referralCode}#top`);
    assert.ok(['id', 'name', 'priceCents', 'checkoutUrl'].every((field) => field in body.products[0]));
  });

  test('leave a page immediately when they are archived or the affiliate changes tier', async () => {
    const { id } = await anAffiliate(service, { groupId: gold });
    await aPage(service, id, 'changing', { promotionMode: 'featured_only', featuredProductIds: [product.gold] });
    const names = async () => {
      const { body } = await service.request('GET', `${service.program.path}/landing-pages/changing`);
      return [body.products.length, body.featuredProductIds.length];
    };
    assert.deepEqual(await names(), [1, 1]);
    await service.request('PATCH', `${service.program.path}/affiliates/${id}`, { body: { groupId: null } });
    assert.deepEqual(await names(), [0, 0]);
    await service.request('PATCH', `${service.program.path}/affiliates/${id}`, { body: { groupId: gold } });
    await service.request('PATCH', `${service.program.path}/products/${product.gold}`, { body: { status: 'archived' } });
    assert.deepEqual(await names(), [0, 0]);
  });

  test('a malformed slug of a page that is written is 400 naming it', async () => {
    for (const slug of ['No%20Slug', 'UPPER', 'a_b', 'a%00b', '%E2%80%AE', 'a'.repeat(65)]) {
      const { status, body } = await service.request('POST', `${service.program.path}/landing-pages/${slug}`, {
        body: { affiliateId: (await anAffiliate(service)).id, pageTitle: 'x' },
      });
      assert.deepEqual([status, body.details?.[0].path], [400, ['slug']], slug);
    }
  });
});
