import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';
import { prepareAttempts, type SignInAttempts } from '../../../../test/support/sign-in-attempts.ts';
import type { Visitor } from '../../../../test/support/visitor.ts';
import { delayAfter } from './check.ts';
import { parseRecoveryCode } from './recovery-codes.ts';
import { findStep, generateSecret } from './totp.ts';

let service: TestService;
let attempts: SignInAttempts;

before(async () => {
  service = await openTestService();
  attempts = prepareAttempts(service);
});
after(() => service.close());

const codeAt = (secret: string, at: Date): string => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at.getTime() });
const currentCode = (secret: string): string => codeAt(secret, service.clock.now());

type Enrolled = { browser: Visitor; email: string; userId: string; secret: string; recoveryCodes: string[] };

/** A signed-in user with an authenticator app. */
async function enrol(): Promise<Enrolled> {
  const { browser, path, email, userId } = await attempts.newVictim();
  await browser.post(path, {});
  const started = await browser.json('POST', '/app/second-factor');
  assert.equal(started.status, 201);
  const confirmed = await browser.json('POST', '/app/second-factor/confirm', { code: currentCode(started.body.secret) });
  assert.equal(confirmed.status, 200);
  service.clock.advance({ seconds: 30 });
  return { browser, email, userId, secret: started.body.secret, recoveryCodes: confirmed.body.recoveryCodes };
}

describe('a code of an authenticator app', () => {
  const secret = generateSecret();
  const now = new Date('2026-03-01T12:00:10Z');
  const step = Math.floor(now.getTime() / 30_000);

  test('is accepted one step early or late, and no further', () => {
    const offsets = [-2, -1, 0, 1, 2].map((offset) =>
      findStep(secret, codeAt(secret, new Date(now.getTime() + offset * 30_000)), { now, lastStep: 0 }),
    );
    assert.deepEqual(offsets, [null, step - 1, step, step + 1, null]);
  });

  test("can't be reused, and neither can an earlier code", () => {
    assert.equal(findStep(secret, codeAt(secret, now), { now, lastStep: step }), null);
    assert.equal(findStep(secret, codeAt(secret, new Date(now.getTime() - 30_000)), { now, lastStep: step }), null);
  });

  test('has six digits', () => {
    for (const code of ['', '12345', '1234567', 'abcdef', '１２３４５６']) assert.equal(findStep(secret, code, { now, lastStep: 0 }), null);
  });
});

test('delays grow from the tenth failure on, up to an hour', () => {
  assert.deepEqual([1, 9, 10, 11, 12, 30].map(delayAfter), [0, 0, 30_000, 60_000, 120_000, 3_600_000]);
});

test('recovery codes are read however they were typed', () => {
  assert.equal(parseRecoveryCode(' K3FM-p8qa x7dz'), 'k3fmp8qax7dz');
  assert.equal(parseRecoveryCode('k3fm-p8qa-x7d'), null);
  assert.equal(parseRecoveryCode('k3fm-p8qa-x7d0'), null);
});

