// The link of an invitation is valid for weeks, so for an existing user it accepts the invitation and starts no session.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate } from '../../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestService } from '../../../../test/support/harness.ts';
import { openVisitor, readSignInEmail, type Visitor } from '../../../../test/support/visitor.ts';

let service: TestService;

before(async () => {
  service = await openTestService();
});
after(() => service.close());

/** An owner of another program, invited by this one; and the path of the link. */
async function invite(kind: 'member' | 'affiliate'): Promise<{ user: TestMember; path: string; token: string }> {
  const user = await service.asMember('owner', { program: service.foreign, hasPasskey: false });
  const before = service.mails.length;
  if (kind === 'affiliate') await anAffiliate(service, { email: user.email, sendInvite: true });
  else {
    const host = await service.asMember('owner');
    const body = { email: user.email, name: 'Ola', role: 'finance' };
    const invited = await host.request('POST', `/app/programs/${service.program.programId}/member-invitations`, { body });
    assert.equal(invited.status, 201, invited.text);
  }
  await service.drain();
  const mail = service.mails.slice(before).find(({ to, text }) => to === user.email && text.includes('/enter/'));
  assert.ok(mail);
  return { user, ...readSignInEmail(mail) };
}

const countSessions = async ({ userId }: TestMember) =>
  (await service.ctx.db.selectFrom('sessions').select('id').where('userId', '=', userId).execute()).length;

async function hasJoined({ userId }: TestMember, kind: 'member' | 'affiliate'): Promise<boolean> {
  const table = kind === 'member' ? 'programMembers' : 'affiliateAccounts';
  const rows = service.ctx.db.selectFrom(table).select('userId').where('programId', '=', service.program.programId);
  return (await rows.where('userId', '=', userId).executeTakeFirst()) !== undefined;
}

for (const kind of ['member', 'affiliate'] as const)
  describe(`the link that invites an existing user as ${kind}`, () => {
    test('accepts the invitation, starts no session, and leads to the sign-in', async () => {
      const { user, path } = await invite(kind);
      const browser = openVisitor(service.app);
      const before = await countSessions(user);
      assert.match((await browser.get(path)).text, /Accept the invitation/);
      const accepted = await browser.post(path, {});
      assert.deepEqual([accepted.status, await browser.isSignedIn()], [200, false]);
      assert.match(accepted.text, /Invitation accepted[\s\S]*action="\/sign-in"/);
      assert.deepEqual([await hasJoined(user, kind), await countSessions(user)], [true, before]);
      assert.equal((await browser.post(path, {})).status, 410, 'it works once');
    });

    test('does the same as JSON', async () => {
      const { user, token } = await invite(kind);
      const browser = openVisitor(service.app);
      const entered = await browser.json('POST', '/app/enter', { token });
      assert.deepEqual([entered.status, entered.body.redirectPath, await browser.isSignedIn()], [200, '/sign-in', false]);
      assert.equal(await hasJoined(user, kind), true);
    });

    test('continues in a browser in which the user is signed in', async () => {
      const { user, path } = await invite(kind);
      const browser: Visitor = openVisitor(service.app);
      browser.cookies.set('trb', user.cookie.split('=')[1] ?? '');
      const accepted = await browser.post(path, {});
      assert.deepEqual([accepted.status, accepted.headers.location, await hasJoined(user, kind)], [303, '/console', true]);
    });
  });

test('a person without an account signs in with the link of the invitation', async () => {
  const before = service.mails.length;
  await anAffiliate(service, { email: 'first-time@example.com', sendInvite: true });
  await service.drain();
  const { path } = readSignInEmail(service.mails.slice(before).find(({ text }) => text.includes('/enter/')) as never);
  const browser = openVisitor(service.app);
  assert.equal((await browser.post(path, {})).status, 303);
  assert.equal(await browser.isSignedIn(), true);
});
