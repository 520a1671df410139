// The first steps of a program are complete when what they ask for exists, and a test program goes live only then.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { aClick, anAffiliate, anOrder, aProduct, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestProgram, type TestService } from '../../../test/support/harness.ts';

type Step = { id: string; isDone: boolean; missing: string[] };

describe('the first steps of a program', () => {
  let service: TestService;
  let program: TestProgram;
  let owner: TestMember;
  before(async () => {
    service = await openTestService();
    program = await service.newProgram('Quiet Shores');
    await service.pool.query(`update programs set mode = 'test', website_url = null where id = $1`, [program.programId]);
    owner = await service.asMember('owner', { program });
  });
  after(() => service.close());

  const path = (rest: string) => `/app/programs/${program.programId}${rest}`;
  const read = async () => {
    const { status, body } = await owner.request('GET', path('/checklist'));
    assert.equal(status, 200, JSON.stringify(body));
    return body as { steps: Step[]; done: number; total: number; isComplete: boolean; unpaidCents: number };
  };
  const missing = async (id: string) => (await read()).steps.find((step) => step.id === id)?.missing;
  const change = async (body: object) => assert.equal((await owner.request('PATCH', program.path, { body })).status, 200);
  const goLive = (unpaidCents: number) => owner.request('POST', path('/go-live'), { body: { unpaidCents } });

  test('follow what exists in the program, in the order in which it is created', async () => {
    assert.deepEqual((await read()).done, 0);
    assert.deepEqual(await missing('brand'), ['website', 'logo_or_color']);
    await change({ websiteUrl: 'https://shores.example/' });
    assert.deepEqual(await missing('brand'), ['logo_or_color']);
    assert.equal((await owner.request('PATCH', path('/brand'), { body: { color: '#0B5F59' } })).status, 200);
    assert.deepEqual(await missing('brand'), []);
    assert.deepEqual(await missing('live'), ['commission_rule']);
    await aRule(service, { rate: 10 }, program);
    assert.deepEqual([await missing('commission_rule'), await missing('live')], [[], ['confirmation']]);
    await aProduct(service, {}, program);
    assert.deepEqual(await missing('products'), []);
    assert.deepEqual([await missing('affiliate'), await missing('click')], [['affiliate'], ['affiliate', 'click']]);
    const { id: affiliateId } = await anAffiliate(service, { status: 'pending' }, program);
    assert.deepEqual(await missing('affiliate'), ['active_affiliate']);
    const { body } = await owner.request('PATCH', `${program.path}/affiliates/${affiliateId}`, { body: { status: 'active' } });
    assert.equal(body.status, 'active');
    assert.deepEqual([await missing('affiliate'), await missing('click')], [[], ['click']]);
    await aClick(service, affiliateId, program);
    assert.deepEqual([await missing('click'), await missing('order')], [[], ['order']]);
    const unattributed = { body: { orderId: 'U-1', amountCents: 1000 }, key: program.key };
    assert.equal((await service.request('POST', '/v1/conversions', unattributed)).status, 422);
    assert.deepEqual(await missing('order'), ['credited_order']);
    await anOrder(service, { affiliateId, amountCents: 5000 }, program);
    assert.deepEqual([await missing('order'), (await read()).unpaidCents], [[], 500]);
  });

  test('a test program goes live with the unpaid commissions that the member saw, and stays live', async () => {
    const outdated = await goLive(0);
    assert.deepEqual([outdated.status, outdated.body.details[0].path], [400, ['unpaidCents']]);
    await change({ websiteUrl: null });
    const early = await goLive(500);
    assert.deepEqual([early.status, early.body.code, early.body.missing], [400, 'not_ready', ['website']]);
    await change({ websiteUrl: 'https://shores.example/' });
    const racing = await Promise.all([goLive(500), goLive(500)]);
    assert.deepEqual(
      racing.map(({ status, body }) => [status, body.mode]),
      [
        [200, 'live'],
        [200, 'live'],
      ],
    );
    const { rows } = await service.pool.query(`select count(*)::int as count from audit_log where action = 'program.went_live'`);
    assert.equal(rows[0].count, 1);
    assert.deepEqual(await missing('live'), []);
    const viewer = await service.asMember('viewer', { program });
    assert.equal((await viewer.request('POST', path('/go-live'), { body: { unpaidCents: 500 } })).status, 403);
  });
});
