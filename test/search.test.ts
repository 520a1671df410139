// Every `search` behaves alike: it trims, ignores case, accents and the order of words, and takes no wildcards.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openTestService, type TestService } from './support/harness.ts';

describe('search', () => {
  let service: TestService;
  before(async () => {
    service = await openTestService();
    const { path } = service.program;
    const create = async (resource: string, body: object) => {
      const { status, text } = await service.request('POST', `${path}/${resource}`, { body });
      assert.equal(status, 201, text);
    };
    await create('affiliates', { firstName: 'Åsa', lastName: 'Ångström Łuczak', email: 'asa@example.com', sendInvite: false });
    await create('groups', { name: 'Ångström Łuczak' });
    await create('products', { name: 'Ångström Łuczak', priceCents: 100, checkoutUrl: 'https://shop.example/a' });
    await create('providers', { type: 'manual', name: 'Ångström Łuczak' });
    await create('webhooks', { url: 'https://hooks.example/a', description: 'Ångström Łuczak', eventTypes: ['*'] });
    await create('commission-rules', { name: 'Ångström Łuczak', category: 'Tea', type: 'percentage', rate: 5 });
  });
  after(() => service.close());

  const count = async (resource: string, search: string): Promise<number> => {
    const path = `${service.program.path}/${resource}?search=${encodeURIComponent(search)}`;
    const { status, body, text } = await service.request('GET', path);
    assert.equal(status, 200, text);
    return body.total;
  };

  for (const resource of ['affiliates', 'groups', 'products', 'providers', 'webhooks', 'commission-rules'])
    test(`of ${resource} ignores accents, surrounding space, and the order of words`, async () => {
      for (const found of ['angstrom', 'ÅNGSTRÖM', '  angstrom ', 'luczak angstrom', 'ström  łucz'])
        assert.equal(await count(resource, found), 1, found);
      for (const other of ['angstrom nobel', 'ang%rom', 'angstr_m']) assert.equal(await count(resource, other), 0, other);
    });

  test('finds names that were stored in another form of Unicode', async () => {
    assert.equal(await count('affiliates', 'Å'.normalize('NFD')), 1);
  });
});
