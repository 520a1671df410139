import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { aGroup, anAffiliate } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';

describe('groups', () => {
  let service: TestService;
  before(async () => {
    service = await openTestService();
  });
  after(() => service.close());

  const send = (method: string, path: string, body?: unknown) =>
    service.request(method, `${service.program.path}/${path}`, body === undefined ? {} : { body });
  const groupOf = async (affiliateId: string) =>
    (await service.pool.query('select group_id from affiliates where id = $1', [affiliateId])).rows[0].group_id;
  const auditOf = async (subjectId: string) =>
    (await service.pool.query('select action, before, after from audit_log where subject_id = $1 order by id', [subjectId])).rows;
  const names = async (query: string) => (await send('GET', `groups?${query}`)).body.groups.map(({ name }: { name: string }) => name);

  test('have their own terms, or those of the program where they are null', async () => {
    const { status, body } = await send('POST', 'groups', { name: 'Own terms', holdDays: 0, minimumPayoutCents: 1 });
    assert.deepEqual(
      [status, body.holdDays, body.minimumPayoutCents, body.affiliateCount, body.status, body.currency],
      [201, 0, 1, 0, 'active', 'USD'],
    );
    assert.deepEqual((await send('GET', `groups/${body.id}`)).body, body);
    const cleared = (await send('PATCH', `groups/${body.id}`, { holdDays: null })).body;
    assert.deepEqual([cleared.holdDays, cleared.minimumPayoutCents, cleared.name], [null, 1, 'Own terms']);
    const plain = (await send('POST', 'groups', { name: 'Plain' })).body;
    assert.deepEqual([plain.holdDays, plain.minimumPayoutCents], [null, null]);
  });

  for (const [field, values] of Object.entries({
    holdDays: [-1, 3651, 1.5, '1'],
    minimumPayoutCents: [-1, 0.5, 100_000_000_000],
    name: ['', null, 'x'.repeat(101)],
  })) {
    test(`an invalid ${field} is 400 with its path, on creation and on update`, async () => {
      const id = await aGroup(service);
      for (const value of values) {
        for (const response of [
          await send('POST', 'groups', { name: 'Bad', [field]: value }),
          await send('PATCH', `groups/${id}`, { [field]: value }),
        ])
          assert.deepEqual([response.status, response.body.details?.[0].path], [400, [field]], JSON.stringify(value));
      }
    });
  }

  test('names are unique ignoring case; renaming frees the old name, archiving does not', async () => {
    const id = await aGroup(service, 'Silver');
    await send('PATCH', `groups/${id}`, { name: 'Bronze' });
    await send('PATCH', `groups/${id}`, { status: 'archived' });
    const statuses = [(await send('POST', 'groups', { name: 'BRONZE' })).status, (await send('POST', 'groups', { name: 'silver' })).status];
    assert.deepEqual(statuses, [409, 201]);
  });

  test('a change is audited with the changed fields; a request without changes is not', async () => {
    const id = await aGroup(service, 'Audited');
    await send('PATCH', `groups/${id}`, { name: 'Audited', description: 'New', holdDays: null });
    assert.equal((await send('PATCH', `groups/${id}`, { description: 'New' })).status, 200);
    assert.deepEqual((await auditOf(id)).slice(1), [
      { action: 'group.updated', before: { description: null }, after: { description: 'New' } },
    ]);
  });

  test('the list searches the name, counts affiliates, filters by status and sorts', async () => {
    const [some, none] = [await aGroup(service, 'Find me 50%'), await aGroup(service, 'find ME 500')];
    for (const status of ['pending', 'suspended']) await anAffiliate(service, { groupId: some, status });
    const { groups } = (await send('GET', 'groups?search=FIND')).body;
    assert.deepEqual(
      groups.map(({ id, affiliateCount }: { id: string; affiliateCount: number }) => [id, affiliateCount]),
      [
        [none, 0],
        [some, 2],
      ],
    );
    assert.deepEqual(await names('search=50%25'), ['Find me 50%']);
    await send('PATCH', `groups/${some}`, { status: 'archived' });
    assert.deepEqual(await names('search=find&status=active'), ['find ME 500']);
    assert.deepEqual(await names('search=find'), ['find ME 500', 'Find me 50%']);
    assert.deepEqual(await names('search=find&status=active&status=archived&sort=name'), ['Find me 50%', 'find ME 500']);
    assert.equal((await send('GET', 'groups?search=find&limit=1')).body.total, 2);
    const later = new Date(service.clock.now().getTime() + 1000).toISOString();
    assert.deepEqual(await names(`search=find&createdFrom=${later}`), []);
    for (const query of ['status=gone', 'status=', 'sort=id', 'archived=true', 'createdFrom=today', `search=${'x'.repeat(201)}`])
      assert.equal((await send('GET', `groups?${query}`)).status, 400, query);
  });

  test('archiving moves the affiliates to another group, or to none, each with an audit row', async () => {
    const [from, to] = [await aGroup(service), await aGroup(service)];
    const members = [await anAffiliate(service, { groupId: from }), await anAffiliate(service, { groupId: from })];
    const bystander = await anAffiliate(service, { groupId: to });
    const { status, body } = await send('PATCH', `groups/${from}`, { status: 'archived', moveToGroupId: to });
    assert.deepEqual([status, body.affiliateCount, body.status], [200, 0, 'archived']);
    assert.equal((await send('GET', `groups/${to}`)).body.affiliateCount, 3);
    for (const { id } of members) {
      assert.equal(await groupOf(id), to);
      assert.deepEqual((await auditOf(id)).at(-1), { action: 'affiliate.updated', before: { groupId: from }, after: { groupId: to } });
    }
    assert.equal((await auditOf(bystander.id)).length, 1);
    assert.deepEqual(
      (await auditOf(from)).map(({ action }) => action),
      ['group.created', 'group.updated'],
    );
    await send('PATCH', `groups/${to}`, { status: 'archived', moveToGroupId: null });
    assert.deepEqual([await groupOf(bystander.id), await groupOf(members[0]?.id ?? '')], [null, null]);
  });

  test('archiving leaves the affiliates in the group by default, and they can still be changed', async () => {
    const group = await aGroup(service);
    const { id } = await anAffiliate(service, { groupId: group });
    assert.equal((await send('PATCH', `groups/${group}`, { status: 'archived' })).body.affiliateCount, 1);
    assert.equal((await send('PATCH', `affiliates/${id}`, { groupId: group, status: 'suspended' })).status, 200);
    assert.equal(await groupOf(id), group);
  });

  test('an archived group accepts no new affiliates, with the same error as an unknown group, until it is restored', async () => {
    const [group, unknownId] = [await aGroup(service), service.ctx.ids.uuid()];
    const { id } = await anAffiliate(service);
    const other = await aGroup(service);
    await send('PATCH', `groups/${group}`, { status: 'archived' });
    const invitation = { email: 'late@example.com', firstName: 'L', lastName: 'L', sendInvite: false };
    const attempts = (groupId: string) =>
      Promise.all([
        send('POST', 'affiliates', { ...invitation, groupId }),
        send('PATCH', `affiliates/${id}`, { groupId }),
        send('PATCH', `groups/${other}`, { status: 'archived', moveToGroupId: groupId }),
      ]);
    const [rejected, unknown] = [await attempts(group), await attempts(unknownId)];
    for (const [index, { status, body }] of rejected.entries()) {
      assert.deepEqual([status, body.error], [404, unknown[index]?.body.error]);
      assert.match(body.error, index === 2 ? /moveToGroupId/ : /groupId/);
    }
    assert.equal((await send('GET', `groups/${other}`)).body.status, 'active');
    assert.equal((await send('PATCH', `groups/${group}`, { status: 'active' })).body.status, 'active');
    assert.deepEqual((await send('POST', 'affiliates', { ...invitation, groupId: group })).status, 201);
  });

  test('archiving and restoring again change nothing and leave no audit row', async () => {
    const group = await aGroup(service);
    const first = (await send('PATCH', `groups/${group}`, { status: 'archived' })).body;
    service.clock.advance({ seconds: 5 });
    assert.deepEqual((await send('PATCH', `groups/${group}`, { status: 'archived' })).body, first);
    await send('PATCH', `groups/${group}`, { status: 'active' });
    assert.equal((await send('PATCH', `groups/${group}`, { status: 'active' })).status, 200);
    assert.deepEqual(
      (await auditOf(group)).map(({ action }) => action),
      ['group.created', 'group.updated', 'group.updated'],
    );
  });

  test('rejects moving affiliates to the group itself, to an invalid id, or to a group of another program', async () => {
    const group = await aGroup(service);
    const foreign = await aGroup(service, 'Theirs', service.foreign);
    for (const [moveToGroupId, expected] of [
      [group, 400],
      ['x', 400],
      [5, 400],
      [foreign, 404],
    ] as const) {
      const { status, body } = await send('PATCH', `groups/${group}`, { status: 'archived', moveToGroupId });
      assert.equal(status, expected);
      assert.match(JSON.stringify(body), /moveToGroupId/);
    }
    assert.equal((await send('GET', `groups/${group}`)).body.status, 'active');
  });

  test('affiliates that join while the group is archived are either moved or rejected', async () => {
    const [from, to] = [await aGroup(service), await aGroup(service)];
    const movers = await Promise.all(Array.from({ length: 6 }, () => anAffiliate(service)));
    const invite = (index: number) =>
      send('POST', 'affiliates', { email: `race${index}@example.com`, firstName: 'R', lastName: 'R', groupId: from, sendInvite: false });
    const [archival, ...others] = await Promise.all([
      send('PATCH', `groups/${from}`, { status: 'archived', moveToGroupId: to }),
      ...Array.from({ length: 6 }, (_, index) => invite(index)),
      ...movers.map(({ id }) => send('PATCH', `affiliates/${id}`, { groupId: from })),
    ]);
    assert.equal(archival.status, 200);
    for (const { status } of others) assert.ok([200, 201, 404].includes(status), `${status}`);
    const joined = others.filter(({ status }) => status < 300).length;
    assert.equal((await send('GET', `groups/${from}`)).body.affiliateCount, 0);
    assert.equal((await send('GET', `groups/${to}`)).body.affiliateCount, joined);
  });
});
