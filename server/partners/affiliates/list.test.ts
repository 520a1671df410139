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

  test('returns exactly the fields of the contract, newest first, 50 by default, with the exact total', async () => {
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

  test('search finds a part of the full name, the email or the referral code, ignoring case', async () => {
    // Referral codes contain no 1, so no code contains 51.
    assert.deepEqual(await emails('?search=MÜLLER%2051'), ['p51@shop-1.example.com']);
    assert.deepEqual(await emails('?search=ada%20m%C3%BCller%2051'), ['p51@shop-1.example.com']);
    assert.equal((await list('?search=SHOP-1.example')).body.total, 30);
    const { referralCode, email } = (await list()).body.affiliates[9];
    assert.deepEqual(await emails(`?search=${referralCode.slice(1).toLowerCase()}`), [email]);
    assert.equal((await list('?search=m%C3%BCller&status=active&limit=5')).body.total, 20);
  });

  test('search is literal: %, _ and \\ are ordinary characters, and a match never spans two fields', async () => {
    assert.deepEqual(await emails('?search=100%25'), ['back@example.com']);
    assert.deepEqual(await emails('?search=under_s'), ['back@example.com']);
    for (const search of ['%5C', '_0', 'p%259', `59p59`, '%27%3B--']) assert.deepEqual(await emails(`?search=${search}`), [], search);
  });

  test('another program’s affiliates are never found', async () => {
    assert.deepEqual(await emails('?search=foreign%40'), []);
  });

  test('filters by several statuses, group, upline, email, external id, tags and time, with the exact total', async () => {
    const groupId = await aGroup(service);
    const upline = await anAffiliate(service);
    const { id } = await anAffiliate(service, { groupId, parentAffiliateId: upline.id, email: 'Find.Me@example.com', status: 'suspended' });
    const profile = { externalId: 'crm-9', tags: ['podcast', 'gold'] };
    await service.request('PATCH', `${service.program.path}/affiliates/${id}`, { body: profile });
    const later = new Date(service.clock.now().getTime() + 1000).toISOString();
    for (const query of [
      `groupId=${groupId}`,
      `groupId=${groupId}&status=active&status=suspended`,
      `parentAffiliateId=${upline.id}`,
      'email=find.me%40EXAMPLE.com',
      'externalId=crm-9',
      'tags=none&tags=gold',
      `search=find.me&createdTo=${later}`,
    ]) {
      const { body } = await list(`?${query}`);
      assert.deepEqual([body.total, body.affiliates.map((row: { id: string }) => row.id)], [1, [id]], query);
    }
    for (const query of [`groupId=${groupId}&status=active`, 'email=unknown%40example.com', 'tags=none', `createdFrom=${later}`])
      assert.deepEqual([(await list(`?${query}`)).body.total, (await list(`?${query}`)).body.affiliates], [0, []], query);
    const { body } = await list('?status=active&status=suspended&limit=200');
    assert.deepEqual([body.total, body.affiliates.length], [21, 21]);
  });

  test('sorts in both directions', async () => {
    const names = async (sort: string) =>
      (await list(`?search=m%C3%BCller&sort=${sort}&limit=200`)).body.affiliates.map(({ lastName }: { lastName: string }) => lastName);
    const ascending = await names('lastName');
    assert.equal(ascending.length, 60);
    assert.deepEqual(await names('-lastName'), ascending.toReversed());
    assert.equal((await list('?sort=createdAt')).body.affiliates[0].id, ids.at(-1));
    assert.equal((await list('?sort=-commissionCents&limit=1')).body.affiliates.length, 1);
  });

  test('expands details, group and upline only on request', async () => {
    const groupId = await aGroup(service, 'Podcasters');
    const upline = await anAffiliate(service, { firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' });
    await anAffiliate(service, { groupId, parentAffiliateId: upline.id });
    const { affiliates } = (await list(`?groupId=${groupId}&expand=details,group,parentAffiliate`)).body;
    const { referralCode, linkUrl, group, parentAffiliate, currency, landingPage, metadata, tags, externalId } = affiliates[0];
    assert.deepEqual([group, parentAffiliate.name], [{ id: groupId, name: 'Podcasters' }, 'Grace Hopper']);
    assert.ok(linkUrl.endsWith(`/r/${referralCode}`) && parentAffiliate.linkUrl.endsWith(`/r/${upline.referralCode}`));
    assert.deepEqual([currency, landingPage, metadata, tags, externalId], ['USD', null, {}, [], null]);
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
    'sort=email',
    'groupId=x',
    'email=x',
    'expand=payouts',
    'createdFrom=today',
    `search=${'x'.repeat(201)}`,
  ]) {
    test(`rejects ?${query.slice(0, 30)}: 400 with the path of the parameter`, async () => {
      const { status, body } = await list(`?${query}`);
      assert.equal(status, 400);
      assert.deepEqual(body.details[0].path, [query.split('=')[0]]);
    });
  }

  test('tax and payout data are never returned: an added column does not appear in any response', async () => {
    await service.pool.query(`alter table affiliates add column tax_id text default '12-3456789'`);
    const groupId = await aGroup(service);
    const { id } = await anAffiliate(service, { groupId });
    const responses = [
      await list('?expand=details'),
      await service.request('GET', `${service.program.path}/affiliates/${id}`),
      await service.request('PATCH', `${service.program.path}/affiliates/${id}`, { body: { status: 'active' } }),
    ];
    for (const { status, text } of responses) {
      assert.equal(status, 200, text);
      assert.ok(!text.includes('12-3456789') && !text.includes('tax'));
    }
  });
});
