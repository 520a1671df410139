import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { aGroup, aProduct } from '../../test/builders.ts';
import { openTestService, type TestService } from '../../test/harness.ts';

describe('groups and products', () => {
  let service: TestService;
  before(async () => {
    service = await openTestService();
  });
  after(() => service.close());

  const send = (method: string, path: string, body?: unknown) =>
    service.request(method, `${service.program.path}/${path}`, body === undefined ? {} : { body });

  test('a group is created, changed and listed; its name is unique without regard to case', async () => {
    const id = await aGroup(service, 'Gold');
    assert.equal((await send('POST', 'groups', { name: 'GOLD' })).status, 409);
    assert.equal((await send('POST', 'groups', { name: '' })).status, 400);
    const { body } = await send('PATCH', `groups/${id}`, { name: 'Platinum', description: 'Best' });
    assert.deepEqual([body.name, body.description], ['Platinum', 'Best']);
    const list = (await send('GET', 'groups')).body;
    assert.deepEqual([list.total, list.groups[0].id], [1, id]);
    assert.deepEqual(Object.keys(list.groups[0]), ['id', 'name', 'description', 'createdAt', 'updatedAt']);
  });

  test('a product is created, changed and listed; omitted fields stay and null clears', async () => {
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

  test('twenty simultaneous products with one externalId: one 201, nineteen 409', async () => {
    const body = { name: 'Race', priceCents: 1, checkoutUrl: 'https://shop.example', externalId: 'race' };
    const answers = await Promise.all(Array.from({ length: 20 }, () => send('POST', 'products', body)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(19).fill(409)]);
  });

  test('a restriction to a group of another program is 404 naming the field, and nothing is written', async () => {
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

  for (const [what, more, path] of [
    ['a price with a fraction', { priceCents: 12.5 }, 'priceCents'],
    ['a negative price', { priceCents: -1 }, 'priceCents'],
    ['a price beyond what sums can hold', { priceCents: 100_000_000_000 }, 'priceCents'],
    ['a checkout address that is a script', { checkoutUrl: 'javascript:1' }, 'checkoutUrl'],
    ['a checkout address with a password', { checkoutUrl: 'https://a:b@shop.example' }, 'checkoutUrl'],
    ['an unknown status', { status: 'gone' }, 'status'],
  ] as const) {
    test(`refuses ${what}: 400 with its path`, async () => {
      const { status, body } = await send('POST', 'products', { name: 'X', priceCents: 1, checkoutUrl: 'https://shop.example', ...more });
      assert.equal(status, 400);
      assert.deepEqual(body.details[0].path, [path]);
    });
  }
});
