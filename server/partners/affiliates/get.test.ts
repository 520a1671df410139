import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { aGroup, anAffiliate, aPage } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';

describe('an affiliate by id', () => {
  let service: TestService;
  before(async () => {
    service = await openTestService({ environment: { PUBLIC_URL: 'https://links.example/' } });
  });
  after(() => service.close());

  const get = (id: string, query = '') => service.request('GET', `${service.program.path}/affiliates/${id}${query}`);
  const patch = (id: string, body: unknown, query = '') =>
    service.request('PATCH', `${service.program.path}/affiliates/${id}${query}`, { body });

  test('has the fields of the list row and the details, with a working link', async () => {
    const groupId = await aGroup(service, 'Gold');
    const { id, email, referralCode } = await anAffiliate(service, { groupId, firstName: 'Ada', lastName: 'Lovelace' });
    const { status, body } = await get(id);
    assert.equal(status, 200);
    assert.deepEqual(body, {
      id,
      firstName: 'Ada',
      lastName: 'Lovelace',
      email,
      referralCode,
      vanitySlug: null,
      status: 'pending',
      groupId,
      parentAffiliateId: null,
      createdAt: service.clock.now().toISOString(),
      clicks: 0,
      conversions: 0,
      commissionCents: 0,
      commissionOverrideType: null,
      commissionOverrideRate: null,
      currency: 'USD',
      linkUrl: `https://links.example/r/${referralCode}`,
      externalId: null,
      metadata: {},
      tags: [],
      landingPage: null,
      claimedAt: null,
      lastSeenAt: null,
      version: body.version,
      warnings: [],
    });
    assert.deepEqual((await get(id, '?expand=group,parentAffiliate')).body, {
      ...body,
      group: { id: groupId, name: 'Gold' },
      parentAffiliate: null,
    });
  });

  test('says when its user claimed it and last used a session', async () => {
    const affiliate = await anAffiliate(service, { status: 'active' });
    const user = await service.asAffiliate(affiliate);
    const claimedAt = service.clock.now();
    const { body: claimed } = await get(affiliate.id);
    assert.deepEqual([claimed.claimedAt, claimed.lastSeenAt], [claimedAt.toISOString(), claimedAt.toISOString()]);
    service.clock.advance({ minutes: 20 });
    assert.equal((await user.request('GET', '/app/me')).status, 200);
    const { body: seen } = await get(affiliate.id);
    assert.deepEqual([seen.claimedAt, seen.lastSeenAt], [claimedAt.toISOString(), service.clock.now().toISOString()]);
    assert.equal(seen.version, claimed.version);
    const { body: listed } = await service.request('GET', `${service.program.path}/affiliates?search=${affiliate.email}`);
    assert.ok(!('claimedAt' in listed.affiliates[0]));
    const { body: other } = await get((await anAffiliate(service)).id);
    assert.deepEqual([other.claimedAt, other.lastSeenAt], [null, null]);
  });

  test('shows its landing page in short', async () => {
    const { id } = await anAffiliate(service);
    await aPage(service, id, 'ada-page', { isPublished: true });
    assert.deepEqual((await get(id)).body.landingPage, { slug: 'ada-page', isPublished: true, reviewStatus: 'draft', isLive: false });
  });

  test('can be renamed and connected with another system, and is found by its new values', async () => {
    const { id } = await anAffiliate(service, { email: 'old@example.com' });
    const change = { firstName: 'Grace', lastName: 'Hopper', email: 'Grace@Example.com', externalId: 'crm-7', tags: ['a', 'b', 'a'] };
    const { body } = await patch(id, { ...change, metadata: { plan: 'pro', source: 'event' } }, '?expand=details');
    assert.deepEqual([body.externalId, body.tags, body.metadata], ['crm-7', ['a', 'b'], { plan: 'pro', source: 'event' }]);
    const read = (await get(id)).body;
    assert.deepEqual([read.firstName, read.lastName, read.email], ['Grace', 'Hopper', 'Grace@Example.com']);
    for (const query of ['search=grace%20hop', 'email=grace%40example.com', 'externalId=crm-7', 'tags=b'])
      assert.equal((await service.request('GET', `${service.program.path}/affiliates?${query}`)).body.total, 1, query);
    assert.equal((await service.request('GET', `${service.program.path}/affiliates?email=old%40example.com`)).body.total, 0);
    assert.equal((await anAffiliate(service, { email: 'old@example.com' })).email, 'old@example.com');
    const { rows } = await service.pool.query(`select before, after from audit_log where subject_id = $1 order by id`, [id]);
    assert.deepEqual(rows.at(-1), {
      before: {
        firstName: 'Ada',
        lastName: rows.at(-1)?.before.lastName,
        email: 'o•••@example.com',
        externalId: null,
        metadata: {},
        tags: [],
      },
      after: { ...change, email: 'G•••@Example.com', tags: ['a', 'b'], metadata: { plan: 'pro', source: 'event' } },
    });
  });

  test('metadata is merged by key; null removes a key, and more than 50 keys are 400', async () => {
    const { id } = await anAffiliate(service);
    await patch(id, { metadata: { a: '1', b: '2' } });
    await patch(id, { metadata: { a: null, c: '3' } });
    assert.deepEqual((await get(id)).body.metadata, { b: '2', c: '3' });
    const many = Object.fromEntries(Array.from({ length: 49 }, (_, index) => [`k${index}`, 'x']));
    const { status, body } = await patch(id, { metadata: many });
    assert.deepEqual([status, body.details[0].path], [400, ['metadata']]);
    assert.deepEqual((await get(id)).body.metadata, { b: '2', c: '3' });
  });

  test('an email or external id of another affiliate is 409; of another program it is free', async () => {
    const [first, second] = [await anAffiliate(service, { email: 'taken@example.com' }), await anAffiliate(service)];
    await patch(first.id, { externalId: 'crm-1' });
    for (const [change, code] of [
      [{ email: 'TAKEN@example.com' }, 'email_taken'],
      [{ externalId: 'crm-1' }, 'external_id_taken'],
    ] as const) {
      const { status, body } = await patch(second.id, change);
      assert.deepEqual([status, body.code], [409, code]);
    }
    const foreign = await anAffiliate(service, {}, service.foreign);
    const path = `${service.foreign.path}/affiliates/${foreign.id}`;
    const body = { email: 'taken@example.com', externalId: 'crm-1' };
    assert.equal((await service.request('PATCH', path, { body, key: service.foreign.key })).status, 200);
    const invite = { email: 'new@example.com', firstName: 'N', lastName: 'N', externalId: 'crm-1' };
    const invited = await service.request('POST', `${service.program.path}/affiliates`, { body: invite });
    assert.deepEqual([invited.status, invited.body.code], [409, 'external_id_taken']);
  });

  for (const [field, value] of [
    ['firstName', ''],
    ['email', 'unknown'],
    ['externalId', ''],
    ['metadata', { key: 5 }],
    ['metadata', { ['k'.repeat(41)]: 'x' }],
    ['metadata', { key: 'x'.repeat(501) }],
    ['tags', ['']],
    ['tags', Array(51).fill('x')],
  ] as const)
    test(`rejects ${field} ${JSON.stringify(value).slice(0, 20)}: 400 with its path`, async () => {
      const { id } = await anAffiliate(service);
      const { status, body } = await patch(id, { [field]: value });
      assert.deepEqual([status, body.details[0].path[0]], [400, field]);
    });

  test('the link URL has the vanity slug, with the program where the bare slug belongs to another program', async () => {
    const [here, there] = [await anAffiliate(service), await anAffiliate(service, {}, service.foreign)];
    const linkOf = async (id: string, program = service.program) =>
      (await service.request('GET', `${program.path}/affiliates/${id}`, { key: program.key })).body.linkUrl;
    const body = { vanitySlug: 'shared' };
    assert.equal((await patch(here.id, body)).status, 200);
    const path = `${service.foreign.path}/affiliates/${there.id}`;
    assert.equal((await service.request('PATCH', path, { body, key: service.foreign.key })).status, 200);
    assert.equal(await linkOf(here.id), 'https://links.example/r/shared');
    assert.equal(await linkOf(there.id, service.foreign), 'https://links.example/r/other-brand/shared');
    await patch(here.id, { vanitySlug: null });
    assert.equal(await linkOf(here.id), `https://links.example/r/${here.referralCode}`);
    assert.equal(await linkOf(there.id, service.foreign), 'https://links.example/r/other-brand/shared');
  });
});
