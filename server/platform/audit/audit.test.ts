import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { aGroup, anAffiliate } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { startSession } from '../../accounts/identity/sessions/session.ts';
import { checkInvariants } from '../../operations/verify/invariants.ts';
import { transact } from '../db/transact.ts';
import { maskFields } from './mask.ts';
import { sealAuditLog, sealAuditLogs } from './seal.ts';
import { verifySeals } from './verify-seals.ts';

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

describe('the origin of audited changes', () => {
  let service: TestService;
  before(async () => {
    service = await openTestService();
  });
  after(() => service.close());

  const list = async (query: string) => (await service.request('GET', `${service.program.path}/audit-events?${query}`)).body;

  test('a change has the network and the request id of its request, never the address', async () => {
    const { headers, body } = await service.request('POST', `${service.program.path}/groups`, { body: { name: 'Where' } });
    const [event] = (await list(`subjectId=${body.id}`)).auditEvents;
    assert.deepEqual([event.network, event.requestId], ['127.0.0.0/24', headers['x-request-id']]);
    const { rows } = await service.pool.query(`select audit_log::text as text from audit_log where subject_id = $1`, [body.id]);
    assert.doesNotMatch(rows[0].text, /127\.0\.0\.1/);
  });

  test('the first use of an API key from a network is recorded once, even when requests are concurrent', async () => {
    const { apiKey } = (await service.request('GET', '/v1/me')).body;
    await Promise.all(Array.from({ length: 20 }, () => service.request('GET', '/v1/me')));
    const { auditEvents } = await list(`action=api_key.used_from_new_network&subjectId=${apiKey.id}`);
    assert.deepEqual(
      auditEvents.map(({ actor, network }: Record<string, unknown>) => ({ actor, network })),
      [{ actor: { kind: 'api_key', id: apiKey.id }, network: '127.0.0.0/24' }],
    );
    const { rows } = await service.pool.query('select networks from api_keys where id = $1', [apiKey.id]);
    assert.deepEqual(rows, [{ networks: ['127.0.0.0/24'] }]);
  });

  test('a sign-in is recorded in every program of the user', async () => {
    const member = await service.asMember('owner', { name: 'Dana Calder' });
    const device = { ip: '192.0.2.17', userAgent: undefined };
    await transact(service.ctx, (tx) => startSession(tx, { userId: member.userId, method: 'passkey', secondFactor: 'passkey', device }));
    const [event] = (await list(`action=user.signed_in&actorId=${member.userId}`)).auditEvents;
    assert.deepEqual(
      [event.actor, event.network, event.after],
      [{ kind: 'user', id: member.userId }, '192.0.2.0/24', { method: 'passkey' }],
    );
    const foreign = await service.request('GET', `${service.foreign.path}/audit-events?action=user.signed_in`, {
      key: service.foreign.key,
    });
    assert.equal(foreign.body.total, 0);
  });

  test('email addresses are masked at every depth', async () => {
    const fields = { email: 'ada@example.com', list: ['Zoë@example.org', 7], nested: { reply: 'x@y.z', name: 'Ada' }, none: null };
    assert.deepEqual(maskFields(fields), {
      email: 'a•••@example.com',
      list: ['Z•••@example.org', 7],
      nested: { reply: 'x•••@y.z', name: 'Ada' },
      none: null,
    });
    const affiliate = await anAffiliate(service);
    await service.request('PATCH', `${service.program.path}/affiliates/${affiliate.id}`, { body: { email: 'new.address@example.com' } });
    const { rows } = await service.pool.query(`select audit_log::text as text from audit_log where subject_id = $1`, [affiliate.id]);
    assert.doesNotMatch(rows.map(({ text }) => text).join(), /new\.address@|ada@/);
  });
});

