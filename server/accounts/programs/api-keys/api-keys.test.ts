import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openTestService, type TestMember, type TestService } from '../../../../test/support/harness.ts';
import { transact } from '../../../platform/db/transact.ts';
import { rotateKey } from './rotate.ts';

describe('API keys', () => {
  let service: TestService;
  let owner: TestMember;
  let path: string;
  before(async () => {
    service = await openTestService();
    owner = await service.asMember('owner', { name: 'Dana Calder' });
    path = `/app/programs/${service.program.programId}/api-keys`;
  });
  after(() => service.close());

  const create = async (given: object = {}, member = owner) =>
    member.request('POST', path, { body: Object.assign({ name: 'Web store', scopes: ['read', 'write'] }, given) });
  const me = (key: string) => service.request('GET', '/v1/me', { key });
  const act = (id: string, action: string, body: object = {}) => owner.request('POST', `${path}/${id}/${action}`, { body });
  const notices = async () => {
    await service.relay();
    const { rows } = await service.pool.query(
      `select data from pgboss.job where name = 'programs.send_key_notice' order by created_on, id`,
    );
    return rows.map(({ data }) => [data.event, data.name]);
  };
  const actions = async (id: string) => {
    const { rows } = await service.pool.query('select action, actor_id from audit_log where subject_id = $1 order by created_at, id', [id]);
    return rows.map(({ action }) => action).filter((action) => action !== 'api_key.used_from_new_network');
  };

  test('a key is returned once, works, and belongs to the member who created it', async () => {
    const { status, body } = await create({ rateLimitPerMinute: 60 });
    assert.equal(status, 201);
    const { key, ...shown } = body;
    assert.match(key, /^trb_live_/);
    assert.deepEqual((await me(key)).body.apiKey.id, shown.id);
    const read = (await owner.request('GET', `${path}/${shown.id}`)).body;
    assert.deepEqual(Object.assign({}, read, { lastUsedAt: null }), shown);
    assert.deepEqual([shown.createdBy, shown.rateLimitPerMinute, shown.status], [{ id: owner.userId, name: 'Dana Calder' }, 60, 'active']);
    const list = await owner.request('GET', path);
    assert.ok(!list.text.includes(key));
    assert.ok(list.body.apiKeys.some(({ id }: { id: string }) => id === shown.id));
    assert.deepEqual(await actions(shown.id), ['api_key.issued']);
    assert.deepEqual((await notices()).at(-1), ['created', 'Web store']);
  });

  test("a key can't create, list, change, rotate or revoke keys: it creates no stronger key, and none that outlives it", async () => {
    const { id } = (await create()).body;
    const rows = async () => (await service.pool.query('select id, name, expires_at, revoked_at from api_keys order by id')).rows;
    const before = await rows();
    for (const [method, address, body] of [
      ['POST', path, { name: 'Stronger', scopes: ['read', 'write'] }],
      ['GET', path, undefined],
      ['PATCH', `${path}/${id}`, { rateLimitPerMinute: null }],
      ['POST', `${path}/${id}/rotate`, {}],
      ['POST', `${path}/${id}/revoke`, undefined],
    ] as const)
      assert.equal((await service.request(method, address, body ? { body } : {})).status, 403, `${method} ${address}`);
    assert.deepEqual(await rows(), before);
  });

  test('changes need a recent sign-in', async () => {
    const { id } = (await create()).body;
    const member = await service.asMember('developer');
    service.clock.advance({ minutes: 11 });
    for (const answer of [
      await create({}, member),
      await member.request('PATCH', `${path}/${id}`, { body: { name: 'Other' } }),
      await member.request('POST', `${path}/${id}/rotate`, { body: {} }),
      await member.request('POST', `${path}/${id}/revoke`),
    ])
      assert.deepEqual([answer.status, answer.body.code], [403, 'fresh_sign_in_required']);
    owner = await service.asMember('owner', { name: 'Dana Calder' });
  });

  test('an expiry in the past, an unknown scope, no scope and a limit above that of the installation are rejected', async () => {
    const faults = async (given: object) => (await create(given)).body.details?.map(({ path: [field] }: { path: string[] }) => field);
    assert.deepEqual(await faults({ expiresAt: '2020-01-01T00:00:00Z' }), ['expiresAt']);
    assert.deepEqual(await faults({ scopes: [] }), ['scopes']);
    assert.deepEqual(await faults({ scopes: ['admin'] }), ['scopes']);
    assert.deepEqual(await faults({ rateLimitPerMinute: 0 }), ['rateLimitPerMinute']);
  });

  test('a rotation returns a key with the same rights; both work until the overlap ends', async () => {
    const { id, key } = (await create({ name: 'Rotated', scopes: ['read'], rateLimitPerMinute: 30 })).body;
    const rotated = await act(id, 'rotate', { overlapHours: 1 });
    assert.equal(rotated.status, 200, rotated.text);
    assert.deepEqual([rotated.body.name, rotated.body.scopes, rotated.body.rateLimitPerMinute], ['Rotated', ['read'], 30]);
    assert.deepEqual([(await me(key)).status, (await me(rotated.body.key)).status], [200, 200]);
    const former = (await owner.request('GET', `${path}/${id}`)).body;
    assert.deepEqual([former.status, former.replacedById], ['active', rotated.body.id]);
    assert.deepEqual(await actions(id), ['api_key.issued', 'api_key.rotated']);
    assert.deepEqual((await notices()).at(-1), ['rotated', 'Rotated']);
    assert.deepEqual([(await act(id, 'rotate')).body.code, (await act(id, 'rotate')).status], ['api_key_not_active', 400]);
    service.clock.advance({ minutes: 61 });
    owner = await service.asMember('owner', { name: 'Dana Calder' });
    assert.deepEqual([(await me(key)).status, (await me(rotated.body.key)).status], [401, 200]);
    assert.equal((await owner.request('GET', `${path}/${id}`)).body.status, 'expired');
  });

  test('a rotation never lengthens the life of the previous key, and keeps its expiry for the new one', async () => {
    const end = new Date(service.clock.now().getTime() + 3_600_000).toISOString();
    const { id } = (await create({ expiresAt: end })).body;
    const { body } = await act(id, 'rotate', { overlapHours: 168 });
    assert.equal(body.expiresAt, end);
    assert.equal((await owner.request('GET', `${path}/${id}`)).body.expiresAt, end);
  });

  test('of simultaneous rotations of a key, one replaces it', async () => {
    const { id } = (await create({ name: 'Raced' })).body;
    const answers = await Promise.all(Array.from({ length: 6 }, () => act(id, 'rotate')));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400, 400, 400, 400]);
    const { rows } = await service.pool.query(`select id from api_keys where name = 'Raced'`);
    assert.equal(rows.length, 2);
  });

  test('a key that the command line rotates stays with its member, who can’t approve what it requests', async () => {
    const { id } = (await create()).body;
    const { programId } = service.program;
    const actor = { kind: 'command' as const, id: 'test' };
    const { keyId } = await transact(service.ctx, (tx) => rotateKey(tx, { programId, id, actor, overlapHours: 0 }));
    assert.equal((await owner.request('GET', `${path}/${keyId}`)).body.createdBy.id, owner.userId);
  });

  test('a revoked key is rejected at once; revoking it again records nothing', async () => {
    const { id, key } = (await create({ name: 'Leaked' })).body;
    const revoked = await act(id, 'revoke');
    assert.deepEqual([revoked.status, revoked.body.status], [200, 'revoked']);
    assert.equal((await act(id, 'revoke')).status, 200);
    assert.deepEqual(await actions(id), ['api_key.issued', 'api_key.revoked']);
    assert.equal((await owner.request('PATCH', `${path}/${id}`, { body: { name: 'Back' } })).body.code, 'api_key_not_active');
    assert.equal((await me(key)).status, 401);
    assert.deepEqual((await notices()).filter(([event, name]) => event === 'revoked' && name === 'Leaked').length, 1);
  });

  test('a name and a limit can be changed; a key of another program is not found', async () => {
    const { id } = (await create()).body;
    const changed = await owner.request('PATCH', `${path}/${id}`, { body: { name: 'Warehouse', rateLimitPerMinute: 10 } });
    assert.deepEqual([changed.status, changed.body.name, changed.body.rateLimitPerMinute], [200, 'Warehouse', 10]);
    assert.deepEqual(await actions(id), ['api_key.issued', 'api_key.updated']);
    const other = await service.newProgram('Other brand');
    const stranger = await service.asMember('owner', { program: other });
    const address = `/app/programs/${other.programId}/api-keys/${id}`;
    for (const answer of [await stranger.request('GET', address), await stranger.request('POST', `${address}/revoke`)])
      assert.equal(answer.status, 404);
    const { rows } = await service.pool.query('select revoked_at from api_keys where id = $1', [id]);
    assert.equal(rows[0].revoked_at, null);
  });
});
