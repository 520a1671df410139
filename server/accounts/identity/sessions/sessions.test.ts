import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openTestService, type TestMember, type TestService } from '../../../../test/support/harness.ts';
import { appRole } from '../../../platform/db/app-role.ts';
import { transact } from '../../../platform/db/transact.ts';
import { endSessions, renewSession } from './session.ts';
import { hashToken } from './token.ts';

let service: TestService;
let owner: TestMember;
const groups = () => `${service.program.path}/groups`;
const tokenOf = ({ cookie }: { cookie: string }) => cookie.split('=')[1] ?? '';

before(async () => {
  service = await openTestService();
});
after(() => service.close());

/** A member with a new session, so that tests can end it. */
async function signedIn(): Promise<TestMember> {
  owner = await service.asMember('owner');
  return owner;
}

describe('a session', () => {
  test('is stored as a hash, and its cookie cannot be read by scripts or sent by other sites', async () => {
    const member = await signedIn();
    const row = await service.ctx.db.selectFrom('sessions').selectAll().where('id', '=', member.sessionId).executeTakeFirstOrThrow();
    assert.deepEqual(row.tokenHash, hashToken(tokenOf(member)));
    assert.equal(Buffer.from(tokenOf(member), 'base64url').length, 32);
    assert.ok(!JSON.stringify(row).includes(tokenOf(member)));
    assert.ok(!service.log.join('').includes(tokenOf(member)));
    assert.equal(row.ipPrefix, '192.0.2.0/24');
  });

  test('admits its user to their program, as a user in the audit log', async () => {
    const member = await signedIn();
    const created = await member.request('POST', groups(), { body: { name: 'By a member' } });
    assert.equal(created.status, 201);
    const { body } = await member.request('GET', `${service.program.path}/audit-events?subjectId=${created.body.id}`);
    assert.deepEqual(body.auditEvents[0].actor, { kind: 'user', id: member.userId });
  });

  test('ends 30 minutes after the last request', async () => {
    const member = await signedIn();
    service.clock.advance({ minutes: 29 });
    assert.equal((await member.request('GET', groups())).status, 200);
    service.clock.advance({ minutes: 29 });
    assert.equal((await member.request('GET', groups())).status, 200);
    service.clock.advance({ minutes: 30 });
    assert.equal((await member.request('GET', groups())).status, 401);
  });

  test('ends 12 hours after the sign-in, however often it is used', async () => {
    const member = await signedIn();
    for (let minutes = 0; minutes < 700; minutes += 25) {
      assert.equal((await member.request('GET', groups())).status, 200, `${minutes}`);
      service.clock.advance({ minutes: 25 });
    }
    assert.equal((await member.request('GET', groups())).status, 200, 'after 11 hours and 40 minutes');
    service.clock.advance({ minutes: 19, seconds: 59 });
    assert.equal((await member.request('GET', groups())).status, 200, 'a second before');
    service.clock.advance({ seconds: 1 });
    assert.equal((await member.request('GET', groups())).status, 401, 'used a second ago');
  });

  test('records its use once a minute, not with every request', async () => {
    const member = await signedIn();
    const lastSeen = async () =>
      (await service.ctx.db.selectFrom('sessions').select('lastSeenAt').where('id', '=', member.sessionId).executeTakeFirstOrThrow())
        .lastSeenAt;
    const start = await lastSeen();
    service.clock.advance({ seconds: 59 });
    await member.request('GET', groups());
    assert.deepEqual(await lastSeen(), start);
    service.clock.advance({ seconds: 1 });
    await member.request('GET', groups());
    assert.deepEqual(await lastSeen(), service.clock.now());
  });

  test('is admitted although its use cannot be recorded', async () => {
    const member = await signedIn();
    service.clock.advance({ minutes: 2 });
    await service.pool.query(`revoke update on sessions from ${appRole}`);
    assert.equal((await member.request('GET', groups())).status, 200);
    await service.pool.query(`grant update on sessions to ${appRole}`);
    assert.ok(service.log.some((line) => line.includes('the use of a session was not recorded')));
  });

  test('is not admitted after it has ended, nor if its user is disabled', async () => {
    const member = await signedIn();
    const second = await service.signIn(member.userId);
    await transact(service.ctx, (tx) => endSessions(tx, member.userId, { except: second.sessionId }));
    assert.equal((await member.request('GET', groups())).status, 401);
    const withSecond = () => member.request('GET', groups(), { headers: { cookie: second.cookie } });
    assert.equal((await withSecond()).status, 200);
    await service.pool.query(`update users set status = 'disabled' where id = $1`, [member.userId]);
    assert.equal((await withSecond()).status, 401);
  });
});

describe('session fixation', () => {
  test('a token that was not issued, and two cookies of the same name, are not accepted', async () => {
    const member = await signedIn();
    const chosen = 'A'.repeat(43);
    for (const cookie of [
      `trb=${chosen}`,
      `trb=${tokenOf(member)}; trb=${chosen}`,
      `trb=${tokenOf(member)}x`,
      'trb=',
      `other=${tokenOf(member)}`,
    ])
      assert.equal((await member.request('GET', groups(), { headers: { cookie } })).status, 401, cookie);
  });

  test('proving an identity again gives a new id and token, ends the old ones, and does not prolong the sign-in', async () => {
    const member = await signedIn();
    const before = await service.ctx.db.selectFrom('sessions').selectAll().where('id', '=', member.sessionId).executeTakeFirstOrThrow();
    service.clock.advance({ minutes: 20 });
    const renewed = await transact(service.ctx, (tx) => renewSession(tx, member, null));
    assert.notEqual(renewed.sessionId, member.sessionId);
    assert.notEqual(renewed.token, tokenOf(member));
    assert.equal((await member.request('GET', groups())).status, 401);
    assert.equal((await member.request('GET', groups(), { headers: { cookie: `trb=${renewed.token}` } })).status, 200);
    const after = await service.ctx.db.selectFrom('sessions').selectAll().where('id', '=', renewed.sessionId).executeTakeFirstOrThrow();
    assert.deepEqual([after.expiresAt, after.freshAt], [before.expiresAt, service.clock.now()]);
    await assert.rejects(
      transact(service.ctx, (tx) => renewSession(tx, member, null)),
      'an ended session cannot be renewed',
    );
  });
});