describe('the seals of the audit log', () => {
  let service: TestService;
  before(async () => {
    service = await openTestService();
  });
  after(() => service.close());

  const seal = () => sealAuditLog(service.ctx, service.program.programId);
  const verify = () => verifySeals(service.ctx, service.program.programId);
  const change = (statement: string, values: unknown[]) => service.pool.query(statement, values);

  test('new entries are sealed in links of a chain, none twice, by several processes at the same time', async () => {
    for (let round = 0; round < 3; round += 1) {
      for (let index = 0; index < 5; index += 1) await aGroup(service);
      await Promise.all([seal(), seal(), seal()]);
    }
    assert.equal(await seal(), 0);
    const { rows } = await service.pool.query(
      `select count(*)::int as entries, count(distinct id)::int as different from audit_seals, unnest(entry_ids) as id where program_id = $1`,
      [service.program.programId],
    );
    assert.equal(rows[0].entries, rows[0].different);
    const report = await verify();
    assert.deepEqual([report.faults, report.newEntryCount], [[], 0]);
    assert.equal(report.sealedEntryCount, rows[0].entries);
    assert.ok(report.sealCount >= 3);
    const { body } = await service.request('GET', `${service.program.path}/audit-events/integrity`);
    assert.deepEqual([body.isValid, body.head], [true, report.head]);
  });

  test('the job seals every program that has new entries, and no other', async () => {
    await aGroup(service);
    const lastOf = async (programId: string) =>
      Number((await service.pool.query('select max(number) as last from audit_seals where program_id = $1', [programId])).rows[0].last);
    await sealAuditLogs.run(service.ctx, {}, { isLast: true });
    const sealed = await Promise.all([service.program, service.foreign].map(({ programId }) => lastOf(programId)));
    assert.ok(sealed.every((last) => last > 0));
    service.clock.advance({ days: 2 });
    await aGroup(service);
    await sealAuditLogs.run(service.ctx, {}, { isLast: true });
    assert.deepEqual(await Promise.all([service.program, service.foreign].map(({ programId }) => lastOf(programId))), [
      (sealed[0] ?? 0) + 1,
      sealed[1],
    ]);
  });

  test('a changed, a removed and a backdated entry and a removed seal are found', async () => {
    const { programId } = service.program;
    const { rows } = await service.pool.query('select entry_ids[1] as id from audit_seals where program_id = $1 and number = 2', [
      programId,
    ]);
    const [{ id }] = rows;
    const kinds = async () => (await verify()).faults.map(({ kind, number }) => `${kind} ${number}`);
    await change(`update audit_log set after = '{"name": "Forged"}' where id = $1`, [id]);
    assert.deepEqual(await kinds(), ['hash_mismatch 2']);
    await change('delete from audit_log where id = $1', [id]);
    assert.deepEqual(await kinds(), ['missing_entry 2']);
    await change('delete from audit_seals where program_id = $1 and number = 2', [programId]);
    assert.deepEqual(await kinds(), ['missing_seal 2', 'hash_mismatch 3']);
    service.clock.advance({ days: 3 });
    await aGroup(service);
    await seal();
    const at = new Date(service.clock.now().getTime() - 2 * 86_400_000);
    await change(
      `insert into audit_log (program_id, id, actor_kind, actor_id, action, subject_id, created_at)
       values ($1, gen_random_uuid(), 'command', 'forger', 'group.created', $1, $2)`,
      [programId, at],
    );
    assert.ok((await kinds()).includes('entry_without_seal null'));
    const broken = (await checkInvariants(service.ctx)).find(({ name }) => name === 'the seals of the audit logs are intact');
    assert.ok((broken?.broken.length ?? 0) >= 3);
  });
});

test('the export contains every entry once, in both formats, and is recorded', async (t) => {
  const service = await openTestService();
  t.after(() => service.close());
  for (let index = 0; index < 7; index += 1) await aGroup(service, `=HYPERLINK("x")${index}`);
  service.clock.advance({ seconds: 1 });
  const path = `${service.program.path}/audit-events/export`;
  const csv = await service.request('GET', `${path}?action=group.created`);
  assert.match(String(csv.headers['content-type']), /^text\/csv/);
  assert.equal(csv.text.trim().split('\r\n').length, 8);
  const { body } = await service.request('GET', `${path}?format=json`);
  const ids = body.auditEvents.map(({ id }: { id: string }) => id);
  assert.equal(new Set(ids).size, ids.length);
  const { auditEvents, total } = (await service.request('GET', `${service.program.path}/audit-events?action=audit_log.exported`)).body;
  assert.equal(total, 2);
  assert.deepEqual(auditEvents[1].after, { format: 'csv', action: 'group.created' });
});
