import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openTestService, type TestMember, type TestProgram, type TestService } from '../../../../test/support/harness.ts';
import { transact } from '../../../platform/db/transact.ts';
import { acceptInvitations } from '../invitations/accept.ts';
import { findOrCreateUser, findUserByEmail } from '../users/user.ts';

let service: TestService;
before(async () => {
  service = await openTestService();
});
after(() => service.close());

/** A separate program with one owner, so that tests don't depend on each other. */
async function aTeam(): Promise<{ program: TestProgram; owner: TestMember; path: string }> {
  const program = await service.newProgram(`Team ${service.ctx.ids.uuid().slice(-6)}`);
  const owner = await service.asMember('owner', { program, name: 'Dana Calder' });
  return { program, owner, path: `/app/programs/${program.programId}/members` };
}

const rolesOf = async ({ owner, path }: { owner: TestMember; path: string }) =>
  (await owner.request('GET', path)).body.members.map(({ role }: { role: string }) => role).sort();

describe('members', () => {
  test('a new role, and a removal, take effect with the next request of the member', async () => {
    const { program, owner, path } = await aTeam();
    const member = await service.asMember('viewer', { program });
    const create = (name: string) => member.request('POST', `${program.path}/groups`, { body: { name } });
    assert.equal((await create('A')).status, 403);
    const changed = await owner.request('PATCH', `${path}/${member.userId}`, { body: { role: 'admin' } });
    assert.deepEqual([changed.status, changed.body.role, changed.body.isYou], [200, 'admin', false]);
    assert.equal((await create('B')).status, 201);
    assert.equal((await owner.request('DELETE', `${path}/${member.userId}`)).status, 200);
    assert.equal((await create('C')).status, 404);
    const { body } = await owner.request('GET', `${program.path}/audit-events?subjectId=${member.userId}`);
    const changes = body.auditEvents.filter(({ action }: { action: string }) => action.startsWith('member.'));
    assert.deepEqual(
      changes.map(({ action, before, after }: Record<string, unknown>) => [action, before, after]),
      [
        ['member.removed', { role: 'admin' }, null],
        ['member.updated', { role: 'viewer' }, { role: 'admin' }],
        ['member.added', null, { role: 'viewer' }],
      ],
    );
  });

  test('the last owner can be neither demoted nor removed, not even when disabled users are owners', async () => {
    const team = await aTeam();
    const { owner, path, program } = team;
    const other = await service.asMember('owner', { program });
    await service.pool.query(`update users set status = 'disabled' where id = $1`, [other.userId]);
    for (const answer of [
      await owner.request('PATCH', `${path}/${owner.userId}`, { body: { role: 'viewer' } }),
      await owner.request('DELETE', `${path}/${owner.userId}`),
    ])
      assert.deepEqual([answer.status, answer.body.code], [400, 'last_owner']);
    assert.deepEqual(await rolesOf(team), ['owner', 'owner']);
  });

  test('of two owners who remove each other at the same time, one remains', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { program, owner, path } = await aTeam();
      const other = await service.asMember('owner', { program });
      const change = (by: TestMember, userId: string) =>
        round % 2 ? by.request('DELETE', `${path}/${userId}`) : by.request('PATCH', `${path}/${userId}`, { body: { role: 'viewer' } });
      const answers = await Promise.all([change(owner, other.userId), change(other, owner.userId), change(owner, owner.userId)]);
      for (const { status } of answers) assert.ok([200, 400, 403, 404].includes(status), `${status}`);
      const owners = service.ctx.db.selectFrom('programMembers').select('userId').where('programId', '=', program.programId);
      assert.equal((await owners.where('role', '=', 'owner').execute()).length, 1, answers.map(({ text }) => text).join());
    }
  });

  test('only owners make, change and remove owners', async () => {
    const { program, owner, path } = await aTeam();
    const admin = await service.asMember('admin', { program });
    const viewer = await service.asMember('viewer', { program });
    for (const answer of [
      await admin.request('PATCH', `${path}/${viewer.userId}`, { body: { role: 'owner' } }),
      await admin.request('PATCH', `${path}/${admin.userId}`, { body: { role: 'owner' } }),
      await admin.request('PATCH', `${path}/${owner.userId}`, { body: { role: 'viewer' } }),
      await admin.request('DELETE', `${path}/${owner.userId}`),
      await admin.request('POST', `/app/programs/${program.programId}/member-invitations`, {
        body: { email: 'x@example.com', name: 'X', role: 'owner' },
      }),
    ])
      assert.deepEqual([answer.status, answer.body.code, answer.body.permission], [403, 'permission_required', 'owners.write']);
    assert.equal((await admin.request('PATCH', `${path}/${viewer.userId}`, { body: { role: 'finance' } })).status, 200);
  });

  test('members of other programs are not found', async () => {
    const { owner, path } = await aTeam();
    const foreign = await service.asMember('viewer', { program: service.foreign });
    for (const id of [foreign.userId, service.ctx.ids.uuid()])
      assert.equal((await owner.request('PATCH', `${path}/${id}`, { body: { role: 'viewer' } })).status, 404);
  });
});

