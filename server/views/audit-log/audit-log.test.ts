import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { aGroup, anAffiliate, anOrder, aRule } from '../../../test/support/builders.ts';
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

  test('names the actor and the subject, including for a single entry', async () => {
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

  test('is searched by the names that it shows, and by actions', async () => {
    const asa = await anAffiliate(service, { firstName: 'Åsa', lastName: 'Ångström' });
    const groupId = await aGroup(service, 'Harbour pilots');
    const changed = await owner.request('PATCH', `${service.program.path}/groups/${groupId}`, { body: { name: 'Harbour captains' } });
    assert.equal(changed.status, 200, changed.text);
    const search = async (text: string) => {
      const { status, body, text: answer } = await owner.request('GET', `${path()}?search=${encodeURIComponent(text)}&limit=200`);
      assert.equal(status, 200, answer);
      return body.auditEntries as { action: string; actorName: string; subjectId: string; subject: { name: string } }[];
    };
    assert.deepEqual(
      (await search('angstrom asa')).map(({ subjectId, action }) => [subjectId, action]),
      [[asa.id, 'affiliate.invited']],
    );
    assert.deepEqual(
      (await search('captains')).map(({ action }) => action),
      ['group.updated', 'group.created'],
    );
    const byDana = await search('dana calder');
    assert.ok(byDana.some(({ action, actorName }) => action === 'group.updated' && actorName === 'Dana Calder'));
    assert.ok(byDana.every(({ actorName, subject }) => [actorName, subject.name].includes('Dana Calder')));
    const byAction = await search('group.updated');
    assert.ok(byAction.length > 0 && byAction.every(({ action }) => action === 'group.updated'));
    assert.deepEqual(await search('100%'), []);
    const foreign = await service.asMember('owner', { program: service.foreign });
    const found = await foreign.request('GET', `/app/programs/${service.foreign.programId}/audit-entries?search=angstrom`);
    assert.deepEqual([found.status, found.body.total], [200, 0]);
  });

  test('is exported as it was searched', async () => {
    // An export ends before the moment at which it starts.
    service.clock.advance({ seconds: 1 });
    const exported = await owner.request('GET', `${service.program.path}/audit-events/export?search=angstrom&format=json`);
    assert.equal(exported.status, 200, exported.text);
    assert.deepEqual(
      exported.body.auditEvents.map(({ action }: { action: string }) => action),
      ['affiliate.invited'],
    );
  });

  test('is for members only', async () => {
    const { status } = await service.request('GET', path());
    assert.ok(status === 401 || status === 403, String(status));
  });

  test('describes a payout batch by its date and amount', async () => {
    const program = await service.newProgram('Batches');
    const send = (method: string, to: string, body: object) => service.request(method, `${program.path}${to}`, { key: program.key, body });
    await aRule(service, { rate: 10 }, program);
    const ada = await anAffiliate(service, { status: 'active' }, program);
    await anOrder(service, { affiliateId: ada.id, amountCents: 100_000 }, program);
    service.clock.advance({ days: 31 });
    const finance = await service.asMember('finance', { program });
    const { batch } = (await send('POST', '/payouts/dispatch', {})).body;
    const read = async () =>
      (await finance.request('GET', `/app/programs/${program.programId}/audit-entries?subjectId=${batch.id}`)).body.auditEntries[0].subject;
    const expected = { kind: 'payout_batch', name: null, affiliateId: null, amountCents: 10_000, currency: 'USD' };
    assert.deepEqual(await read(), { ...expected, dispatchedAt: batch.createdAt });
  });
});
