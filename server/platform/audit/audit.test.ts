import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { aGroup, anAffiliate } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';

describe('the audit log', () => {
  let service: TestService;
  before(async () => {
    service = await openTestService();
  });
  after(() => service.close());

  const list = async (query = '', program = service.program) =>
    (await service.request('GET', `${program.path}/audit-events?${query}`, { key: program.key })).body;

  test('records the API key, the object and the fields before and after', async () => {
    const id = await aGroup(service, 'Before');
    await service.request('PATCH', `${service.program.path}/groups/${id}`, { body: { name: 'After' } });
    const { auditEvents, total } = await list(`subjectId=${id}`);
    const { apiKey } = (await service.request('GET', '/v1/me')).body;
    assert.equal(total, 2);
    assert.deepEqual(
      auditEvents.map(({ action, actor, before, after }: Record<string, unknown>) => ({
        action,
        actor,
        before,
        after: action === 'group.updated' && after,
      })),
      [
        { action: 'group.updated', actor: { kind: 'api_key', id: apiKey.id }, before: { name: 'Before' }, after: { name: 'After' } },
        { action: 'group.created', actor: { kind: 'api_key', id: apiKey.id }, before: null, after: false },
      ],
    );
    const one = await service.request('GET', `${service.program.path}/audit-events/${auditEvents[0].id}`);
    assert.deepEqual([one.status, one.body], [200, auditEvents[0]]);
  });

  test('can be filtered by actor, action and time', async () => {
    await anAffiliate(service);
    const commands = (await list('actorKind=command&actorKind=user')).auditEvents;
    assert.ok(commands.length > 0 && commands.every(({ actor }: { actor: { kind: string } }) => actor.kind === 'command'));
    const invited = await list('action=affiliate.invited');
    assert.ok(invited.total > 0);
    assert.equal((await list('createdTo=2001-01-01T00:00:00Z')).total, 0);
    assert.equal((await service.request('GET', `${service.program.path}/audit-events?actorKind=robot`)).status, 400);
  });

  test('pages with a cursor return every event once, newest first', async () => {
    for (let index = 0; index < 7; index += 1) await aGroup(service);
    const { auditEvents: all } = await list('limit=200');
    const seen: { id: string; createdAt: string }[] = [];
    let cursor = '';
    do {
      const page = await list(`limit=3${cursor && `&cursor=${cursor}`}`);
      seen.push(...page.auditEvents);
      cursor = page.nextCursor ?? '';
    } while (cursor && seen.length <= all.length);
    assert.deepEqual(seen, all);
    assert.deepEqual(
      seen.map(({ createdAt }) => createdAt),
      seen
        .map(({ createdAt }) => createdAt)
        .sort()
        .reverse(),
    );
  });

  test("is not visible to another program's key", async () => {
    const [own] = (await list()).auditEvents;
    const foreign = await list('', service.foreign);
    assert.ok(foreign.auditEvents.every(({ id }: { id: string }) => id !== own.id));
    const { status } = await service.request('GET', `${service.foreign.path}/audit-events/${own.id}`, { key: service.foreign.key });
    assert.equal(status, 404);
  });
});
