// What one person requests, another one approves: one person can't be both, by any of their keys, sessions or mailboxes.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { anAffiliate, anOrder, aRule } from '../../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestProgram, type TestService } from '../../../../test/support/harness.ts';
import { transact } from '../../../platform/db/transact.ts';
import { issueKey } from '../api-keys/issue-key.ts';

let service: TestService;
let program: TestProgram;
let owner: TestMember;

before(async () => {
  service = await openTestService();
});
after(() => service.close());
beforeEach(async () => {
  program = await service.newProgram(`Careful ${Math.random()}`);
  await aRule(service, { rate: 10 }, program);
  const affiliateId = (await anAffiliate(service, { status: 'active' }, program)).id;
  await anOrder(service, { affiliateId, amountCents: 400_000 }, program);
  service.clock.advance({ days: 31 });
  await withKey('PATCH', '', { payoutApprovalCents: 1000 });
  owner = await service.asMember('owner', { program });
});

const withKey = (method: string, path: string, body: object, key = program.key) =>
  service.request(method, `${program.path}${path}`, { key, body });
const asMember = (member: TestMember, method: string, path: string, body: object = {}) =>
  member.request(method, `${program.path}${path}`, { body });
/** A key that this member created. */
const keyOf = ({ userId: id }: TestMember) => {
  const { programId } = program;
  const fresh = {
    programId,
    name: 'Own',
    scopes: ['read' as const, 'write' as const],
    expiresAt: null,
    actor: { kind: 'user' as const, id },
  };
  return transact(service.ctx, async (tx) => (await issueKey(tx, fresh)).apiKey);
};
type Answer = Awaited<ReturnType<typeof withKey>>;
const approvalOf = ({ status, body }: Answer): string => {
  assert.equal(status, 201, JSON.stringify(body));
  assert.equal(body.batch.status, 'awaiting_approval');
  return `/payouts/batches/${body.batch.id}/approve`;
};
const codeOf = ({ status, body }: Answer) => [status, body.code];
const rejected = [400, 'second_approver_required'];

describe('a payout batch cannot be approved', () => {
  test('with the session of the member whose key dispatched it, or with the key of the member whose session did', async () => {
    const finance = await service.asMember('finance', { program });
    const byKey = approvalOf(await withKey('POST', '/payouts/dispatch', {}, await keyOf(finance)));
    assert.deepEqual(codeOf(await asMember(finance, 'POST', byKey)), rejected);
    const approved = await asMember(owner, 'POST', byKey);
    assert.deepEqual([approved.status, approved.body.approvedBy.id], [200, owner.userId]);
  });

  test('with any API key', async () => {
    const finance = await service.asMember('finance', { program });
    const path = approvalOf(await asMember(finance, 'POST', '/payouts/dispatch'));
    assert.deepEqual(codeOf(await withKey('POST', path, {})), rejected);
    assert.deepEqual(codeOf(await withKey('POST', path, {}, await keyOf(owner))), rejected);
    assert.deepEqual(codeOf(await asMember(finance, 'POST', path)), rejected);
    assert.equal((await asMember(owner, 'POST', path)).status, 200);
  });

  test('by a member who joined or got the role within 72 hours, unless an owner who did not give it confirms them', async () => {
    const path = approvalOf(await asMember(owner, 'POST', '/payouts/dispatch'));
    const fresh = await service.asMember('admin', { program, isNew: true });
    const denied = await asMember(fresh, 'POST', path);
    assert.deepEqual(codeOf(denied), rejected);
    assert.equal(Date.parse(denied.body.approvableFrom) - service.clock.now().getTime(), 72 * 3_600_000);
    const other = await service.asMember('viewer', { program });
    const members = `/app/programs/${program.programId}/members`;
    assert.equal((await owner.request('PATCH', `${members}/${other.userId}`, { body: { role: 'admin' } })).status, 200);
    assert.deepEqual(codeOf(await asMember(other, 'POST', path)), rejected, 'a promoted second mailbox');
    const own = await owner.request('POST', `${members}/${other.userId}/confirm`, { body: {} });
    assert.deepEqual(codeOf(own), [400, 'another_owner_required']);
    const newOwner = await service.asMember('owner', { program, isNew: true });
    assert.deepEqual(codeOf(await newOwner.request('POST', `${members}/${other.userId}/confirm`, { body: {} })), [
      400,
      'another_owner_required',
    ]);
    const second = await service.asMember('owner', { program });
    const confirmed = await second.request('POST', `${members}/${other.userId}/confirm`, { body: {} });
    assert.deepEqual([confirmed.status, confirmed.body.approvesFrom], [200, null]);
    assert.equal((await asMember(other, 'POST', path)).status, 200);
  });

  test('by an invited member before 72 hours have passed', async () => {
    const path = approvalOf(await asMember(owner, 'POST', '/payouts/dispatch'));
    const fresh = await service.asMember('admin', { program, isNew: true });
    service.clock.advance({ seconds: 72 * 3600 - 1 });
    const session = async () => ({ cookie: (await service.signIn(fresh.userId)).cookie, origin: 'http://api.test' });
    const approve = async () => service.request('POST', `${program.path}${path}`, { key: null, headers: await session(), body: {} });
    assert.deepEqual(codeOf(await approve()), rejected);
    service.clock.advance({ seconds: 1 });
    assert.equal((await approve()).status, 200);
  });
});

