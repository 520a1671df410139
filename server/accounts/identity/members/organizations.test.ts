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

  test('can not be changed by an owner of only one of its programs', async () => {
    const agent = await anAgent('admin');
    const [client] = clients;
    const owner = await service.asMember('owner', { program: client });
    const members = `/app/programs/${client.programId}/members/${agent.userId}`;
    for (const answer of [await owner.request('PATCH', members, { body: { role: 'viewer' } }), await owner.request('DELETE', members)])
      assert.ok([400, 403, 404].includes(answer.status), answer.text);
    const { rows } = await service.pool.query('select role from organization_members where user_id = $1', [agent.userId]);
    assert.deepEqual(rows, [{ role: 'admin' }]);
  });
});
