// Moving money needs a second factor that was used in the session, and that a stolen mailbox could not have set up.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { openTestService, type TestMember, type TestProgram, type TestService } from '../../../../test/support/harness.ts';
import { prepareAttempts, type SignInAttempts } from '../../../../test/support/sign-in-attempts.ts';
import type { Visitor } from '../../../../test/support/visitor.ts';

let service: TestService;
let attempts: SignInAttempts;
let program: TestProgram;
let owner: TestMember;

before(async () => {
  service = await openTestService();
  attempts = prepareAttempts(service);
});
after(() => service.close());
beforeEach(async () => {
  program = await service.newProgram(`Money ${Math.random()}`);
  owner = await service.asMember('owner', { program });
});

const currentCode = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: service.clock.now().getTime() });

/** Signs a user in with the link of an email. */
async function signInByEmail(email: string, fields: Record<string, string> = {}): Promise<Visitor> {
  const browser = attempts.visit();
  const { path } = await attempts.requestEmail(browser, email);
  assert.equal((await browser.post(path, fields)).status, 303);
  return browser;
}

async function enrol(browser: Visitor): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { body } = await browser.json('POST', '/app/second-factor');
  const confirmed = await browser.json('POST', '/app/second-factor/confirm', { code: currentCode(body.secret) });
  assert.equal(confirmed.status, 200, confirmed.text);
  service.clock.advance({ seconds: 30 });
  return { secret: body.secret, recoveryCodes: confirmed.body.recoveryCodes };
}

const dispatch = async (browser: Visitor, { path } = program) => {
  const { status, body } = await browser.json('POST', `${path}/payouts/dispatch`, {});
  return [status, body.code];
};
const allowed = [422, 'nothing_due'];

describe('control of the mailbox without a second factor', () => {
  test('cannot use the passkey that the user owns: neither to pay, nor to remove it or to add another', async () => {
    const finance = await service.asMember('finance', { program });
    const browser = await signInByEmail(finance.email);
    assert.deepEqual(await dispatch(browser), [403, 'second_factor_required']);
    const { body } = await browser.json('GET', '/app/passkeys');
    const denied = [
      await browser.json('DELETE', `/app/passkeys/${body.passkeys[0].id}`),
      await browser.json('POST', '/app/passkeys/register-options'),
      await browser.json('POST', '/app/second-factor'),
    ];
    assert.deepEqual(
      denied.map((response) => [response.status, response.body.code, response.body.isSetUp]),
      Array.from({ length: 3 }, () => [403, 'second_factor_required', true]),
    );
  });

  test('cannot pay with an app that it sets up in the same session, nor in the next 24 hours', async () => {
    const finance = await service.asMember('finance', { program, hasPasskey: false });
    const browser = await signInByEmail(finance.email);
    assert.deepEqual(await dispatch(browser), [403, 'second_factor_required']);
    const { secret, recoveryCodes } = await enrol(browser);
    assert.deepEqual(await dispatch(browser), [403, 'second_factor_waiting']);
    service.clock.advance({ seconds: 24 * 3600 - 90 });
    const again = await signInByEmail(finance.email, { secondFactorCode: recoveryCodes[0] ?? '' });
    assert.deepEqual(await dispatch(again), [403, 'second_factor_waiting']);
    service.clock.advance({ seconds: 90 });
    assert.deepEqual(await dispatch(again), allowed);
    assert.deepEqual(await dispatch(await signInByEmail(finance.email, { secondFactorCode: currentCode(secret) })), allowed);
  });

  test('is noticed by all owners: each receives an email about a first factor and a removed one', async () => {
    const other = await service.asMember('owner', { program });
    const finance = await service.asMember('finance', { program, hasPasskey: false, name: 'Finn Cash' });
    const browser = await signInByEmail(finance.email);
    const { secret } = await enrol(browser);
    await browser.json('POST', '/app/second-factor/remove', { code: currentCode(secret) });
    await service.drain();
    const notices = service.mails.filter(({ subject }) => subject.includes('Finn Cash'));
    assert.deepEqual(notices.map(({ to }) => to).sort(), [owner.email, owner.email, other.email, other.email].sort());
    assert.match(notices[0]?.text ?? '', /24 hours/);
  });
});

