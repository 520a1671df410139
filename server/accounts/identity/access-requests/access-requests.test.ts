// Requests for access: a member asks once, the owners are notified, and a member who manages members decides once.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openTestService, type TestMember, type TestService } from '../../../../test/support/harness.ts';

describe('a request for access', () => {
  let service: TestService;
  let owner: TestMember;
  let base: string;

  before(async () => {
    service = await openTestService();
    owner = await service.asMember('owner', { name: 'Dana Calder' });
    base = `/app/programs/${service.program.programId}`;
  });
  after(() => service.close());

  const ask = (member: TestMember, permission: string) => member.request('POST', `${base}/access-requests`, { body: { permission } });
  const list = async (member: TestMember) => (await member.request('GET', `${base}/access-requests`)).body;
  const decide = (id: string, decision: string, member = owner) =>
    member.request('POST', `${base}/access-requests/${id}/decide`, { body: { decision } });
  const roleOf = async ({ userId }: TestMember) => {
    const { members } = (await owner.request('GET', `${base}/members`)).body;
    return members.find((each: { userId: string }) => each.userId === userId).role;
  };
  const attention = async (member: TestMember) => {
    const { body } = await member.request('GET', `${base}/overview`);
    return body.attention.find(({ kind }: { kind: string }) => kind === 'access_requests');
  };
  const emails = async () => {
    await service.drain();
    return service.mails.splice(0).map(({ to, subject }) => [to, subject]);
  };

  test('names the weakest role that includes what the member may do already', async () => {
    for (const [held, permission, expected] of [
      ['viewer', 'payouts.prepare', 'finance'],
      ['reviewer', 'payouts.prepare', 'admin'],
      ['viewer', 'program.delete', 'owner'],
    ] as const) {
      const { status, body } = await ask(await service.asMember(held), permission);
      assert.deepEqual([status, body.role, body.status], [201, expected, 'open']);
      assert.equal((await decide(body.id, 'declined')).status, 200);
    }
    const own = await ask(owner, 'payouts.prepare');
    assert.deepEqual([own.status, own.body.code], [400, 'access_granted']);
    await emails();
  });

  test('is made once, appears for those who decide, and is granted once', async () => {
    const tom = await service.asMember('viewer', { name: 'Tom Ruiz' });
    const answers = await Promise.all([ask(tom, 'payouts.prepare'), ask(tom, 'payouts.prepare'), ask(tom, 'settings.write')]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422, 422]);
    const { id } = answers.find(({ status }) => status === 201)?.body ?? {};
    const role = (await list(tom)).accessRequests[0].role;
    assert.deepEqual(await emails(), [[owner.email, 'Tom Ruiz requests access to Fern & Field']]);
    assert.deepEqual([(await attention(owner)).count, (await attention(owner)).names], [1, ['Tom Ruiz']]);
    assert.equal(await attention(tom), undefined);
    const viewer = await service.asMember('viewer');
    assert.deepEqual([(await list(owner)).total, (await list(tom)).total, (await list(viewer)).total], [1, 1, 0]);
    assert.equal((await decide(id, 'granted', tom)).status, 403);
    const decisions = await Promise.all([decide(id, 'granted'), decide(id, 'declined')]);
    assert.deepEqual(decisions.map(({ status }) => status).sort(), [200, 400]);
    const isGranted = decisions[0]?.status === 200;
    assert.equal(await roleOf(tom), isGranted ? role : 'viewer');
    assert.equal((await emails()).length, 1);
    assert.equal(await attention(owner), undefined);
  });

  test('that is granted gives the role, and records who gave it: that owner can’t confirm the member', async () => {
    const mei = await service.asMember('viewer', { name: 'Mei Tanaka' });
    const { body } = await ask(mei, 'payouts.prepare');
    await emails();
    assert.equal((await decide(body.id, 'granted')).body.status, 'granted');
    assert.equal(await roleOf(mei), 'finance');
    assert.deepEqual(await emails(), [[mei.email, 'You have access: Finance in Fern & Field']]);
    const { rows } = await service.pool.query('select role_given_by from program_members where user_id = $1', [mei.userId]);
    assert.deepEqual(rows, [{ role_given_by: owner.userId }]);
    assert.deepEqual([(await decide(body.id, 'granted')).status, (await decide(body.id, 'declined')).status], [422, 400]);
    const audit = await service.request('GET', `${service.program.path}/audit-events?subjectId=${mei.userId}`);
    const actions = audit.body.auditEvents.map(({ action }: { action: string }) => action);
    assert.deepEqual(actions.filter((action: string) => action.startsWith('access.')).sort(), ['access.granted', 'access.requested']);
  });

  test('can be made by any number of members, including after the statement is prepared', async () => {
    for (let count = 0; count < 12; count += 1) {
      const { status, body } = await ask(await service.asMember('viewer'), 'payouts.prepare');
      assert.equal(status, 201, `${count}: ${JSON.stringify(body)}`);
      await decide(body.id, 'declined');
    }
    await emails();
  });

  test('that is declined changes nothing, and can be repeated a day later', async () => {
    const leo = await service.asMember('viewer', { name: 'Leo Brandt' });
    const { body } = await ask(leo, 'settings.write');
    await decide(body.id, 'declined');
    assert.equal(await roleOf(leo), 'viewer');
    const early = await ask(leo, 'settings.write');
    assert.deepEqual([early.status, early.body.code], [400, 'access_declined']);
    await service.pool.query(`update access_requests set decided_at = decided_at - interval '25 hours' where id = $1`, [body.id]);
    assert.equal((await ask(leo, 'settings.write')).status, 201);
  });

  test('for the role of an owner is granted by owners only', async () => {
    const ivy = await service.asMember('developer', { name: 'Ivy Chen' });
    const { body } = await ask(ivy, 'program.delete');
    const admin = await service.asMember('admin');
    assert.equal((await decide(body.id, 'granted', admin)).status, 403);
    assert.equal((await decide(body.id, 'granted')).status, 200);
    assert.equal(await roleOf(ivy), 'owner');
  });
});
