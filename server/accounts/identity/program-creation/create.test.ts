// Who can create programs: owners and admins of an organization, and owners of a program whose organization has no members.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openTestService, type TestMember, type TestService } from '../../../../test/support/harness.ts';
import { transact } from '../../../platform/db/transact.ts';
import { addOrganizationMember } from '../members/add-member.ts';

describe('creating a program', () => {
  let service: TestService;
  let organizationId: string;
  before(async () => {
    service = await openTestService();
    const { rows } = await service.pool.query('select organization_id from programs where id = $1', [service.program.programId]);
    organizationId = rows[0].organization_id;
  });
  after(() => service.close());

  const create = (member: TestMember, body: object) => member.request('POST', '/app/programs', { body });
  const programsOf = async (member: TestMember) => (await member.request('GET', '/app/me')).body.programs as { id: string; role: string }[];
  const roleIn = async (member: TestMember, id: string) => (await programsOf(member)).find((program) => program.id === id)?.role;
  const places = async (member: TestMember) => (await member.request('GET', '/app/me')).body.programOrganizations as { id: string }[];
  const inOrganization = async (role: 'owner' | 'admin' | 'finance') => {
    const member = await service.asMember('viewer');
    const actor = { kind: 'command' as const, id: 'test' };
    await transact(service.ctx, (tx) => addOrganizationMember(tx, { organizationId, userId: member.userId, role, actor }));
    return member;
  };
  const body = { name: 'Quiet Shores', currency: 'jpy', timezone: 'Asia/Tokyo', websiteUrl: 'https://shores.example/' };

  test('makes the owner of a program whose organization has no members the owner of the new one', async () => {
    const owner = await service.asMember('owner');
    assert.deepEqual(
      (await places(owner)).map(({ id }) => id),
      [organizationId],
    );
    const created = await create(owner, body);
    assert.deepEqual([created.status, created.body.currency, created.body.mode], [201, 'JPY', 'test']);
    assert.equal(await roleIn(owner, created.body.id), 'owner');
    const { rows } = await service.pool.query('select action from audit_log where program_id = $1 order by id', [created.body.id]);
    assert.deepEqual(
      rows.map(({ action }) => action),
      ['program.created', 'member.added'],
    );
    const keys = await service.pool.query('select from api_keys where program_id = $1', [created.body.id]);
    assert.equal(keys.rows.length, 0);
  });

  test('is not possible for other members, nor in another organization', async () => {
    for (const role of ['admin', 'finance', 'developer', 'reviewer', 'viewer'] as const) {
      const { status, body: answer } = await create(await service.asMember(role), body);
      assert.deepEqual([status, answer.details?.[0]?.path], [400, ['organizationId']], role);
    }
    const outsider = await service.asMember('owner', { program: service.foreign });
    assert.equal((await create(outsider, { ...body, organizationId })).status, 400);
  });

  test('gives owners and admins of the organization the same role in it; owners of programs can then create no more', async () => {
    const direct = await service.asMember('owner');
    for (const role of ['owner', 'admin'] as const) {
      const member = await inOrganization(role);
      const created = await create(member, { ...body, name: `By ${role}`, organizationId, mode: 'live' });
      assert.deepEqual([created.status, created.body.mode, await roleIn(member, created.body.id)], [201, 'live', role]);
      assert.equal(await roleIn(direct, created.body.id), undefined);
    }
    assert.equal((await create(await inOrganization('finance'), body)).status, 400);
    assert.deepEqual([(await create(direct, body)).status, await places(direct)], [400, []]);
  });

  test('names what is wrong with each field', async () => {
    const member = await inOrganization('owner');
    const { status, body: answer } = await create(member, { name: ' ', currency: 'ABC', timezone: 'Mars', websiteUrl: 'shop' });
    assert.equal(status, 400);
    assert.deepEqual(answer.details.map(({ path }: { path: string[] }) => path[0]).sort(), ['currency', 'name', 'timezone', 'websiteUrl']);
  });

  test('uses another part of URLs when the name is taken', async () => {
    const member = await inOrganization('owner');
    const made = await Promise.all([create(member, { ...body, name: 'Twice' }), create(member, { ...body, name: 'Twice' })]);
    const ids = made.map(({ body: created }) => created.id);
    const { rows } = await service.pool.query('select distinct slug from programs where id = any($1)', [ids]);
    assert.equal(rows.length, 2);
  });
});