describe('a second factor', () => {
  test('that was removed makes the remaining one wait', async () => {
    const finance = await service.asMember('finance', { program });
    const { body } = await finance.request('GET', '/app/passkeys');
    const started = await finance.request('POST', '/app/second-factor', {});
    const code = currentCode(started.body.secret);
    assert.equal((await finance.request('POST', '/app/second-factor/confirm', { body: { code } })).status, 200);
    const pay = async () => (await finance.request('POST', `${program.path}/payouts/dispatch`, { body: {} })).body.code;
    assert.equal(await pay(), 'nothing_due', 'a further factor, added with the first one, counts immediately');
    await service.ctx.db.updateTable('sessions').set({ isFromCommand: false }).where('id', '=', finance.sessionId).execute();
    assert.equal((await finance.request('DELETE', `/app/passkeys/${body.passkeys[0].id}`)).status, 200);
    assert.equal(await pay(), 'second_factor_waiting');
  });

  test('that was removed no longer counts in other sessions', async () => {
    const finance = await service.asMember('finance', { program });
    await service.ctx.db
      .insertInto('secondFactors')
      .values({ userId: finance.userId, secret: Buffer.from('x'), confirmedAt: service.clock.now(), createdAt: service.clock.now() })
      .execute();
    const thief = await service.signIn(finance.userId);
    const { body } = await finance.request('GET', '/app/passkeys');
    assert.equal((await finance.request('DELETE', `/app/passkeys/${body.passkeys[0].id}`)).status, 200);
    const headers = { cookie: thief.cookie, origin: 'http://api.test' };
    const denied = await service.request('POST', `${program.path}/payouts/dispatch`, { key: null, headers, body: {} });
    assert.deepEqual([denied.status, denied.body.code], [403, 'second_factor_required']);
  });

  test('counts immediately when another owner confirms the member, who cannot do it themselves', async () => {
    const second = await service.asMember('owner', { program, hasPasskey: false });
    const browser = await signInByEmail(second.email);
    await enrol(browser);
    assert.deepEqual(await dispatch(browser), [403, 'second_factor_waiting']);
    const path = `/app/programs/${program.programId}/members/${second.userId}/confirm`;
    const own = await browser.json('POST', path, {});
    assert.deepEqual([own.status, own.body.code], [403, 'second_factor_waiting']);
    const admin = await service.asMember('admin', { program });
    assert.equal((await admin.request('POST', path, { body: {} })).body.code, 'permission_required');
    const confirmed = await owner.request('POST', path, { body: {} });
    assert.deepEqual([confirmed.status, confirmed.body.paysFrom], [200, null], confirmed.text);
    assert.deepEqual(await dispatch(browser), allowed);
  });

  test('that one program confirmed waits in every other program', async () => {
    const elsewhere = await service.newProgram(`Elsewhere ${Math.random()}`);
    const finance = await service.asMember('finance', { program, hasPasskey: false });
    await service.ctx.db
      .insertInto('programMembers')
      .values({ programId: elsewhere.programId, userId: finance.userId, role: 'finance', createdAt: new Date(0), roleSince: new Date(0) })
      .execute();
    const { programId } = elsewhere;
    await service.ctx.db.insertInto('personPrograms').values({ kind: 'member', person: finance.userId, programId }).execute();
    const browser = await signInByEmail(finance.email);
    await enrol(browser);
    await owner.request('POST', `/app/programs/${program.programId}/members/${finance.userId}/confirm`, { body: {} });
    assert.deepEqual(await dispatch(browser), allowed);
    assert.deepEqual(await dispatch(browser, elsewhere), [403, 'second_factor_waiting']);
  });

  test('counts immediately when it is set up in a session of the command line, and in a program in test mode', async () => {
    const first = await service.asMember('owner', { program, hasPasskey: false });
    const started = await first.request('POST', '/app/second-factor', {});
    const code = currentCode(started.body.secret);
    assert.equal((await first.request('POST', '/app/second-factor/confirm', { body: { code } })).status, 200);
    assert.equal((await first.request('POST', `${program.path}/payouts/dispatch`, { body: {} })).body.code, 'nothing_due');
    const finance = await service.asMember('finance', { program, hasPasskey: false });
    const browser = await signInByEmail(finance.email);
    await service.ctx.db.updateTable('programs').set({ mode: 'test' }).where('id', '=', program.programId).execute();
    assert.deepEqual(await dispatch(browser), [403, 'second_factor_required']);
    await enrol(browser);
    assert.deepEqual(await dispatch(browser), allowed);
  });
});