describe('a cookie from another origin', () => {
  const write = (headers: Record<string, string>) =>
    owner.request('POST', groups(), { body: { name: `G ${Math.floor(performance.now() * 1e6)}` }, headers });

  test('writes only with the Origin of a page of this service', async () => {
    await signedIn();
    for (const origin of [
      'https://evil.example',
      'null',
      'http://api.test.evil.example',
      'http://evil.example/api.test',
      'http://api.test:8080',
      'file://',
      '',
    ]) {
      const { status, body } = await write({ origin });
      assert.deepEqual([status, body.code], [403, 'cross_site_request'], origin);
    }
    assert.equal((await write({ origin: 'http://api.test' })).status, 201);
    assert.equal((await write({ origin: 'http://127.0.0.1:3000' })).status, 201, 'the public URL');
  });

  test('does not write without an Origin, from a sibling site, or as anything but JSON', async () => {
    const { app } = service;
    const headers = { host: 'api.test', cookie: owner.cookie, 'content-type': 'application/json' };
    const sent = await app.inject({ method: 'POST', url: groups(), headers, payload: { name: 'No origin' } });
    assert.equal(sent.statusCode, 403);
    for (const site of ['same-site', 'cross-site', 'none']) assert.equal((await write({ 'sec-fetch-site': site })).status, 403, site);
    assert.equal((await write({ 'sec-fetch-site': 'same-origin' })).status, 201);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
      assert.equal((await write({ 'content-type': type })).status, 403, type);
  });

  test('is ignored when an Authorization header is sent', async () => {
    const { key, readKey } = service.program;
    const as = (authorization: string) => owner.request('GET', groups(), { headers: { authorization } });
    assert.equal((await as(`Bearer ${key}`)).status, 200);
    assert.equal((await as('Bearer invalid')).status, 401);
    const { status, body } = await write({ authorization: `Bearer ${readKey}` });
    assert.deepEqual([status, body.code], [403, 'missing_scope']);
  });
});

describe('permissions of members', () => {
  test('a role without the permission is 403 with the roles that have it, and who can grant it', async () => {
    await signedIn();
    const viewer = await service.asMember('viewer');
    const { status, body } = await viewer.request('POST', groups(), { body: { name: 'No' } });
    assert.deepEqual([status, body.code, body.permission, body.roles], [403, 'permission_required', 'terms.write', ['owner', 'admin']]);
    assert.ok(body.members.includes('The owner'));
  });

  test('sensitive operations require a sign-in within the last ten minutes', async () => {
    const member = await signedIn();
    const dispatch = () => member.request('POST', `${service.program.path}/payouts/dispatch`, { body: {} });
    service.clock.advance({ minutes: 9, seconds: 59 });
    assert.notEqual((await dispatch()).body.code, 'fresh_sign_in_required');
    service.clock.advance({ seconds: 1 });
    assert.deepEqual([(await dispatch()).status, (await dispatch()).body.code], [403, 'fresh_sign_in_required']);
    const renewed = await transact(service.ctx, (tx) => renewSession(tx, member, null));
    const again = await member.request('POST', `${service.program.path}/payouts/dispatch`, {
      body: {},
      headers: { cookie: `trb=${renewed.token}` },
    });
    assert.notEqual(again.body.code, 'fresh_sign_in_required');
  });

  test('bonuses and adjustments require a recent sign-in from members, but not from API keys', async () => {
    const member = await signedIn();
    service.clock.advance({ minutes: 10 });
    for (const path of ['commissions', `commissions/${service.ctx.ids.uuid()}/adjust`]) {
      const url = `${service.program.path}/${path}`;
      assert.equal((await member.request('POST', url, { body: {} })).body.code, 'fresh_sign_in_required');
      assert.notEqual((await service.request('POST', url, { body: {} })).status, 403);
    }
  });

  test('a program of others gives the same response as one that does not exist', async () => {
    const member = await signedIn();
    const answers = [service.foreign.programId, service.ctx.ids.uuid(), 'x'].map(async (id) => [
      await member.request('GET', `/v1/programs/${id}/groups`),
      await member.request('POST', '/v1/conversions', { body: {}, headers: { 'tributary-program': id } }),
    ]);
    const texts = (await Promise.all(answers)).flat().map(({ status, text }) => `${status} ${text.replace(/"requestId":"[^"]*"/, '')}`);
    assert.deepEqual([...new Set(texts)], ['404 {"error":"Not found.","code":"not_found",}']);
  });

  test('paths without a program take it from a header', async () => {
    const member = await signedIn();
    const { status, body } = await member.request('POST', '/v1/conversions', {
      body: { orderId: 'o-1', amountCents: 100, referralCode: 'NONE' },
    });
    assert.deepEqual([status, body.code !== undefined], [422, true]);
    const headers = { host: 'api.test', origin: 'http://api.test', cookie: member.cookie, 'content-type': 'application/json' };
    const without = await service.app.inject({ method: 'POST', url: '/v1/conversions', headers, payload: {} });
    assert.deepEqual(
      [without.statusCode, without.json().details],
      [400, [{ path: ['Tributary-Program'], message: 'is required: the id of the program' }]],
    );
  });
});
