import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { aGroup, anAffiliate } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { checkInvariants } from '../../operations/verify/invariants.ts';

describe('updating an affiliate', () => {
  let service: TestService;
  before(async () => {
    service = await openTestService();
  });
  after(() => service.close());

  const patch = (id: string, body: unknown) => service.request('PATCH', `${service.program.path}/affiliates/${id}`, { body });

  test('returns exactly the seven fields of the contract; omitted fields keep their value', async () => {
    const groupId = await aGroup(service);
    const { id } = await anAffiliate(service, { groupId });
    const { status, body } = await patch(id, { vanitySlug: 'ada-l' });
    assert.equal(status, 200);
    assert.deepEqual(body, {
      id,
      status: 'pending',
      groupId,
      parentAffiliateId: null,
      vanitySlug: 'ada-l',
      commissionOverrideType: null,
      commissionOverrideRate: null,
    });
  });

  test('null clears group, upline, slug and override', async () => {
    const upline = await anAffiliate(service);
    const { id } = await anAffiliate(service, { groupId: await aGroup(service), parentAffiliateId: upline.id });
    await patch(id, { vanitySlug: 'to-clear', commissionOverrideType: 'flat', commissionOverrideRate: 500 });
    const { body } = await patch(id, { groupId: null, parentAffiliateId: null, vanitySlug: null, commissionOverrideType: null });
    assert.deepEqual(
      [body.groupId, body.parentAffiliateId, body.vanitySlug, body.commissionOverrideType, body.commissionOverrideRate],
      [null, null, null, null, null],
    );
  });

  test('fifty simultaneous approvals change the status once and send one email', async () => {
    const { id, email } = await anAffiliate(service);
    const responses = await Promise.all(Array.from({ length: 50 }, () => patch(id, { status: 'active' })));
    assert.ok(responses.every(({ status, body }) => status === 200 && body.status === 'active'));
    await service.drain();
    assert.equal(service.mails.filter(({ to }) => to === email).length, 1);
    const { rows } = await service.pool.query(`select id from audit_log where subject_id = $1 and action = 'affiliate.updated'`, [id]);
    assert.equal(rows.length, 1);
  });

  test('each change to active sends an email; staying active sends none', async () => {
    const { id, email } = await anAffiliate(service);
    for (const status of ['active', 'active', 'suspended', 'active', 'archived', 'rejected', 'pending']) await patch(id, { status });
    await service.drain();
    const mails = service.mails.filter(({ to }) => to === email);
    assert.equal(mails.length, 2);
    assert.match(mails[0]?.subject ?? '', /approved/);
    assert.notEqual(mails[0]?.messageId, mails[1]?.messageId);
    const { rows } = await service.pool.query<{ after: { status: string } }>(
      `select after from audit_log where subject_id = $1 and action = 'affiliate.updated' order by id`,
      [id],
    );
    assert.deepEqual(
      rows.map((row) => row.after.status),
      ['active', 'suspended', 'active', 'archived', 'rejected', 'pending'],
    );
  });

  test('counts per status stay exact while fifty affiliates change at the same time', async () => {
    const affiliates = await Promise.all(Array.from({ length: 10 }, () => anAffiliate(service)));
    const statuses = ['active', 'suspended', 'archived', 'pending', 'rejected'];
    await Promise.all(affiliates.flatMap(({ id }) => statuses.map((status) => patch(id, { status }))));
    for (const { name, broken } of await checkInvariants(service.ctx)) assert.deepEqual(broken, [], name);
  });

  test('twenty simultaneous requests for one vanity slug: one succeeds, nineteen are 409', async () => {
    const affiliates = await Promise.all(Array.from({ length: 20 }, () => anAffiliate(service)));
    const responses = await Promise.all(affiliates.map(({ id }) => patch(id, { vanitySlug: 'wanted' })));
    assert.deepEqual(responses.map(({ status }) => status).sort(), [200, ...Array(19).fill(409)]);
    assert.equal(responses.find(({ status }) => status === 409)?.body.code, 'slug_taken');
  });

  test('a slug collides with a referral code of the program, not with one of another program', async () => {
    const own = await anAffiliate(service);
    const foreign = await anAffiliate(service, {}, service.foreign);
    const { id } = await anAffiliate(service);
    assert.equal((await patch(id, { vanitySlug: own.referralCode.toLowerCase() })).status, 409);
    assert.equal((await patch(id, { vanitySlug: foreign.referralCode.toLowerCase() })).status, 200);
  });

  test('a released slug belongs to its last owner until another affiliate takes it', async () => {
    const first = await anAffiliate(service);
    const second = await anAffiliate(service);
    await patch(first.id, { vanitySlug: 'summer' });
    await patch(first.id, { vanitySlug: 'winter' });
    const owner = async () =>
      (await service.pool.query(`select affiliate_id from short_links where slug = 'summer'`)).rows[0]?.affiliate_id;
    assert.equal(await owner(), first.id);
    assert.equal((await patch(second.id, { vanitySlug: 'Summer' })).body.vanitySlug, 'summer');
    assert.equal(await owner(), second.id);
    assert.equal((await patch(first.id, { vanitySlug: 'summer' })).status, 409);
  });

  for (const slug of ['ab', '-abc', 'abc-', 'a b', 'admin', 'ünder', 'x'.repeat(65), '']) {
    test(`rejects the vanity slug "${slug.slice(0, 10)}" (${slug.length}): 400`, async () => {
      const { id } = await anAffiliate(service);
      const { status, body } = await patch(id, { vanitySlug: slug });
      assert.equal(status, 400);
      assert.deepEqual(body.details[0].path, ['vanitySlug']);
    });
  }

  test('the affiliate itself or one of its downline as upline is 400; one of another program 404', async () => {
    const [a, b, c] = [await anAffiliate(service), await anAffiliate(service), await anAffiliate(service)];
    assert.equal((await patch(b.id, { parentAffiliateId: a.id })).status, 200);
    assert.equal((await patch(c.id, { parentAffiliateId: b.id })).status, 200);
    for (const parentAffiliateId of [a.id, b.id, c.id]) {
      const { status, body } = await patch(a.id, { parentAffiliateId });
      assert.equal(status, 400);
      assert.deepEqual(body.details[0].path, ['parentAffiliateId']);
    }
    const foreign = await anAffiliate(service, {}, service.foreign);
    assert.equal((await patch(a.id, { parentAffiliateId: foreign.id })).status, 404);
  });

  test('two simultaneous changes never make affiliates each other’s upline', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [a, b] = [await anAffiliate(service), await anAffiliate(service)];
      const responses = await Promise.all([patch(a.id, { parentAffiliateId: b.id }), patch(b.id, { parentAffiliateId: a.id })]);
      assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 400]);
    }
  });
});

