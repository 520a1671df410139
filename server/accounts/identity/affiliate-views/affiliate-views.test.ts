// Members who view the portal as an affiliate: they read what the affiliate reads, and change nothing.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { anAffiliate } from '../../../../test/support/builders.ts';
import { findChanged, readFingerprint } from '../../../../test/support/fingerprint.ts';
import { openTestService, type TestMember, type TestService } from '../../../../test/support/harness.ts';
import { api } from '../../../api.ts';
import { isForAffiliates, parseRoute } from '../../../platform/http/declaration/endpoint.ts';

const portal = api.filter(isForAffiliates).map(({ id, route }) => ({ id, ...parseRoute(route) }));

describe('a view of the portal as an affiliate', () => {
  let service: TestService;
  let ada: TestMember & { affiliateId: string };
  let adaId: string;
  let grace: { id: string };
  let staff: TestMember;
  let base: string;
  let portalPath: string;

  before(async () => {
    service = await openTestService();
    const { programId } = service.program;
    base = `/app/programs/${programId}`;
    portalPath = `/app/portal/${programId}`;
    const email = 'ada@example.com';
    const { id } = await anAffiliate(service, { email, firstName: 'Ada', lastName: 'Lindqvist', status: 'active' });
    adaId = id;
    grace = await anAffiliate(service, { email: 'grace@example.com', status: 'active' });
  });
  beforeEach(async () => {
    staff = await service.asMember('reviewer');
    ada = { ...(await service.asAffiliate({ id: adaId, email: 'ada@example.com' })), affiliateId: adaId };
  });
  after(() => service.close());

  const start = (member = staff, affiliateId = ada.affiliateId) => member.request('POST', `${base}/affiliates/${affiliateId}/view`);
  const end = (member = staff) => member.request('DELETE', `${base}/affiliate-view`);
  const home = (member = staff) => member.request('GET', `${portalPath}/home`);
  const accounts = async (member = staff) => (await member.request('GET', '/app/me')).body.affiliateAccounts;
  const addressOf = (path: string) => path.replace(':programId', service.program.programId).replace(/:\w+/g, () => service.ctx.ids.uuid());
  const auditOf = async ({ userId }: TestMember) => {
    const { body } = await service.request('GET', `${service.program.path}/audit-events?subjectId=${ada.affiliateId}&limit=100`);
    const own = body.auditEvents.filter(({ actor }: { actor: { id: string } }) => actor.id === userId);
    return own.map(({ action }: { action: string }) => action).reverse();
  };

  test('returns what the affiliate reads, from every endpoint without ids', async () => {
    assert.equal((await home()).status, 404);
    assert.equal((await start()).status, 201);
    const reads = portal.filter(({ method, path }) => method === 'GET' && !path.replace(':programId', '').includes(':'));
    assert.ok(reads.length > 10, `${reads.length}`);
    for (const { id, path } of reads) {
      const [own, viewed] = [await ada.request('GET', addressOf(path)), await staff.request('GET', addressOf(path))];
      // Those that need a query answer both with the same error, each with its own request id.
      for (const { body } of [own, viewed]) delete body.requestId;
      assert.deepEqual([viewed.status, viewed.body], [own.status, own.body], id);
    }
  });

  test('rejects every request that could change something, of every declared endpoint', async () => {
    await start();
    const before = await readFingerprint(service.pool);
    const writes = portal.filter(({ method }) => method !== 'GET');
    assert.ok(writes.length > 12, `${writes.length}`);
    for (const { id, method, path } of writes) {
      const { status, body } = await staff.request(method, addressOf(path), { body: {} });
      assert.deepEqual([status, body.code], [403, 'view_is_read_only'], id);
    }
    assert.deepEqual(findChanged(before, await readFingerprint(service.pool)), []);
    const answer = await staff.request('PATCH', `${portalPath}/account`, { body: { firstName: 'Eve' } });
    assert.equal(answer.body.code, 'view_is_read_only');
    assert.equal((await ada.request('PATCH', `${portalPath}/account`, { body: { firstName: 'Ada' } })).status, 200);
  });

  test('is listed among the accounts of the user, with the name and the expiry, and ends after 30 minutes', async () => {
    const { body } = await start();
    const [account] = await accounts();
    assert.deepEqual([account.affiliateId, account.view], [ada.affiliateId, { affiliateName: 'Ada Lindqvist', expiresAt: body.expiresAt }]);
    assert.equal(Date.parse(body.expiresAt) - Date.parse(body.startedAt), 30 * 60_000);
    service.clock.advance({ minutes: 29 });
    assert.equal((await home()).status, 200);
    service.clock.advance({ minutes: 1 });
    assert.equal((await home()).status, 404);
    assert.deepEqual(await accounts(), []);
    assert.equal((await end()).body.affiliateId, null);
    assert.deepEqual(await auditOf(staff), ['affiliate.view_started']);
  });

  test('ends with the session, and doesn’t apply to other sessions of the same user', async () => {
    await start();
    const other = await service.signIn(staff.userId);
    const headers = { cookie: other.cookie };
    assert.equal((await service.request('GET', `${portalPath}/home`, { key: null, headers })).status, 404);
    assert.equal((await staff.request('POST', '/app/sign-out', { body: {} })).status < 300, true);
    assert.equal((await home()).status, 401);
  });

  test('exists once per session: viewing another affiliate replaces it, even in a race', async () => {
    await start();
    assert.equal((await start(staff, grace.id)).status, 201);
    assert.equal((await staff.request('GET', `${portalPath}/account`)).body.email, 'grace@example.com');
    assert.deepEqual(await auditOf(staff), ['affiliate.view_started', 'affiliate.view_ended']);
    const answers = await Promise.all([start(), start(staff, grace.id), start(), start(staff, grace.id)]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201, 201, 201],
    );
    const { rows } = await service.pool.query('select affiliate_id from affiliate_views where session_id = $1', [staff.sessionId]);
    assert.equal(rows.length, 1);
    assert.equal((await accounts()).length, 1);
  });

  test('is ended once, and its start and end are in the audit log', async () => {
    await start();
    const ended = await Promise.all([end(), end()]);
    assert.deepEqual(ended.map(({ body }) => body.affiliateId).sort(), [ada.affiliateId, null].sort());
    assert.equal((await home()).status, 404);
    assert.deepEqual(await auditOf(staff), ['affiliate.view_started', 'affiliate.view_ended']);
  });

  test('needs a role that works with affiliates or their money, until its end', async () => {
    for (const role of ['viewer', 'developer'] as const) {
      const { status, body } = await start(await service.asMember(role));
      assert.deepEqual([status, body.code], [403, 'permission_required'], role);
    }
    for (const role of ['finance', 'admin', 'owner'] as const) assert.equal((await start(await service.asMember(role))).status, 201, role);
    await start();
    await service.pool.query(`update program_members set role = 'viewer' where user_id = $1`, [staff.userId]);
    assert.equal((await home()).status, 404);
    assert.deepEqual(await accounts(), []);
  });

  test('does not reach affiliates or portals of other programs, and affiliates can’t start one', async () => {
    const foreign = await anAffiliate(service, { email: 'mei@example.com', status: 'active' }, service.foreign);
    assert.equal((await start(staff, foreign.id)).status, 404);
    await start();
    assert.equal((await staff.request('GET', `/app/portal/${service.foreign.programId}/home`)).status, 404);
    assert.equal((await start(ada, grace.id)).status, 404);
    assert.equal((await service.request('POST', `${base}/affiliates/${ada.affiliateId}/view`)).status, 403);
  });

  test('changes nothing that the affiliate sees: last seen, sessions and emails', async () => {
    const read = async () => {
      const { rows } = await service.pool.query('select * from sessions where user_id = $1 order by id', [ada.userId]);
      const affiliate = await service.request('GET', `${service.program.path}/affiliates/${ada.affiliateId}`);
      return { rows, affiliate: affiliate.body };
    };
    await service.drain();
    service.mails.splice(0);
    const before = await read();
    assert.ok(before.affiliate.lastSeenAt !== null);
    service.clock.advance({ minutes: 5 });
    await start();
    await home();
    await end();
    await service.drain();
    assert.deepEqual(await read(), before);
    assert.deepEqual(service.mails, []);
  });
});
