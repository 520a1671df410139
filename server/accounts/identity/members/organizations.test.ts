// Roles in an organization: they apply to each of its programs, such as those of an agency's clients, and to no others.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openTestService, type TestProgram, type TestService } from '../../../../test/support/harness.ts';
import { createProgram } from '../../../accounts/programs/create.ts';
import { transact } from '../../../platform/db/transact.ts';
import type { Role } from '../roles.ts';
import { addMember, addOrganizationMember } from './add-member.ts';

const actor = { kind: 'command', id: 'test' } as const;

describe('a role in an organization', () => {
  let service: TestService;
  let agency: string;
  let clients: [TestProgram, TestProgram];
  before(async () => {
    service = await openTestService();
    agency = await organizationOf(service.program);
    clients = [service.program, await newClient('Second client')];
  });
  after(() => service.close());

  async function organizationOf({ programId }: TestProgram): Promise<string> {
    const { rows } = await service.pool.query('select organization_id from programs where id = $1', [programId]);
    return rows[0].organization_id;
  }

  async function newClient(name: string): Promise<TestProgram> {
    const fresh = { name, mode: 'live' as const, currency: 'EUR', timezone: 'UTC', websiteUrl: null, organizationId: agency };
    const { programId, apiKey: key } = await transact(service.ctx, (tx) => createProgram(tx, fresh, actor));
    return { programId, key, readKey: key, path: `/v1/programs/${programId}` };
  }

  /** A user whose only role is one in the agency, with a session. */
  async function anAgent(role: Role) {
    const agent = await service.asMember('viewer');
    await transact(service.ctx, (tx) => addOrganizationMember(tx, { organizationId: agency, userId: agent.userId, role, actor }));
    await service.pool.query('delete from program_members where user_id = $1', [agent.userId]);
    const call = async (method: string, { path, programId }: TestProgram, what: string, body?: object) =>
      (await agent.request(method, `${path}/${what}`, { body, headers: { 'tributary-program': programId } })).status;
    return { ...agent, call };
  }

  test('permits the same in every program of the organization, and nothing in others', async () => {
    const reviewer = await anAgent('reviewer');
    for (const client of clients) {
      assert.equal(await reviewer.call('GET', client, 'affiliates'), 200);
      const invited = { email: `invited-${client.programId}@example.com`, firstName: 'Ada', lastName: 'L' };
      assert.equal(await reviewer.call('POST', client, 'affiliates', invited), 201);
      assert.equal(await reviewer.call('POST', client, 'groups', { name: 'Gold' }), 403);
    }
    assert.equal(await reviewer.call('GET', service.foreign, 'affiliates'), 404);
    const { body } = await reviewer.request('GET', '/app/me');
    assert.deepEqual(
      body.programs.map(({ id, role }: { id: string; role: string }) => [id, role]).sort(),
      clients.map(({ programId }) => [programId, 'reviewer']).sort(),
    );
  });

  test('includes programs that are created later', async () => {
    const viewer = await anAgent('viewer');
    const later = await newClient('Third client');
    assert.equal(await viewer.call('GET', later, 'affiliates'), 200);
  });

  test('adds up with a role in one program, which gives nothing in the others', async () => {
    const agent = await anAgent('viewer');
    const [first, second] = clients;
    await transact(service.ctx, (tx) => addMember(tx, { programId: first.programId, userId: agent.userId, role: 'admin', actor }));
    assert.equal(await agent.call('POST', first, 'groups', { name: 'Silver' }), 201);
    assert.equal(await agent.call('POST', second, 'groups', { name: 'Silver' }), 403);
    assert.equal(await agent.call('GET', second, 'groups'), 200);
  });

  test('ends in every program with the next request after it was removed', async () => {
    const owner = await anAgent('owner');
    for (const client of clients) assert.equal(await owner.call('GET', client, 'affiliates'), 200);
    await service.pool.query('delete from organization_members where user_id = $1', [owner.userId]);
    for (const client of clients) assert.equal(await owner.call('GET', client, 'affiliates'), 404);
    assert.deepEqual((await owner.request('GET', '/app/me')).body.programs, []);
  });

  const pathOf = (userId: string, { programId } = clients[0]) => `/app/programs/${programId}/members/${userId}`;
  const demote = { body: { role: 'viewer', scope: 'organization' } };

  test('is changed and removed in every program by an owner or admin of the organization, and recorded in each', async () => {
    const owner = await anAgent('owner');
    const agent = await anAgent('viewer');
    const changed = await owner.request('PATCH', pathOf(agent.userId), { body: { role: 'finance', scope: 'organization' } });
    assert.deepEqual([changed.status, changed.body.organizationRole, changed.body.programRole], [200, 'finance', null], changed.text);
    const removed = await owner.request('DELETE', `${pathOf(agent.userId)}?scope=organization`);
    assert.deepEqual([removed.status, removed.body], [200, { userId: agent.userId }]);
    for (const client of clients) {
      assert.equal(await agent.call('GET', client, 'affiliates'), 404);
      const { body } = await owner.request('GET', `${client.path}/audit-events?subjectId=${agent.userId}&actorId=${owner.userId}`, {
        headers: { 'tributary-program': client.programId },
      });
      assert.deepEqual(
        body.auditEvents.map(({ action, before, after }: Record<string, unknown>) => [action, before, after]),
        [
          ['member.removed', { role: 'finance', organizationId: agency }, null],
          ['member.updated', { role: 'viewer', organizationId: agency }, { role: 'finance', organizationId: agency }],
        ],
      );
    }
  });

  test('cannot make or change owners unless the caller is an owner of the organization', async () => {
    const admin = await anAgent('admin');
    const owner = await anAgent('owner');
    for (const answer of [
      await admin.request('PATCH', pathOf(owner.userId), demote),
      await admin.request('DELETE', `${pathOf(owner.userId)}?scope=organization`),
      await admin.request('PATCH', pathOf(admin.userId), { body: { role: 'owner', scope: 'organization' } }),
    ])
      assert.deepEqual(
        [answer.status, answer.body.code, answer.body.permission],
        [403, 'permission_required', 'owners.write'],
        answer.text,
      );
    const viewer = await anAgent('viewer');
    assert.equal((await admin.request('PATCH', pathOf(viewer.userId), { body: { role: 'finance', scope: 'organization' } })).status, 200);
  });

  test('that its giver chose is not confirmed by them, but by another owner', async () => {
    const [giver, other] = [await anAgent('owner'), await anAgent('owner')];
    await service.pool.query(`update organization_members set role_since = role_since - interval '30 days' where role = 'owner'`);
    const agent = await anAgent('viewer');
    const given = await giver.request('PATCH', pathOf(agent.userId), { body: { role: 'finance', scope: 'organization' } });
    assert.equal(given.body.canConfirm, false, given.text);
    const confirm = (by: typeof giver) => by.request('POST', `${pathOf(agent.userId)}/confirm`, { body: {} });
    assert.deepEqual([(await confirm(giver)).body.code, (await confirm(other)).status], ['another_owner_required', 200]);
  });

  test('is not changed for a member who has a role in the program only', async () => {
    const owner = await anAgent('owner');
    const direct = await service.asMember('viewer');
    const answer = await owner.request('PATCH', pathOf(direct.userId), demote);
    assert.deepEqual([answer.status, answer.body.code], [400, 'program_role'], answer.text);
  });

  test('leaves every program an owner, even when two owners leave at the same time from different programs', async () => {
    for (let round = 0; round < 6; round += 1) {
      await service.pool.query(`delete from organization_members where role = 'owner'`);
      await service.pool.query(`delete from program_members where role = 'owner'`);
      const [one, two] = [await anAgent('owner'), await anAgent('owner')];
      const change = (by: typeof one, userId: string, client: TestProgram) =>
        by.request('PATCH', pathOf(userId, client), { ...demote, headers: { 'tributary-program': client.programId } });
      const targets = round % 2 === 0 ? [one, two] : [two, one];
      const answers = await Promise.all([
        change(one, targets[0]?.userId ?? '', clients[0]),
        change(two, targets[1]?.userId ?? '', clients[1]),
      ]);
      for (const { status, text } of answers) assert.ok([200, 400, 403, 404].includes(status), text);
      const { rows } = await service.pool.query(`select count(*)::int as owners from organization_members where role = 'owner'`);
      assert.deepEqual(rows, [{ owners: 1 }], answers.map(({ text }) => text).join());
    }
    const last = (await service.pool.query(`select user_id from organization_members where role = 'owner'`)).rows[0].user_id;
    const admin = await anAgent('owner');
    await service.pool.query(`update users set status = 'disabled' where id = $1`, [last]);
    const answer = await admin.request('PATCH', pathOf(admin.userId), demote);
    assert.deepEqual([answer.status, answer.body.code], [400, 'last_owner'], answer.text);
  });

  test('cannot be changed by an owner of only one of its programs', async () => {
    const agent = await anAgent('admin');
    const [client] = clients;
    const owner = await service.asMember('owner', { program: client });
    const members = pathOf(agent.userId);
    for (const answer of [
      await owner.request('PATCH', members, { body: { role: 'viewer' } }),
      await owner.request('PATCH', members, demote),
      await owner.request('DELETE', members),
      await owner.request('DELETE', `${members}?scope=organization`),
    ])
      assert.deepEqual([answer.status, answer.body.code], [400, 'organization_role'], answer.text);
    const { rows } = await service.pool.query('select role from organization_members where user_id = $1', [agent.userId]);
    assert.deepEqual(rows, [{ role: 'admin' }]);
  });
});