describe('the commission override', () => {
  let service: TestService;
  let id: string;
  before(async () => {
    service = await openTestService();
    ({ id } = await anAffiliate(service));
  });
  after(() => service.close());

  const patch = (body: unknown) => service.request('PATCH', `${service.program.path}/affiliates/${id}`, { body });
  const accepted: [given: object, type: string | null, rate: number | null][] = [
    [{ commissionOverrideType: 'percentage', commissionOverrideRate: 12.3456 }, 'percentage', 12.3456],
    [{ commissionOverrideType: 'percentage', commissionOverrideRate: 0 }, 'percentage', 0],
    [{ commissionOverrideType: 'percentage', commissionOverrideRate: 100 }, 'percentage', 100],
    [{ commissionOverrideRate: 55 }, 'percentage', 100],
    [{ commissionOverrideRate: -1 }, 'percentage', 100],
    [{ commissionOverrideRate: null }, 'percentage', 100],
    [{ commissionOverrideType: 'flat', commissionOverrideRate: 99_999_999_999 }, 'flat', 99_999_999_999],
    [{ commissionOverrideType: null, commissionOverrideRate: 7 }, null, null],
  ];
  for (const [given, type, rate] of accepted) {
    test(`${JSON.stringify(given)} results in ${type} ${rate}`, async () => {
      const { status, body } = await patch(given);
      assert.equal(status, 200);
      assert.deepEqual([body.commissionOverrideType, body.commissionOverrideRate], [type, rate]);
    });
  }

  for (const given of [
    { commissionOverrideType: 'percentage' },
    { commissionOverrideType: 'percentage', commissionOverrideRate: null },
    { commissionOverrideType: 'percentage', commissionOverrideRate: 100.0001 },
    { commissionOverrideType: 'percentage', commissionOverrideRate: -0.1 },
    { commissionOverrideType: 'percentage', commissionOverrideRate: 1.23456 },
    { commissionOverrideType: 'percentage', commissionOverrideRate: 1e-7 },
    { commissionOverrideType: 'percentage', commissionOverrideRate: '10' },
    { commissionOverrideType: 'flat', commissionOverrideRate: 12.5 },
    { commissionOverrideType: 'flat', commissionOverrideRate: -1 },
    { commissionOverrideType: 'flat', commissionOverrideRate: 100_000_000_000 },
  ]) {
    test(`rejects ${JSON.stringify(given)}: 400`, async () => {
      const { status, body } = await patch(given);
      assert.equal(status, 400);
      assert.deepEqual(body.details[0].path, ['commissionOverrideRate']);
    });
  }

  test('of several simultaneous changes that are based on one version, one is made', async () => {
    const dana = await service.asMember('owner', { name: 'Dana Calder' });
    const { id } = await anAffiliate(service);
    const path = `${service.program.path}/affiliates/${id}`;
    const { version } = (await service.request('GET', path)).body;
    const change = (lastName: string) => dana.request('PATCH', path, { body: { lastName }, headers: { 'if-match': `"${version}"` } });
    const outcomes = await Promise.all(['A', 'B', 'C', 'D', 'E'].map(change));
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), [200, 412, 412, 412, 412]);
    const { body } = await change('F');
    assert.deepEqual([body.code, body.changedBy.name], ['stale_affiliate', 'Dana Calder']);
    assert.equal((await service.request('PATCH', path, { body: { lastName: 'G' } })).status, 200);
  });
});