describe('with one owner', () => {
  const asOwner = async () => ({ cookie: (await service.signIn(owner.userId)).cookie, origin: 'http://api.test' });
  const approve = async (path: string) => service.request('POST', program.path + path, { key: null, headers: await asOwner(), body: {} });

  for (const [name, dispatch] of [
    ['their own batch', () => asMember(owner, 'POST', '/payouts/dispatch')],
    ['the batch of a key of the command line', () => withKey('POST', '/payouts/dispatch', {})],
  ] as const) {
    test(`72 hours replace the second person for ${name}`, async () => {
      const path = approvalOf(await dispatch());
      const early = await approve(path);
      assert.deepEqual(codeOf(early), rejected);
      assert.equal(Date.parse(early.body.approvableFrom) - service.clock.now().getTime(), 72 * 3_600_000);
      service.clock.advance({ seconds: 72 * 3600 - 1 });
      assert.deepEqual(codeOf(await approve(path)), rejected);
      service.clock.advance({ seconds: 1 });
      assert.equal((await approve(path)).status, 200);
    });
  }

  test('the delay does not let other members approve their own batch, nor owners once there are two', async () => {
    const finance = await service.asMember('finance', { program });
    const path = approvalOf(await asMember(finance, 'POST', '/payouts/dispatch'));
    service.clock.advance({ days: 4 });
    const session = { cookie: (await service.signIn(finance.userId)).cookie, origin: 'http://api.test' };
    const own = await service.request('POST', program.path + path, { key: null, headers: session, body: {} });
    assert.deepEqual([...codeOf(own), own.body.approvableFrom], [...rejected, null]);
    assert.equal((await approve(path)).status, 200);
  });
});

describe('a threshold that one person sets to null', () => {
  const pending = async (key: string) => {
    const { status, body } = await withKey('PATCH', '', { payoutApprovalCents: null }, key);
    assert.equal(status, 200);
    return `/setting-changes/${body.pendingChanges[0].id}/approve`;
  };
  const threshold = async () => (await service.request('GET', program.path, { key: program.key })).body.payoutApprovalCents;

  test('with their key does not take effect when their session confirms it', async () => {
    const admin = await service.asMember('admin', { program });
    const path = await pending(await keyOf(admin));
    assert.deepEqual(codeOf(await asMember(admin, 'POST', path)), rejected);
    assert.equal(await threshold(), 1000);
    assert.equal((await asMember(owner, 'POST', path)).status, 200);
    assert.equal(await threshold(), null);
  });

  test('names who requested it, and needs attention on the overview until it is decided', async () => {
    const admin = await service.asMember('admin', { program, name: 'Mei Tanaka' });
    const attention = async () => {
      const { body } = await owner.request('GET', `/app/programs/${program.programId}/overview`);
      return body.attention.filter(({ kind }: { kind: string }) => kind === 'setting_changes').map((item: object) => item);
    };
    assert.deepEqual(await attention(), []);
    const { body } = await asMember(admin, 'PATCH', '', { payoutApprovalCents: null });
    const [change] = body.pendingChanges;
    assert.deepEqual(change.requestedBy, { kind: 'user', id: admin.userId, name: 'Mei Tanaka' });
    const byKey = await withKey('PATCH', '', { payoutApprovalCents: 5000 }, await keyOf(owner));
    const { kind, name } = byKey.body.pendingChanges[0].requestedBy;
    assert.deepEqual([kind, name], ['api_key', 'Own']);
    const [item] = await attention();
    assert.deepEqual([item.count, item.id], [1, byKey.body.pendingChanges[0].id]);
    assert.equal((await asMember(admin, 'POST', `/setting-changes/${item.id}/cancel`)).status, 200);
    assert.deepEqual(await attention(), []);
  });

  test('with a key of the command line waits 72 hours for the only owner, and cannot be approved by another key', async () => {
    const path = await pending(program.key);
    assert.deepEqual(codeOf(await asMember(owner, 'POST', path)), rejected);
    assert.deepEqual(codeOf(await withKey('POST', path, {}, await keyOf(owner))), rejected);
    assert.equal(await threshold(), 1000);
  });
});
