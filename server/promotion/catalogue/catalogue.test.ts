import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { aGroup, aProduct } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';

describe('products', () => {
  let service: TestService;
  before(async () => {
    service = await openTestService();
  });
  after(() => service.close());

  const send = (method: string, path: string, body?: unknown) =>
    service.request(method, `${service.program.path}/${path}`, body === undefined ? {} : { body });

  test('can be created, updated and listed; omitted fields keep their value and null clears', async () => {
    const groupId = await aGroup(service);
    const id = await aProduct(service, { externalId: 'sku-1', name: 'Tea', description: 'Green', allowedGroupIds: [groupId] });
    const { body } = await send('PATCH', `products/${id}`, { description: null, priceCents: 0 });
    assert.deepEqual(
      [body.name, body.description, body.priceCents, body.allowedGroupIds, body.status],
      ['Tea', null, 0, [groupId], 'active'],
    );
    assert.deepEqual((await send('PATCH', `products/${id}`, { allowedGroupIds: [] })).body.allowedGroupIds, []);
    assert.equal((await send('GET', 'products?status=active')).body.total, 1);
    assert.equal((await send('GET', 'products?status=draft')).body.total, 0);
  });

  test('are returned by id with all their fields and the currency', async () => {
    const details = { sku: 'T-1', brand: 'Fern', compareAtPriceCents: 2000, availability: 'preorder' };
    const id = await aProduct(service, { name: 'Mug', priceCents: 1500, ...details });
    const { status, body } = await send('GET', `products/${id}`);
    assert.equal(status, 200);
    assert.deepEqual({ ...body, ...details, name: 'Mug', currency: 'USD' }, body);
    const changed = (await send('PATCH', `products/${id}`, { sku: null, availability: 'discontinued' })).body;
    assert.deepEqual([changed.sku, changed.availability, changed.compareAtPriceCents], [null, 'discontinued', 2000]);
    assert.deepEqual((await send('GET', `products/${id}`)).body, changed);
  });

  test('a change is audited with the changed fields; a request without changes writes nothing', async () => {
    const groups = [await aGroup(service), await aGroup(service)];
    const id = await aProduct(service, { name: 'Pot', allowedGroupIds: groups });
    const before = (await send('GET', `products/${id}`)).body;
    service.clock.advance({ seconds: 10 });
    const same = await send('PATCH', `products/${id}`, {
      name: ' Pot ',
      priceCents: before.priceCents,
      allowedGroupIds: groups.toReversed(),
    });
    assert.deepEqual([same.status, same.body], [200, before]);
    assert.ok((await send('PATCH', `products/${id}`, { name: 'Kettle', brand: null })).body.updatedAt > before.updatedAt);
    const { rows } = await service.pool.query(`select before, after from audit_log where subject_id = $1 and action = 'product.updated'`, [
      id,
    ]);
    assert.deepEqual(rows, [{ before: { name: 'Pot' }, after: { name: 'Kettle' } }]);
  });

  test('the list searches name, external id and SKU literally, ignoring case, and filters by category', async () => {
    const category = 'Searched';
    await aProduct(service, { name: '100% Érable', sku: 'ABC_1', category });
    await aProduct(service, { name: '1000 Maples', externalId: 'Ext-9', category });
    const names = async (query: string) =>
      (await send('GET', `products?category=${category}&${query}`)).body.products.map(({ name }: { name: string }) => name);
    assert.deepEqual(await names('search=100%25'), ['100% Érable']);
    assert.deepEqual(await names('search=c_1'), ['100% Érable']);
    assert.deepEqual(await names(`search=${encodeURIComponent('ÉRABLE')}`), ['100% Érable']);
    assert.deepEqual(await names('search=EXT-9'), ['1000 Maples']);
    assert.deepEqual(await names('search=%25%25'), []);
    assert.deepEqual(await names(''), ['1000 Maples', '100% Érable']);
    assert.deepEqual((await send('GET', 'products?category=searched')).body.total, 0);
    assert.equal((await send('GET', `products?search=${'x'.repeat(201)}`)).status, 400);
    const [first] = (await send('GET', `products?category=${category}`)).body.products;
    await send('PATCH', `products/${first.id}`, { name: 'Renamed' });
    assert.deepEqual([await names('search=maples'), await names('search=renamed')], [[], ['Renamed']]);
  });

  test('the list filters by several statuses, by fields and by time, sorts, and expands groups', async () => {
    const groupId = await aGroup(service, 'Podcasters');
    const category = 'Filtered';
    const ids = {
      cheap: await aProduct(service, { category, name: 'A cheap one', priceCents: 100, externalId: 'x-1', sku: 'S-1' }),
      draft: await aProduct(service, { category, name: 'B draft', priceCents: 300, status: 'draft', availability: 'preorder' }),
      archived: await aProduct(service, { category, name: 'C archived', priceCents: 200, status: 'archived', allowedGroupIds: [groupId] }),
    };
    const find = async (query: string) =>
      (await send('GET', `products?category=${category}&${query}`)).body.products.map(({ id }: { id: string }) => id);
    assert.deepEqual(await find('status=draft&status=archived&sort=name'), [ids.draft, ids.archived]);
    assert.deepEqual(await find('sort=-priceCents'), [ids.draft, ids.archived, ids.cheap]);
    assert.deepEqual(await find('externalId=x-1'), [ids.cheap]);
    assert.deepEqual(await find('sku=S-1&availability=in_stock&availability=preorder'), [ids.cheap]);
    assert.deepEqual(await find(`allowedGroupId=${groupId}`), [ids.archived]);
    const later = new Date(service.clock.now().getTime() + 1000).toISOString();
    assert.deepEqual([await find(`createdFrom=${later}`), (await find(`createdTo=${later}`)).length], [[], 3]);
    const [expanded] = (await send('GET', `products?allowedGroupId=${groupId}&expand=allowedGroups`)).body.products;
    assert.deepEqual([expanded.allowedGroups, expanded.currency], [[{ id: groupId, name: 'Podcasters' }], 'USD']);
    const [lean] = (await send('GET', `products?allowedGroupId=${groupId}`)).body.products;
    assert.equal('allowedGroups' in lean, false);
    for (const query of ['status=gone', 'sort=brand', 'expand=affiliate', 'allowedGroupId=x'])
      assert.equal((await send('GET', `products?${query}`)).status, 400, query);
  });

  test('twenty simultaneous products with one externalId: one 201, nineteen 409', async () => {
    const body = { name: 'Race', priceCents: 1, checkoutUrl: 'https://shop.example', externalId: 'race' };
    const responses = await Promise.all(Array.from({ length: 20 }, () => send('POST', 'products', body)));
    assert.deepEqual(responses.map(({ status }) => status).sort(), [201, ...Array(19).fill(409)]);
  });

  test('restricting a product to a group of another program returns 404 naming the field and writes nothing', async () => {
    const foreign = await aGroup(service, 'Foreign', service.foreign);
    const before = (await send('GET', 'products')).body.total;
    const { status, body } = await send('POST', 'products', {
      name: 'X',
      priceCents: 1,
      checkoutUrl: 'https://a.example',
      allowedGroupIds: [foreign],
    });
    assert.deepEqual([status, (await send('GET', 'products')).body.total], [404, before]);
    assert.match(body.error, /allowedGroupIds/);
  });

  for (const [fault, fields, path] of [
    ['a price with a fraction', { priceCents: 12.5 }, 'priceCents'],
    ['a negative price', { priceCents: -1 }, 'priceCents'],
    ['a price above the largest amount', { priceCents: 100_000_000_000 }, 'priceCents'],
    ['a checkout URL that is a script', { checkoutUrl: 'javascript:1' }, 'checkoutUrl'],
    ['a checkout URL with a password', { checkoutUrl: 'https://a:b@shop.example' }, 'checkoutUrl'],
    ['an unknown status', { status: 'gone' }, 'status'],
    ['an unknown availability', { availability: 'soon' }, 'availability'],
    ['a regular price with a fraction', { compareAtPriceCents: 0.5 }, 'compareAtPriceCents'],
    ['an empty SKU', { sku: ' ' }, 'sku'],
    ['a brand with a line break', { brand: 'a\nb' }, 'brand'],
  ] as const) {
    test(`reject ${fault}: 400 with its path`, async () => {
      const { status, body } = await send('POST', 'products', { name: 'X', priceCents: 1, checkoutUrl: 'https://shop.example', ...fields });
      assert.equal(status, 400);
      assert.deepEqual(body.details[0].path, [path]);
    });
  }
});
