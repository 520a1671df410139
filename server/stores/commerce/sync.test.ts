// Syncing products and coupons, with a local server in place of the stores.
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { aCoupon, anAffiliate } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';

type Reply = { status?: number; headers?: Record<string, string>; body: unknown };

describe('syncing a store', () => {
  let service: TestService;
  let url = '';
  let reply: (request: IncomingMessage) => Reply = () => ({ status: 500, body: {} });
  const seen: string[] = [];
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    seen.push(request.url ?? '');
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    if (parts.length > 0) bodies.push(Buffer.concat(parts).toString());
    const { status = 200, headers = {}, body } = reply(request);
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  before(async () => {
    service = await openTestService();
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(async () => {
    server.close();
    await service.close();
  });

  async function sync(type: string, config: object, secrets: object) {
    const created = await service.request('POST', `${service.program.path}/providers`, { body: { type, name: type, config, secrets } });
    assert.equal(created.status, 201, created.text);
    seen.length = 0;
    return () => service.request('POST', `${service.program.path}/providers/${created.body.id}/sync`);
  }
  const products = async (search: string) =>
    (await service.request('GET', `${service.program.path}/products?search=${search}`)).body.products;

  test('Stripe: all pages, prices in the currency of the program, and no changes the second time', async () => {
    const product = (id: string, given = {}) => ({
      id,
      name: `Tea ${id}`,
      description: 'Calm\n tea',
      images: ['https://img.example/a.png'],
      url: 'https://brand.example/tea',
      default_price: { unit_amount: 1490, currency: 'usd' },
      ...given,
    });
    reply = ({ url: path, headers }) => {
      assert.equal(headers.authorization, 'Bearer sk_test_catalogue');
      const isSecond = path?.includes('starting_after=prod_2');
      return {
        body: isSecond
          ? { data: [product('prod_3')], has_more: false }
          : { data: [product('prod_1'), product('prod_2', { default_price: { unit_amount: 5, currency: 'eur' } })], has_more: true },
      };
    };
    const run = await sync('stripe', { apiUrl: url }, { webhookSecret: 'whsec_xxxxxxxx', apiKey: 'sk_test_catalogue' });
    await service.request('POST', `${service.program.path}/products`, {
      body: { name: 'Not in the store', priceCents: 1, checkoutUrl: 'https://brand.example/mug' },
    });
    const first = await run();
    assert.deepEqual([first.status, first.body.products], [200, { created: 2, updated: 0, unchanged: 0, invalid: 1 }]);
    service.clock.advance({ minutes: 5 });
    const last = await run();
    assert.deepEqual(last.body.products, { created: 0, updated: 0, unchanged: 2, invalid: 1 });
    const dana = await service.asMember('viewer');
    const table = await dana.request('GET', `/app/programs/${service.program.programId}/products?sort=name`, { key: null });
    assert.deepEqual(
      table.body.products.map(({ name, lastSyncedAt }: Record<string, unknown>) => [name, lastSyncedAt]),
      [
        ['Not in the store', null],
        ['Tea prod_1', last.body.syncedAt],
        ['Tea prod_3', last.body.syncedAt],
      ],
      'a sync counts also if it changed nothing',
    );
    const [found] = await products('prod_3');
    assert.deepEqual(
      [found.priceCents, found.description, found.imageUrl, found.checkoutUrl],
      [1490, 'Calm tea', 'https://img.example/a.png', 'https://brand.example/tea'],
    );
  });

  test('Stripe: a name with NUL, a lone surrogate, hidden characters or an emoji at the cut is repaired instead of rejected', async () => {
    const price = { default_price: { unit_amount: 1, currency: 'usd' }, url: 'https://brand.example/tea' };
    const names = ['Odd\0 tea \ud800', 'Odd\u2028tea\u202e', `Odd ${'x'.repeat(195)}\u{1f375}`];
    reply = () => ({ body: { data: names.map((name, index) => ({ id: `odd_${index}\0`, name, ...price })), has_more: false } });
    const run = await sync('stripe', { apiUrl: url }, { webhookSecret: 'whsec_xxxxxxxx', apiKey: 'sk_test_catalogue' });
    assert.deepEqual((await run()).body.products, { created: 3, updated: 0, unchanged: 0, invalid: 0 });
    const found = (await products('odd_')).map(({ name }: { name: string }) => name);
    assert.deepEqual(found.toSorted(), ['Odd tea', 'Odd tea \ufffd', `Odd ${'x'.repeat(195)}`]);
  });

  test('Shopify: the access token is never sent to a host from a response', async () => {
    const product = {
      id: 632910392,
      title: 'IPod Nano',
      body_html: '<p>Small &amp; <b>loud</b></p>',
      handle: 'ipod-nano',
      product_type: 'Music',
      vendor: 'Apple',
    };
    reply = ({ url: path }) =>
      path?.includes('page_info=abc')
        ? { body: { products: [{ ...product, id: 2, title: 'Two', variants: [{ price: '5.00', sku: 'S2' }] }] } }
        : {
            headers: { link: '<https://evil.example/admin/api/products.json?page_info=abc&limit=1>; rel="next"' },
            body: { products: [{ ...product, variants: [{ price: '199.00', sku: 'S1' }] }] },
          };
    const run = await sync(
      'shopify',
      { shop: 'fern.myshopify.com', apiUrl: url },
      { webhookSecret: 'shpss_xxxxxxxx', accessToken: 'shpat_xxxxxxxx' },
    );
    assert.deepEqual((await run()).body.products, { created: 2, updated: 0, unchanged: 0, invalid: 0 });
    assert.deepEqual(seen, [
      '/admin/api/2025-10/products.json?limit=250&status=active',
      '/admin/api/2025-10/products.json?limit=250&page_info=abc',
    ]);
    const [found] = await products('632910392');
    assert.deepEqual(
      [found.checkoutUrl, found.priceCents, found.brand],
      ['https://fern.myshopify.com/products/ipod-nano', 19_900, 'Apple'],
    );
  });

  test('WooCommerce: all pages', async () => {
    reply = ({ url: path }) => {
      const page = Number(/[?&]page=(\d+)/.exec(path ?? '')?.[1]);
      const product = {
        id: 700 + page,
        name: `Shirt ${page}`,
        permalink: `https://woo.example/shirt-${page}`,
        price: '24.54',
        sku: '',
        short_description: '',
      };
      return { headers: { 'x-wp-totalpages': '3' }, body: [{ ...product, images: [], categories: [{ name: 'Shirts' }] }] };
    };
    const run = await sync(
      'woocommerce',
      { url },
      { webhookSecret: 'xxxxxxxx', consumerKey: 'ck_xxxxxxxx', consumerSecret: 'cs_xxxxxxxx' },
    );
    assert.deepEqual((await run()).body.products, { created: 3, updated: 0, unchanged: 0, invalid: 0 });
  });

  test('Paddle: all pages, at the configured address, with the price in the currency of the program', async () => {
    const prices = [
      { status: 'archived', unit_price: { amount: '1', currency_code: 'USD' } },
      { status: 'active', unit_price: { amount: '2500', currency_code: 'EUR' } },
      { status: 'active', unit_price: { amount: '3000', currency_code: 'USD' } },
    ];
    reply = ({ url: path }) => {
      const isSecond = path?.includes('after=pro_1') ?? false;
      const pagination = { per_page: 200, next: 'https://evil.example/products?after=pro_1', has_more: !isSecond, estimated_total: 2 };
      const product = { id: isSecond ? 'pro_2' : 'pro_1', name: 'AeroEdit Pro', description: null, image_url: null, prices };
      return { body: { data: [product], meta: { request_id: 'r', pagination } } };
    };
    const run = await sync('paddle', { apiUrl: url }, { webhookSecret: 'pdl_ntfset_xxxxxxxx', apiKey: 'pdl_live_apikey_xxxx' });
    assert.deepEqual((await run()).body.products, { created: 2, updated: 0, unchanged: 0, invalid: 0 });
    const [found] = await products('pro_2');
    assert.deepEqual([found.name, found.priceCents], ['AeroEdit Pro', 3000]);
  });

  test('Lemon Squeezy: all pages, with prices of stores in the currency of the program', async () => {
    reply = ({ url: path }) => {
      const currentPage = Number(/number%5D=(\d+)/.exec(path ?? '')?.[1] ?? 1);
      const product = (id: string, storeId: number, name: string) => ({
        type: 'products',
        id,
        attributes: { store_id: storeId, name, status: 'published', price: 999, buy_now_url: `https://ls.example/buy/${id}` },
      });
      const stores = [
        { type: 'stores', id: '1', attributes: { currency: 'USD' } },
        { type: 'stores', id: '2', attributes: { currency: 'EUR' } },
      ];
      const data = [product(`ls-${currentPage}`, 1, 'Course'), product(`eu-${currentPage}`, 2, 'Kurs')];
      return { body: { meta: { page: { currentPage, lastPage: 2 } }, data, included: stores } };
    };
    const run = await sync('lemon_squeezy', { apiUrl: url }, { webhookSecret: 'secret_of_store', apiKey: 'eyJ0eXAiOiJKV1Qi' });
    assert.deepEqual((await run()).body.products, { created: 2, updated: 0, unchanged: 0, invalid: 2 });
    const [found] = await products('ls-2');
    assert.deepEqual([found.priceCents, found.checkoutUrl], [999, 'https://ls.example/buy/ls-2']);
  });

  test('Stripe: coupon codes are created once, with their terms, and linked', async () => {
    const { id: affiliateId } = await anAffiliate(service, { status: 'active' });
    const terms = {
      discountType: 'percentage',
      discountRate: 12.5,
      minOrderCents: 2000,
      endsAt: '2026-12-31T00:00:00Z',
      maxRedemptions: 50,
    };
    const coupon = await aCoupon(service, { affiliateId, code: 'ADA125', ...terms });
    await aCoupon(service, { affiliateId, code: 'NOTHING-OFF' });
    const posted: [path: string, key: unknown][] = [];
    reply = ({ method, url: path = '', headers }) => {
      if (path.startsWith('/v1/products')) return { body: { data: [], has_more: false } };
      if (method === 'GET') return { body: { data: [] } };
      posted.push([path, headers['idempotency-key']]);
      return { body: { id: path.endsWith('promotion_codes') ? 'promo_ada' : 'co_ada' } };
    };
    const run = await sync('stripe', { apiUrl: url }, { webhookSecret: 'whsec_xxxxxxxx', apiKey: 'sk_test_catalogue' });
    assert.deepEqual((await run()).body.coupons, { linked: 1, rejected: 0 });
    assert.deepEqual((await run()).body.coupons, { linked: 0, rejected: 0 });
    assert.deepEqual(posted, [
      ['/v1/coupons', `tributary-coupon-${coupon.id}`],
      ['/v1/promotion_codes', `tributary-code-${coupon.id}`],
    ]);
    assert.deepEqual(bodies.slice(-2), [
      'duration=once&name=ADA125&percent_off=12.5',
      'coupon=co_ada&code=ADA125&expires_at=1798675200&max_redemptions=50&restrictions%5Bminimum_amount%5D=2000&restrictions%5Bminimum_amount_currency%5D=usd',
    ]);
    const linked = await service.request('GET', `${service.program.path}/coupons/${coupon.id}`);
    assert.equal(linked.body.externalId, 'promo_ada');
  });

  test('WooCommerce: an existing code is only linked, and a rejected one is counted', async () => {
    const { id: affiliateId } = await anAffiliate(service, { status: 'active' });
    const off = { discountType: 'flat', discountCents: 550 };
    const [existing, rejected, made] = await Promise.all(
      ['THERE', 'REJECTED', 'MADE'].map((code) => aCoupon(service, { affiliateId, code, ...off }) as Promise<{ id: string }>),
    );
    let last = '';
    reply = ({ method, url: path = '' }) => {
      if (path.includes('/products')) return { body: [] };
      if (method === 'GET') {
        last = path;
        return { body: path.endsWith('code=THERE') ? [{ id: 17 }] : [] };
      }
      return last.endsWith('REJECTED') ? { status: 400, body: {} } : { status: 201, body: { id: 18 } };
    };
    const run = await sync(
      'woocommerce',
      { url },
      { webhookSecret: 'xxxxxxxx', consumerKey: 'ck_xxxxxxxx', consumerSecret: 'cs_xxxxxxxx' },
    );
    assert.deepEqual((await run()).body.coupons, { linked: 2, rejected: 1 });
    const readExternalId = async (coupon: { id: string } | undefined) =>
      (await service.request('GET', `${service.program.path}/coupons/${coupon?.id}`)).body.externalId;
    assert.deepEqual([await readExternalId(existing), await readExternalId(rejected), await readExternalId(made)], ['17', null, '18']);
    assert.ok(bodies.includes(JSON.stringify({ code: 'MADE', discount_type: 'fixed_cart', amount: '5.50' })));
  });

  test('rejected or missing keys and invalid responses are 400 with a message; no response is 503; a store without products is empty', async () => {
    const run = await sync('stripe', { apiUrl: url }, { webhookSecret: 'whsec_xxxxxxxx', apiKey: 'sk_test_refused' });
    reply = () => ({ status: 401, body: {} });
    const rejected = await run();
    assert.deepEqual([rejected.status, rejected.body.error], [400, 'The store rejected the API keys (401).']);
    reply = () => ({ body: '<html>' });
    assert.match((await run()).body.error, /JSON/);
    reply = () => ({ body: { data: [{ id: 1 }], has_more: false } });
    assert.match((await run()).body.error, /Unexpected response/);
    assert.match((await (await sync('stripe', { apiUrl: url }, { webhookSecret: 'whsec_xxxxxxxx' }))()).body.error, /apiKey is not set/);
    const lost = await (
      await sync('stripe', { apiUrl: 'http://127.0.0.1:1' }, { webhookSecret: 'whsec_xxxxxxxx', apiKey: 'sk_test_lost_key' })
    )();
    assert.equal(lost.status, 503);
    assert.equal((await (await sync('generic', {}, {}))()).body.products.created, 0);
    for (const line of service.log) assert.ok(!/sk_test_(rejected|lost)/.test(line), line);
  });
});
