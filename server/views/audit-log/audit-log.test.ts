import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { aGroup, anAffiliate, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestService } from '../../../test/support/harness.ts';
import { subjectKinds } from '../../platform/audit/actions.ts';
import { findNames } from './find-names.ts';

describe('the audit log with names', () => {
  let service: TestService;
  let owner: TestMember;
  before(async () => {
    service = await openTestService();
    owner = await service.asMember('owner', { name: 'Dana Calder' });
  });
  after(() => service.close());

  const path = () => `/app/programs/${service.program.programId}/audit-entries`;
  const subjectOf = async (action: string) => (await owner.request('GET', `${path()}?action=${action}`)).body.auditEntries[0]?.subject;

  test('names the actor and the subject, also of one entry', async () => {
    const ada = await anAffiliate(service, { firstName: 'Ada', lastName: 'Marino' });
    await owner.request('PATCH', `${service.program.path}/affiliates/${ada.id}`, { body: { tags: ['vip'] } });
    const { auditEntries, total } = (await owner.request('GET', `${path()}?subjectId=${ada.id}&action=affiliate.updated&actorKind=user`))
      .body;
    assert.equal(total, 1);
    const [{ actorName, subject, id }] = auditEntries;
    assert.deepEqual([actorName, subject.kind, subject.name], ['Dana Calder', 'affiliate', 'Ada Marino']);
    assert.deepEqual((await owner.request('GET', `${path()}/${id}`)).body, auditEntries[0]);
  });

  test('names rules, groups and API keys', async () => {
    await aRule(service, { name: 'Everyone earns 10%', rate: 10 });
    await aGroup(service, 'Partners');
    assert.equal((await subjectOf('rule.created')).name, 'Everyone earns 10%');
    assert.equal((await subjectOf('group.created')).name, 'Partners');
    const { body } = await owner.request('GET', `${path()}?action=group.created`);
    assert.equal(typeof body.auditEntries[0].actorName, 'string');
  });

  test('finds every kind of subject with one query, and nothing of another program', async () => {
    const ada = await anAffiliate(service);
    for (const kind of subjectKinds) {
      const found = await findNames(service.ctx, service.program.programId, kind, new Set([ada.id, service.program.programId]));
      assert.equal(found.size, kind === 'affiliate' || kind === 'program' ? 1 : 0, kind);
      const foreign = await findNames(service.ctx, service.foreign.programId, kind, new Set([ada.id]));
      assert.equal(foreign.has(ada.id), false, kind);
    }
  });

  test('is for members only', async () => {
    const { status } = await service.request('GET', path());
    assert.ok(status === 401 || status === 403, String(status));
  });
});