describe('invitations', () => {
  const body = { email: 'Tom@Example.com', name: 'Tom Ruiz', role: 'finance' };

  test('are accepted with the invited address only, whatever its case, and once', async () => {
    const { owner, program, path } = await aTeam();
    const invited = await owner.request('POST', `/app/programs/${program.programId}/member-invitations`, { body });
    assert.equal(invited.status, 201, invited.text);
    const accept = (email: string) =>
      transact(service.ctx, async (tx) => acceptInvitations(tx, (await findOrCreateUser(tx, { email, name: 'T' })).user));
    for (const email of ['tom@example.co', 'tomm@example.com', 't\u043em@example.com'.replace('\u043e', 'o2')])
      assert.deepEqual(await accept(email), [], email);
    assert.deepEqual(await accept('tom@EXAMPLE.com'), [program.programId]);
    assert.deepEqual(await accept('tom@example.com'), []);
    assert.deepEqual(await rolesOf({ owner, path }), ['finance', 'owner']);
    const open = await owner.request('GET', `/app/programs/${program.programId}/member-invitations`);
    assert.equal(open.body.total, 0);
  });

  test('are not accepted after they were revoked or have expired; sending one again renews it', async () => {
    const { owner, program } = await aTeam();
    const path = `/app/programs/${program.programId}/member-invitations`;
    const user = await transact(service.ctx, (tx) => findOrCreateUser(tx, { email: 'late@example.com', name: 'Late' }));
    const accept = () => transact(service.ctx, (tx) => acceptInvitations(tx, user.user));
    const { body: first } = await owner.request('POST', path, { body: { ...body, email: 'late@example.com' } });
    await service.pool.query(`update member_invitations set expires_at = $2 where id = $1`, [first.id, service.clock.now()]);
    assert.deepEqual(await accept(), []);
    assert.equal((await owner.request('POST', path, { body: { ...body, email: 'late@example.com' } })).body.code, 'invitation_exists');
    const renewed = await owner.request('POST', `${path}/${first.id}/resend`);
    assert.deepEqual([renewed.status, renewed.body.isExpired], [200, false]);
    assert.equal((await owner.request('DELETE', `${path}/${first.id}`)).status, 200);
    assert.deepEqual(await accept(), []);
    assert.equal((await owner.request('POST', `${path}/${first.id}/resend`)).body.code, 'invitation_not_open');
  });

  test('a member, and an address with an open invitation, cannot be invited', async () => {
    const { owner, program } = await aTeam();
    const path = `/app/programs/${program.programId}/member-invitations`;
    const member = await owner.request('POST', path, { body: { ...body, email: owner.email.toUpperCase() } });
    assert.deepEqual([member.status, member.body.code], [409, 'member_exists']);
    const answers = await Promise.all(
      ['ann@example.com', 'ANN@example.com', 'Ann@Example.com'].map((email) => owner.request('POST', path, { body: { ...body, email } })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409]);
  });

  test('the link of the email signs in and is stored nowhere; the mailbox shows that it is hidden', async () => {
    const { owner, program } = await aTeam();
    await owner.request('POST', `/app/programs/${program.programId}/member-invitations`, { body: { ...body, email: 'new@example.com' } });
    await service.drain();
    const sent = service.mails.find(({ to }) => to === 'new@example.com');
    const [, token = ''] = /\/enter\/([\w-]{43})/.exec(sent?.text ?? '') ?? [];
    assert.ok(token && sent?.html?.includes(`/enter/${token}"`), sent?.text);
    const { body: list } = await owner.request('GET', `/app/programs/${program.programId}/emails?search=NEW@`);
    assert.deepEqual([list.total, list.emails[0].status, list.emails[0].hasHiddenLink], [1, 'sent', true]);
    const stored = await owner.request('GET', `/app/programs/${program.programId}/emails/${list.emails[0].id}`);
    assert.match(stored.body.text, /Accept invitation: \(link hidden\)/);
    const { rows } = await service.pool.query(
      'select emails::text as row from emails union all select e::text from email_verifications e union all select a::text from audit_log a',
    );
    assert.ok(rows.every(({ row }) => !row.includes(token)));
    assert.ok(!service.log.join('').includes(token));
    assert.equal(await findUserByEmail(service.ctx, 'new@example.com'), null, 'an invitation creates no user');
  });

  test('an email that was not sent before its invitation was revoked is not sent', async () => {
    const { owner, program } = await aTeam();
    const path = `/app/programs/${program.programId}`;
    const { body: invited } = await owner.request('POST', `${path}/member-invitations`, { body: { ...body, email: 'never@example.com' } });
    await owner.request('DELETE', `${path}/member-invitations/${invited.id}`);
    await service.drain();
    assert.ok(service.mails.every(({ to }) => to !== 'never@example.com'));
  });
});

describe('the mailbox', () => {
  test('shows an email in a frame that can neither run scripts nor send requests', async () => {
    const { owner, program } = await aTeam();
    const path = `/app/programs/${program.programId}`;
    await owner.request('POST', `${path}/member-invitations`, { body: { email: 'a@example.com', name: 'A', role: 'viewer' } });
    await service.drain();
    const { body } = await owner.request('GET', `${path}/emails`);
    const preview = await owner.request('GET', `${path}/emails/${body.emails[0].id}/preview`);
    assert.match(String(preview.headers['content-type']), /^text\/html/);
    assert.match(String(preview.headers['content-security-policy']), /^sandbox; default-src 'none'/);
    assert.match(preview.text, /^<!doctype html>/);
    const developer = await service.asMember('developer', { program });
    assert.equal((await developer.request('GET', `${path}/emails`)).status, 403);
    const foreign = await service.asMember('owner', { program: service.foreign });
    assert.equal((await foreign.request('GET', `/app/programs/${service.foreign.programId}/emails/${body.emails[0].id}`)).status, 404);
  });
});
