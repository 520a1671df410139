import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { openTestService, type TestMember, type TestService } from '../../../../test/support/harness.ts';

describe('an email reports every change to how a user signs in', () => {
  let service: TestService;
  let user: TestMember;
  before(async () => {
    service = await openTestService();
    user = await service.asMember('owner');
  });
  after(() => service.close());

  const subjects = async () => {
    await service.drain();
    return service.mails.filter(({ to }) => to === user.email).map(({ subject }) => subject);
  };

  test('for the authenticator app and its recovery codes, once per change, and only if it succeeded', async () => {
    const started = await user.request('POST', '/app/second-factor');
    const code = () => {
      service.clock.advance({ seconds: 30 });
      return new TOTP({ secret: Secret.fromBase32(started.body.secret) }).generate({ timestamp: service.clock.now().getTime() });
    };
    assert.equal((await user.request('POST', '/app/second-factor/confirm', { body: { code: '000000' } })).status, 400);
    assert.deepEqual(await subjects(), []);
    assert.equal((await user.request('POST', '/app/second-factor/confirm', { body: { code: code() } })).status, 200);
    assert.equal((await user.request('POST', '/app/second-factor/recovery-codes')).status, 201);
    assert.equal((await user.request('POST', '/app/second-factor/remove', { body: { code: code() } })).status, 200);
    // The jobs run in any order.
    assert.deepEqual((await subjects()).sort(), [
      'An authenticator app was set up',
      'New recovery codes were created',
      'The authenticator app was removed',
    ]);
  });

  test('for a passkey, with its name as text, in their language, and in the mailbox of no program', async () => {
    await user.request('PATCH', '/app/me', { body: { locale: 'de' } });
    const id = service.ctx.ids.uuid();
    await service.pool.query(
      `insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name, created_at)
       values ($1, $2, $3, $3, 0, '{}', '<b>Laptop</b>', now())`,
      [id, user.userId, Buffer.from('credential')],
    );
    assert.equal((await user.request('DELETE', `/app/passkeys/${id}`)).status, 200);
    assert.equal((await user.request('DELETE', `/app/passkeys/${id}`)).status, 404);
    assert.equal((await subjects()).filter((subject) => subject === 'Ein Passkey wurde entfernt').length, 1);
    const mail = service.mails.at(-1);
    assert.ok(mail);
    assert.ok(mail.html.includes('&lt;b&gt;Laptop&lt;/b&gt;'));
    assert.ok(!mail.html.includes('<b>'));
    assert.equal(mail.unsubscribeUrl, undefined);
    const { rows } = await service.pool.query('select count(*)::int as stored from emails');
    assert.equal(rows[0].stored, 0);
  });
});
