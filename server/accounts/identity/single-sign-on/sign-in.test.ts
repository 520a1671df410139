// Signing in through the provider of an organization gives access to the person's own account, and to no other.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { callbackUrl, openSingleSignOn, type SingleSignOn } from '../../../../test/support/single-sign-on/open.ts';
import type { VisitedPage } from '../../../../test/support/visitor.ts';
import { transact } from '../../../platform/db/transact.ts';
import { hashToken } from '../sessions/token.ts';
import { findOrCreateUser } from '../users/user.ts';

describe('single sign-on', () => {
  let signOn: SingleSignOn;
  before(async () => {
    signOn = await openSingleSignOn();
  });
  after(() => signOn.close());

  let count = 0;
  const newPerson = (change = {}) => {
    count += 1;
    const [subject, email] = [`subject-${count}`, `person-${count}@brand.example`];
    signOn.provider.people.set(subject, { email, email_verified: true, name: `Person ${count}`, ...change });
    return { subject, email };
  };
  const countSessions = async () => Number((await signOn.service.pool.query('select count(*) from sessions')).rows[0].count);
  const assertRejected = async (page: VisitedPage, { status, text }: { status: number; text: RegExp }) => {
    assert.equal(page.status, status, page.text);
    assert.match(page.text, text);
    assert.doesNotMatch(String(page.headers['set-cookie'] ?? ''), /^trb=/);
  };
  const findUser = async (email: string) => (await signOn.service.pool.query('select * from users where email = $1', [email])).rows[0];
  const rolesOf = async (userId: string) => {
    const { rows } = await signOn.service.pool.query('select role from organization_members where user_id = $1', [userId]);
    return rows.map(({ role }) => role);
  };

  test('makes a new person a member with the default role, once', async () => {
    const { service, signIn, visit } = signOn;
    const { subject, email } = newPerson();
    assert.match((await visit().get('/sign-in')).text, /formaction="\/sign-in\/sso">Continue with single sign-on/);
    const browser = visit();
    const page = await signIn(subject, email, browser);
    assert.deepEqual([page.status, page.headers.location, await browser.isSignedIn()], [303, '/console/x', true], page.text);
    const { id, name } = await findUser(email);
    assert.deepEqual([name, await rolesOf(id)], [`Person ${count}`, ['reviewer']]);
    const { rows: audited } = await service.pool.query(
      `select action, before, after from audit_log where subject_id = $1 order by created_at, action`,
      [id],
    );
    assert.deepEqual(
      audited.map(({ action, after: changed }) => [action, changed.role ?? changed.method]),
      [
        ['member.added', 'reviewer'],
        ['user.signed_in', 'single_sign_on'],
      ],
    );
    await service.pool.query('delete from organization_members where user_id = $1', [id]);
    assert.equal((await signIn(subject, email)).status, 303);
    assert.deepEqual(await rolesOf(id), []);
  });

  test('links an existing user with the address, and finds them by the subject from then on', async () => {
    const { service, provider, signIn } = signOn;
    const { subject, email } = newPerson();
    const { user } = await transact(service.ctx, (tx) => findOrCreateUser(tx, { email: email.toUpperCase(), name: 'Known' }));
    assert.equal((await signIn(subject, email)).status, 303);
    provider.people.set(subject, { email: 'renamed@brand.example', email_verified: true });
    const browser = signOn.visit();
    assert.equal((await signIn(subject, email, browser)).status, 303);
    const { rows } = await service.pool.query('select user_id from sessions where token_hash = $1', [
      hashToken(browser.cookies.get('trb') ?? ''),
    ]);
    assert.deepEqual(rows, [{ user_id: user.id }]);
    assert.equal(await findUser('renamed@brand.example'), undefined);
  });

  test('accepts the invitations of the address, whose role replaces the default one', async () => {
    const { owner, service, signIn } = signOn;
    const { subject, email } = newPerson();
    const body = { email, name: 'Invited', role: 'finance' };
    assert.equal((await owner.request('POST', `/app/programs/${service.program.programId}/member-invitations`, { body })).status, 201);
    assert.equal((await signIn(subject, email)).status, 303);
    const { id } = await findUser(email);
    const { rows } = await service.pool.query('select role from program_members where user_id = $1', [id]);
    assert.deepEqual([rows, await rolesOf(id)], [[{ role: 'finance' }], []]);
  });

  test('accepts an answer once, and only in the browser that started', async () => {
    const { provider, begin, visit } = signOn;
    const { subject, email } = newPerson();
    const [browser, other] = [visit(), visit()];
    const path = (await provider.signIn(await begin(browser, email), subject)).slice(callbackUrl.indexOf('/sign-in'));
    const expired = { status: 410, text: /This sign-in has expired/ };
    await assertRejected(await visit().get(path), expired);
    await begin(other, email);
    await assertRejected(await other.get(path), expired);
    await assertRejected(await browser.get(path.replace(/state=[^&]+/, 'state=forged')), expired);
    assert.equal((await browser.get(path)).status, 303);
    await assertRejected(await browser.get(path), expired);
  });

  test('rejects an answer after 15 minutes, an ID token for another attempt, and a code for another', async () => {
    const { service, provider, begin, visit } = signOn;
    const { subject, email } = newPerson();
    const [late, first, second] = [visit(), visit(), visit()];
    const answer = async (browser: typeof late) => new URL(await provider.signIn(await begin(browser, email), subject));
    const lateAnswer = await answer(late);
    await service.pool.query(`update single_sign_on_attempts set expires_at = expires_at - interval '16 minutes' where user_id is null`);
    await assertRejected(await late.get(lateAnswer.pathname + lateAnswer.search), { status: 410, text: /expired/ });
    const [one, two] = [await answer(first), await answer(second)];
    two.searchParams.set('code', one.searchParams.get('code') ?? '');
    const sessions = await countSessions();
    await assertRejected(await second.get(two.pathname + two.search), { status: 502, text: /isn’t available/ });
    assert.equal(await countSessions(), sessions);
  });

  test('rejects addresses that are unverified, of other domains, or of another account', async () => {
    const { service, provider, signIn } = signOn;
    const victim = await transact(service.ctx, (tx) => findOrCreateUser(tx, { email: 'victim@elsewhere.example', name: 'V' }));
    const sessions = await countSessions();
    const { email } = newPerson();
    const unverified = newPerson({ email_verified: false });
    await assertRejected(await signIn(unverified.subject, email), { status: 403, text: /isn’t verified/ });
    const foreign = newPerson({ email: victim.user.email });
    await assertRejected(await signIn(foreign.subject, email), { status: 403, text: /can’t be used here/ });
    const denied = await signIn('', email);
    await assertRejected(denied, { status: 403, text: /You weren’t signed in/ });
    assert.equal(await countSessions(), sessions);
    const { subject: former, email: address } = newPerson();
    assert.equal((await signIn(former, address)).status, 303);
    const successor = newPerson({ email: address });
    await assertRejected(await signIn(successor.subject, address), { status: 403, text: /another account/ });
    assert.equal(provider.people.size > 0, true);
  });

  test('links no further person after the DNS record of the domain was removed', async () => {
    const { proveDomain, records, signIn, provider } = signOn;
    await proveDomain('former.example');
    provider.people.set('stays', { email: 'stays@former.example', email_verified: true });
    provider.people.set('late', { email: 'late@former.example', email_verified: true });
    assert.equal((await signIn('stays', 'stays@former.example')).status, 303);
    records.delete('_tributary.former.example');
    await assertRejected(await signIn('late', 'late@former.example'), { status: 403, text: /can’t be used here/ });
    assert.equal((await signIn('stays', 'stays@former.example')).status, 303);
  });

  test('asks for the authenticator app of a user who has one', async () => {
    const { service, signIn, visit } = signOn;
    const { subject, email } = newPerson();
    await signIn(subject, email);
    const { id } = await findUser(email);
    const secret = 'JBSWY3DPEHPK3PXP';
    await service.pool.query(`insert into second_factors (user_id, secret, confirmed_at, created_at) values ($1, $2, now(), now())`, [
      id,
      service.ctx.vault.encrypt(secret, `second_factors:${id}`),
    ]);
    const browser = visit();
    const asked = await signIn(subject, email, browser);
    assert.match(asked.text, /Verify your identity/);
    assert.equal(await browser.isSignedIn(), false);
    const wrong = await browser.post('/sign-in/sso/confirm', { secondFactorCode: '000000' });
    assert.deepEqual([wrong.status, await browser.isSignedIn()], [400, false]);
    const secondFactorCode = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: service.clock.now().getTime() });
    assert.equal((await visit().post('/sign-in/sso/confirm', { secondFactorCode })).status, 410);
    const confirmed = await browser.post('/sign-in/sso/confirm', { secondFactorCode });
    assert.deepEqual([confirmed.status, confirmed.headers.location, await browser.isSignedIn()], [303, '/console/x', true]);
  });

  test('that is required replaces email and passkeys for members, and not for owners', async () => {
    const { service, owner, change, signIn, visit } = signOn;
    const { subject, email } = newPerson();
    await signIn(subject, email);
    const path = await emailLink(email);
    const ownerEmail = 'founder@brand.example';
    await service.pool.query('update users set email = $1, email_key = $1 where id = $2', [ownerEmail, owner.userId]);
    assert.equal((await change('PATCH', '/domains/brand.example', { isRequired: true })).status, 200);
    await assertRejected(await visit().post(path, {}), { status: 403, text: /Your organization requires it/ });
    const body = { email: newPerson().email, name: 'New', role: 'viewer' };
    const invited = await owner.request('POST', `/app/programs/${service.program.programId}/member-invitations`, { body });
    assert.equal(invited.status, 201, invited.text);
    await service.drain();
    const { length } = service.mails;
    const sent = await visit().post('/sign-in', { email });
    assert.match(sent.text, /This domain uses single sign-on/);
    await service.drain();
    assert.equal(service.mails.length, length);
    assert.equal((await visit().post(await emailLink(ownerEmail), {})).status, 303);
    assert.equal((await signIn(subject, email)).status, 303);
    const invitation = service.mails.findLast(({ to }) => to === body.email)?.text ?? '';
    const token = /\/enter\/([\w-]{43})/.exec(invitation)?.[1] ?? assert.fail('no invitation');
    const { status, body: error } = await visit().json('POST', '/app/enter', { token });
    assert.deepEqual([status, error.code], [400, 'single_sign_on_required']);
  });

  async function emailLink(email: string): Promise<string> {
    const { service, visit } = signOn;
    await visit().post('/sign-in', { email });
    await service.drain();
    const mail = service.mails.findLast(({ to }) => to === email);
    return /\/enter\/[\w-]{43}/.exec(mail?.text ?? '')?.[0] ?? assert.fail(`no link for ${email}`);
  }
});