describe('with an authenticator app', () => {
  test('its secret is encrypted, and it is not required before it is confirmed', async () => {
    const { browser, path, email, userId } = await attempts.newVictim();
    await browser.post(path, {});
    const { body } = await browser.json('POST', '/app/second-factor');
    assert.match(body.qrCodeSvg, /^<svg/);
    assert.ok(body.url.includes(encodeURIComponent(email)) && body.url.includes(body.secret));
    const row = await service.ctx.db.selectFrom('secondFactors').selectAll().where('userId', '=', userId).executeTakeFirstOrThrow();
    assert.ok(!row.secret.toString('latin1').includes(body.secret));
    const wrong = await browser.json('POST', '/app/second-factor/confirm', { code: '000000' });
    assert.deepEqual([wrong.status, wrong.body.code], [400, 'wrong_code']);
    const again = attempts.visit();
    assert.equal((await again.post((await attempts.requestEmail(again, email)).path, {})).status, 303);
  });

  test('a sign-in by email needs a code of it, too; the link can be used until then', async () => {
    const { email, secret } = await enrol();
    const browser = attempts.visit();
    const { path } = await attempts.requestEmail(browser, email);
    const asked = await browser.post(path, {});
    assert.match(asked.text, /Verify your identity/);
    assert.equal(await browser.isSignedIn(), false);
    const wrong = await browser.post(path, { secondFactorCode: '000000' });
    assert.deepEqual([wrong.status, await browser.isSignedIn()], [400, false]);
    assert.equal((await browser.post(path, { secondFactorCode: currentCode(secret) })).status, 303);
    assert.equal(await browser.isSignedIn(), true);
  });

  test('a sign-in by code needs it as well, and a code of the app works once', async () => {
    const { email, secret } = await enrol();
    const browser = attempts.visit();
    const { code } = await attempts.requestEmail(browser, email);
    const asked = await browser.json('POST', '/app/enter/code', { code });
    assert.deepEqual([asked.status, asked.body.code], [400, 'second_factor_required']);
    const secondFactorCode = currentCode(secret);
    assert.equal((await browser.json('POST', '/app/enter/code', { code, secondFactorCode })).status, 200);
    const other = attempts.visit();
    const next = await attempts.requestEmail(other, email);
    const reused = await other.json('POST', '/app/enter/code', { code: next.code, secondFactorCode });
    assert.deepEqual([reused.status, reused.body.code], [400, 'wrong_second_factor']);
  });

  test('a recovery code replaces it once, even when it is sent twice at the same time', async () => {
    const { email, recoveryCodes } = await enrol();
    assert.equal(recoveryCodes.length, 10);
    const [secondFactorCode = ''] = recoveryCodes;
    const requested = [];
    for (let index = 0; index < 4; index += 1) {
      const browser = attempts.visit();
      requested.push({ browser, ...(await attempts.requestEmail(browser, email)) });
    }
    const pages = await Promise.all(requested.map(({ browser, path }) => browser.post(path, { secondFactorCode })));
    assert.equal(pages.filter(({ status }) => status === 303).length, 1);
  });

  test('ten wrong codes are followed by a delay, even for the right one', async () => {
    const { email, secret } = await enrol();
    const browser = attempts.visit();
    const { path } = await attempts.requestEmail(browser, email);
    for (let attempt = 0; attempt < 9; attempt += 1) {
      assert.equal((await attempts.elsewhere(browser).post(path, { secondFactorCode: '000000' })).status, 400);
    }
    const tenth = await browser.post(path, { secondFactorCode: '000000' });
    assert.deepEqual([tenth.status, tenth.headers['retry-after']], [429, '30']);
    assert.equal((await browser.post(path, { secondFactorCode: currentCode(secret) })).status, 429);
    service.clock.advance({ seconds: 31 });
    assert.equal((await browser.post(path, { secondFactorCode: currentCode(secret) })).status, 303);
  });

  test('new recovery codes replace the old ones, and it is removed with a code', async () => {
    const { browser, email, secret, recoveryCodes } = await enrol();
    const renewed = await browser.json('POST', '/app/second-factor/recovery-codes');
    assert.equal(renewed.status, 201);
    const old = await browser.json('POST', '/app/second-factor/remove', { code: recoveryCodes[0] });
    assert.deepEqual([old.status, old.body.code], [400, 'wrong_code']);
    assert.equal((await browser.json('POST', '/app/second-factor', {})).body.code, 'authenticator_enabled');
    assert.equal((await browser.json('POST', '/app/second-factor/remove', { code: currentCode(secret) })).status, 200);
    assert.equal((await browser.json('POST', '/app/second-factor/recovery-codes')).body.code, 'authenticator_not_enabled');
    const other = attempts.visit();
    assert.equal((await other.post((await attempts.requestEmail(other, email)).path, {})).status, 303);
  });
});

describe('confirming an identity', () => {
  test('renews the session under a new token, so that sensitive operations are possible again', async () => {
    const { browser, path } = await attempts.newVictim();
    await browser.post(path, {});
    service.clock.advance({ seconds: 601 });
    const stale = await browser.json('POST', '/app/second-factor');
    assert.deepEqual([stale.status, stale.body.code], [403, 'fresh_sign_in_required']);
    assert.deepEqual((await browser.json('GET', '/app/confirm')).body.methods, ['email']);
    await browser.json('POST', '/app/confirm/email');
    await service.drain();
    const code = /^Code: (\d{6})$/m.exec(service.mails.at(-1)?.text ?? '')?.[1];
    assert.match(service.mails.at(-1)?.subject ?? '', /confirmation code/);
    const previous = attempts.elsewhere(browser);
    const confirmed = await browser.json('POST', '/app/confirm', { method: 'email', code });
    assert.equal(confirmed.status, 200);
    assert.deepEqual([await browser.isSignedIn(), await previous.isSignedIn()], [true, false]);
    assert.equal((await browser.json('POST', '/app/second-factor')).status, 201);
    const again = await browser.json('POST', '/app/confirm', { method: 'email', code });
    assert.deepEqual([again.status, again.body.code], [400, 'not_confirmed']);
  });

  test('needs the session that asked for the code', async () => {
    const { browser, path, email } = await attempts.newVictim();
    await browser.post(path, {});
    const other = attempts.visit();
    await other.post((await attempts.requestEmail(other, email)).path, {});
    await browser.json('POST', '/app/confirm/email');
    await service.drain();
    const code = /^Code: (\d{6})$/m.exec(service.mails.at(-1)?.text ?? '')?.[1];
    assert.equal((await other.json('POST', '/app/confirm', { method: 'email', code })).status, 400);
  });

  test('uses the app of a user who has one, not the mailbox', async () => {
    const { browser, secret } = await enrol();
    assert.deepEqual((await browser.json('GET', '/app/confirm')).body.methods, ['authenticator']);
    const byEmail = await browser.json('POST', '/app/confirm/email');
    assert.deepEqual([byEmail.status, byEmail.body.code], [400, 'method_unavailable']);
    const code = currentCode(secret);
    assert.equal((await browser.json('POST', '/app/confirm', { method: 'authenticator', code })).status, 200);
    assert.equal((await browser.json('POST', '/app/confirm', { method: 'authenticator', code })).status, 400);
  });
});
