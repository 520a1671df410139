import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { aGroup, anAffiliate, aProduct } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';

describe('the product feed', () => {
  let service: TestService;
  let affiliate: { id: string; referralCode: string };
  before(async () => {
    service = await openTestService();
    const groupId = await aGroup(service, 'Gold');
    affiliate = await anAffiliate(service, { groupId });
    await aProduct(service, { name: 'Open', externalId: 'o-1', priceCents: 1490, checkoutUrl: 'https://shop.example/tea?a=1&b=2' });
    await aProduct(service, { name: 'Gold only', allowedGroupIds: [groupId] });
    await aProduct(service, { name: 'Others only', allowedGroupIds: [await aGroup(service)] });
    await aProduct(service, { name: 'Draft', status: 'draft' });
    await aProduct(service, { name: 'Theirs' }, service.foreign);
  });
  after(() => service.close());

  const feed = (query = '') => service.request('GET', `${service.program.path}/products/feed?${query}`);
  const names = (body: { products: { name: string }[] }) => body.products.map(({ name }) => name);

  test('without an affiliate lists unrestricted products, without a referral', async () => {
    const { body } = await feed();
    assert.deepEqual(names(body), ['Open']);
    assert.deepEqual([body.products[0].checkoutUrl, body.products[0].currency], ['https://shop.example/tea?a=1&b=2', 'USD']);
  });

  test('for an affiliate lists the products it may promote, with its referral on every URL', async () => {
    const { body } = await feed(`affiliateId=${affiliate.id}`);
    assert.deepEqual(names(body), ['Gold only', 'Open']);
    for (const { checkoutUrl } of body.products) assert.equal(new URL(checkoutUrl).searchParams.get('ref'), affiliate.referralCode);
  });

  test('an unknown affiliate or one of another program is 404 naming the field; a malformed id or an unknown format is 400', async () => {
    const foreign = await anAffiliate(service, {}, service.foreign);
    for (const id of [foreign.id, service.ctx.ids.uuid()]) {
      const { status, body } = await feed(`affiliateId=${id}`);
      assert.equal(status, 404);
      assert.match(body.error, /affiliateId/);
    }
    for (const query of ['affiliateId=x', 'format=yaml', 'format=csv&format=json']) assert.equal((await feed(query)).status, 400, query);
  });

  test('as CSV opens in a spreadsheet, with formulas escaped', async () => {
    await aProduct(service, { name: '=HYPERLINK("http://evil.example")', externalId: 'danger', description: 'a "quoted",\nline' });
    const { status, headers, text } = await feed('format=csv');
    assert.equal(status, 200);
    assert.match(String(headers['content-type']), /^text\/csv/);
    assert.equal(headers['content-disposition'], 'attachment; filename="products.csv"');
    const rows = parse(text, { columns: true }) as Record<string, string>[];
    const danger = rows.find(({ externalId }) => externalId === 'danger');
    assert.deepEqual([danger?.name, danger?.description], [`'=HYPERLINK("http://evil.example")`, 'a "quoted",\nline']);
    assert.deepEqual(rows.find(({ name }) => name === 'Open')?.priceCents, '1490');
  });

  test('as RSS is well-formed for any product name, with prices in the format of Google', async () => {
    await aProduct(service, {
      name: `<b>&]]>"'`,
      sku: 'M&M',
      brand: 'A<B',
      priceCents: 5,
      compareAtPriceCents: 1000,
      availability: 'discontinued',
    });
    const { status, headers, text } = await feed(`format=google_xml&affiliateId=${affiliate.id}`);
    assert.equal(status, 200);
    assert.match(String(headers['content-type']), /^application\/xml/);
    assert.match(text, /^<\?xml version="1.0" encoding="UTF-8"\?>\n<rss version="2.0" xmlns:g="http:\/\/base.google.com\/ns\/1.0">/);
    assert.ok(text.includes('<g:title>&lt;b&gt;&amp;]]&gt;&quot;&#39;</g:title>'));
    assert.ok(text.includes('<g:price>10.00 USD</g:price>\n<g:sale_price>0.05 USD</g:sale_price>\n<g:availability>out_of_stock'));
    assert.ok(text.includes('<g:mpn>M&amp;M</g:mpn>') && text.includes('<g:brand>A&lt;B</g:brand>') && text.includes('<g:id>o-1</g:id>'));
    assert.ok(text.includes(`<g:link>https://shop.example/tea?a=1&amp;b=2&amp;ref=${affiliate.referralCode}</g:link>`));
    assert.equal((text.match(/<item>/g) ?? []).length, 4);
    assert.doesNotMatch(
      text.replace(/<\/?[a-z_]+(:[a-z_]+)?( [\w:]+="[^"]*")*>|<\?[^?]*\?>/g, ''),
      /[<>\uffff]|&(?!(amp|lt|gt|quot|#39);)/,
    );
  });
});
