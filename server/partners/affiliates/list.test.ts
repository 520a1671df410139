import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { aGroup, anAffiliate } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';

describe('listing affiliates', () => {
  let service: TestService;
  const ids: string[] = [];
  before(async () => {
    service = await openTestService();
    for (let index = 0; index < 60; index += 1) {
      service.clock.advance({ seconds: 1 });
      const { id } = await anAffiliate(service, {
        email: `p${index}@shop-${index % 2}.example.com`,
        lastName: `Müller ${index}`,
        autoApprove: index % 3 === 0,
      });
      ids.unshift(id);
    }
    await anAffiliate(service, { firstName: '100%', lastName: 'Under_score', email: 'back@example.com' });
    await anAffiliate(service, { email: 'foreign@example.com', lastName: 'Müller' }, service.foreign);
  });
  after(() => service.close());

  const list = (query = '', key = service.program.key) => service.request('GET', `${service.program.path}/affiliates${query}`, { key });
  const emails = async (query: string) => (await list(query)).body.affiliates.map(({ email }: { email: string }) => email);

  test('shows exactly the fields of the contract, newest first, 50 by default, with the exact total', async () => {
    const { status, body } = await list('', service.program.readKey);
    assert.equal(status, 200);
    assert.deepEqual([body.total, body.limit, body.offset, body.affiliates.length], [61, 50, 0, 50]);
    assert.deepEqual(
      body.affiliates.slice(1, 6).map(({ id }: { id: string }) => id),
      ids.slice(0, 5),
    );
    assert.deepEqual(Object.keys(body.affiliates[0]), [
      'id', 'firstName', 'lastName', 'email', 'referralCode', 'vanitySlug', 'status', 'groupId', 'parentAffiliateId',
      'createdAt', 'clicks', 'conversions', 'commissionCents',
    ]); // biome-ignore format: the contract's order
    assert.match(body.affiliates[0].createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test('pages never repeat or skip a row, and past the end there is an empty page with the total', async () => {
    const seen = new Set<string>();
    for (let offset = 0; offset < 61; offset += 7) {
      for (const { id } of (await list(`?limit=7&offset=${offset}`)).body.affiliates) seen.add(id);
    }
    assert.equal(seen.size, 61);
    const beyond = (await list('?offset=2147483647')).body;
    assert.deepEqual([beyond.total, beyond.affiliates], [61, []]);
  });

  test('filters by status with the exact total', async () => {
    const { body } = await list('?status=active&limit=200');
    assert.deepEqual([body.total, body.affiliates.length], [20, 20]);
    assert.equal((await list('?status=rejected')).body.total, 0);
  });

  test('search finds part of a name, of "first last", of an email and of a code, whatever the case', async () => {
    assert.deepEqual(await emails('?search=MÜLLER%2059'), ['p59@shop-1.example.com']);
    assert.deepEqual(await emails('?search=ada%20m%C3%BCller%2059'), ['p59@shop-1.example.com']);
    assert.equal((await list('?search=SHOP-1.example')).body.total, 30);
    const { referralCode, email } = (await list()).body.affiliates[9];
    assert.deepEqual(await emails(`?search=${referralCode.slice(1).toLowerCase()}`), [email]);
    assert.equal((await list('?search=m%C3%BCller&status=active&limit=5')).body.total, 20);
  });

  test('search is literal: %, _ and \\ are ordinary characters, and a match never spans two fields', async () => {
    assert.deepEqual(await emails('?search=100%25'), ['back@example.com']);
    assert.deepEqual(await emails('?search=under_s'), ['back@example.com']);
    for (const nothing of ['%5C', '_0', 'p%259', `59p59`, '%27%3B--']) assert.deepEqual(await emails(`?search=${nothing}`), [], nothing);
  });

  test('another program’s affiliates are never found', async () => {
    assert.deepEqual(await emails('?search=foreign%40'), []);
  });

  for (const query of [
    'limit=0',
    'limit=201',
    'limit=-1',
    'limit=1.5',
    'limit=1e3',
    'limit=0x10',
    'limit=',
    'limit=5&limit=6',
    'offset=-1',
    'offset=2147483648',
    'offset=abc',
    'status=ACTIVE',
    'status=',
    `search=${'x'.repeat(201)}`,
  ]) {
    test(`refuses ?${query.slice(0, 30)}: 400 with the parameter's path`, async () => {
      const { status, body } = await list(`?${query}`);
      assert.equal(status, 400);
      assert.deepEqual(body.details[0].path, [query.split('=')[0]]);
    });
  }

  test('tax and payout data have no way out: a column that is added does not appear', async () => {
    await service.pool.query(`alter table affiliates add column tax_id text default '12-3456789'`);
    const groupId = await aGroup(service);
    const { id } = await anAffiliate(service, { groupId });
    const answers = [
      await list(),
      await service.request('PATCH', `${service.program.path}/affiliates/${id}`, { body: { status: 'active' } }),
    ];
    for (const { status, text } of answers) {
      assert.equal(status, 200);
      assert.ok(!text.includes('12-3456789') && !text.includes('tax'));
    }
  });
});
