// An upline earns by a commission rule of level 2. Without one that applies to them, the API says so.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { aGroup, anAffiliate, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestProgram, type TestService } from '../../../test/support/harness.ts';

let service: TestService;
let program: TestProgram;
let una: string;
before(async () => {
  service = await openTestService();
});
after(() => service.close());
beforeEach(async () => {
  program = await service.newProgram(`Uplines ${Math.random()}`);
  una = (await anAffiliate(service, { status: 'active' }, program)).id;
});

const call = (method: string, path: string, body?: object) =>
  service.request(method, `${program.path}${path}`, body ? { key: program.key, body } : { key: program.key });
const warning = {
  code: 'upline_earns_nothing',
  path: ['parentAffiliateId'],
  message: 'earns nothing: no commission rule of level 2 applies to this upline',
};
const warningsOf = async (id: string) => (await call('GET', `/affiliates/${id}`)).body.warnings;

describe('an upline without a commission rule of level 2', () => {
  test('is named in the details of the affiliate and in a header, and the fields of the contract stay', async () => {
    const body = { email: 'down@example.com', firstName: 'Down', lastName: 'Line', sendInvite: false, parentAffiliateId: una };
    const invited = await call('POST', '/affiliates', body);
    assert.equal(invited.headers['tributary-warning'], 'upline_earns_nothing');
    assert.deepEqual(Object.keys(invited.body).sort(), ['email', 'id', 'referralCode', 'status']);
    const { id } = invited.body;
    assert.deepEqual(await warningsOf(id), [warning]);
    const cleared = await call('PATCH', `/affiliates/${id}`, { parentAffiliateId: null });
    assert.equal(cleared.headers['tributary-warning'], undefined);
    assert.deepEqual(await warningsOf(id), []);
    const set = await call('PATCH', `/affiliates/${id}`, { parentAffiliateId: una });
    assert.deepEqual([set.status, set.headers['tributary-warning']], [200, 'upline_earns_nothing']);
    assert.deepEqual(Object.keys(set.body).sort(), [
      'commissionOverrideRate',
      'commissionOverrideType',
      'groupId',
      'id',
      'parentAffiliateId',
      'status',
      'vanitySlug',
    ]);
    const expanded = await call('PATCH', `/affiliates/${id}?expand=details`, { firstName: 'Dawn' });
    assert.deepEqual(expanded.body.warnings, [warning]);
    const { body: list } = await call('GET', '/affiliates?expand=details');
    assert.deepEqual(list.affiliates.map((one: { id: string; warnings: object[] }) => [one.id === id, one.warnings.length]).sort(), [
      [false, 0],
      [true, 1],
    ]);
  });

  for (const [name, given, warns] of [
    ['for orders', {}, false],
    ['that is scheduled', { effectiveFrom: '2027-01-01T00:00:00Z' }, false],
    ['that has ended', { effectiveTo: '2026-02-01T00:00:00Z' }, true],
    ['for the group of another affiliate', { groupId: 'other' }, true],
    ['for their group', { groupId: 'own' }, false],
    ['for another affiliate', { affiliateId: 'other' }, true],
  ] as const)
    test(`a rule of level 2 ${name} ${warns ? 'does not end' : 'ends'} the warning`, async () => {
      const other = (await anAffiliate(service, { status: 'active' }, program)).id;
      const down = (await anAffiliate(service, { parentAffiliateId: una }, program)).id;
      const groups = { own: await aGroup(service, 'Own', program), other: await aGroup(service, 'Other', program) };
      await call('PATCH', `/affiliates/${una}`, { groupId: groups.own });
      const scope = {
        groupId: 'groupId' in given ? groups[given.groupId] : null,
        affiliateId: 'affiliateId' in given ? other : null,
      };
      const rule = await aRule(service, { level: 2, rate: 2, ...given, ...scope }, program);
      assert.deepEqual(await warningsOf(down), warns ? [warning] : []);
      await call('PATCH', `/commission-rules/${rule}`, { status: 'archived' });
      assert.deepEqual(await warningsOf(down), [warning]);
    });
});
