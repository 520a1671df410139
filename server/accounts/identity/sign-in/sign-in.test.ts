import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';
import { openVisitor, readSignInEmail, type Visitor } from '../../../../test/support/visitor.ts';
import { transact } from '../../../platform/db/transact.ts';
import { emailKey } from '../../../platform/lib/email-address.ts';
import { findOrCreateUser } from '../users/user.ts';
import { createVerification } from '../verification/create.ts';

let service: TestService;
let sequence = 0;

before(async () => {
  service = await openTestService();
});
after(() => service.close());

const visit = (): Visitor => openVisitor(service.app);

/** A new user; each test has its own, because emails per address are limited. */
async function newUser(email = `user-${++sequence}@example.com`) {
  const { user } = await transact(service.ctx, (tx) => findOrCreateUser(tx, { email, name: 'Dana Calder' }));
  return user;
}

/** Requests an email in this browser and returns what it contains. */
async function requestEmail(visitor: Visitor, email: string) {
  const before = service.mails.length;
  await visitor.post('/sign-in', { email });
  await service.drain();
  const mail = service.mails.at(-1);
  assert.ok(mail && service.mails.length === before + 1, 'one email');
  return { ...readSignInEmail(mail), mail };
}

const countSessions = async (userId: string) =>
  (await service.ctx.db.selectFrom('sessions').select('id').where('userId', '=', userId).where('endedAt', 'is', null).execute()).length;

describe('signing in by email', () => {
  test('the link shows who signs in, and its button signs in, once', async () => {
    const [browser, user] = [visit(), await newUser()];
    const { path } = await requestEmail(browser, user.email);
    const page = await browser.get(path);
    assert.equal(page.status, 200);
    assert.ok(page.text.includes(user.email));
    assert.ok(!page.text.includes('different browser'));
    const entered = await browser.post(path, {});
    assert.deepEqual([entered.status, entered.headers.location], [303, '/welcome?next=%2Fconsole']);
    assert.equal(await browser.isSignedIn(), true);
    const again = await visit().post(path, {});
    assert.equal(again.status, 410);
    assert.match(again.text, /This link has been used/);
    assert.equal(await countSessions(user.id), 1);
  });

  test('the code signs in only in the browser that asked for it', async () => {
    const [browser, other, user] = [visit(), visit(), await newUser()];
    const { code } = await requestEmail(browser, user.email);
    await other.post('/sign-in', { email: user.email });
    await service.drain();
    assert.equal((await other.post('/sign-in/code', { code: code ?? '' })).status, 400);
    assert.equal(await other.isSignedIn(), false);
    const entered = await browser.post('/sign-in/code', { code: ` ${code?.slice(0, 3)} ${code?.slice(3)} ` });
    assert.equal(entered.status, 303);
    assert.equal(await browser.isSignedIn(), true);
  });

  test('the same steps work as JSON', async () => {
    const [browser, user] = [visit(), await newUser()];
    const requested = await browser.json('POST', '/app/sign-in', { email: user.email });
    assert.equal(requested.status, 202);
    await service.drain();
    const { code } = readSignInEmail(service.mails.at(-1) as never);
    const wrong = await browser.json('POST', '/app/enter/code', { code: code === '000000' ? '000001' : '000000' });
    assert.deepEqual([wrong.status, wrong.body.code], [400, 'wrong_code']);
    const entered = await browser.json('POST', '/app/enter/code', { code, next: '/console/abc' });
    assert.deepEqual([entered.status, entered.body], [200, { redirectPath: '/console/abc' }]);
    assert.equal(await browser.isSignedIn(), true);
    const token = await requestEmail(visit(), user.email);
    const linked = await visit().json('POST', '/app/enter', { token: token.token });
    assert.equal(linked.status, 200);
    const reused = await visit().json('POST', '/app/enter', { token: token.token });
    assert.deepEqual([reused.status, reused.body.code], [400, 'link_used']);
  });

  test('a link that is opened in another browser signs in there and ends the sessions elsewhere', async () => {
    const [first, requesting, other, user] = [visit(), visit(), visit(), await newUser()];
    const { path: firstPath } = await requestEmail(first, user.email);
    await first.post(firstPath, {});
    const { path } = await requestEmail(requesting, user.email);
    assert.equal(await first.isSignedIn(), true);
    assert.match((await other.get(path)).text, /different browser/);
    assert.equal((await other.post(path, {})).status, 303);
    assert.deepEqual([await other.isSignedIn(), await first.isSignedIn(), await requesting.isSignedIn()], [true, false, false]);
  });

  test('a link from the command line has no requesting browser, so it ends no sessions', async () => {
    const [first, second, user] = [visit(), visit(), await newUser()];
    const { path } = await requestEmail(first, user.email);
    await first.post(path, {});
    const { token } = await transact(service.ctx, (tx) =>
      createVerification(tx, { purpose: 'command', email: user.email, emailKey: user.emailKey, userId: user.id }),
    );
    const entered = await second.post(`/enter/${token}`, {});
    assert.deepEqual([entered.status, entered.headers.location], [303, '/console']);
    assert.deepEqual([await first.isSignedIn(), await second.isSignedIn()], [true, true]);
  });

  test('a new session replaces the one that the browser had', async () => {
    const [browser, user] = [visit(), await newUser()];
    await browser.post((await requestEmail(browser, user.email)).path, {});
    const previous = browser.cookies.get('trb');
    await browser.post((await requestEmail(browser, user.email)).path, {});
    assert.notEqual(browser.cookies.get('trb'), previous);
    assert.equal(await countSessions(user.id), 1);
  });

  test('twenty simultaneous requests with one link start exactly one session', async () => {
    const user = await newUser();
    const { path } = await requestEmail(visit(), user.email);
    const pages = await Promise.all(Array.from({ length: 20 }, () => visit().post(path, {})));
    assert.equal(pages.filter(({ status }) => status === 303).length, 1);
    assert.equal(pages.filter(({ status }) => status === 410).length, 19);
    assert.equal(await countSessions(user.id), 1);
  });

  test('the email names the browser and is stored nowhere, nor is what it contains', async () => {
    const user = await newUser();
    const { mail, token, code } = await requestEmail(visit(), user.email);
    assert.match(mail.text, /Requested from Chrome on Windows/);
    assert.ok(mail.html.includes('prefers-color-scheme:dark') && mail.html.includes(String(code)));
    const tables = await service.pool.query<{ name: string }>(
      "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'pgboss')",
    );
    for (const { name } of tables.rows) {
      const found = await service.pool.query(`select 1 from ${name} as row where row::text like '%' || $1 || '%'`, [token]);
      assert.equal(found.rowCount, 0, name);
    }
    assert.equal((await service.pool.query("select 1 from emails where kind = 'sign_in'")).rowCount, 0);
    assert.ok(!service.log.some((line) => line.includes(token) || line.includes(`"${code}"`)));
  });

  test('a browser gets five emails an hour for an address, however it is written', async () => {
    const [browser, user] = [visit(), await newUser()];
    const before = service.mails.length;
    for (let attempt = 0; attempt < 8; attempt += 1) {
      await browser.post('/sign-in', { email: attempt % 2 ? user.email.toUpperCase() : user.email });
      await service.drain();
    }
    assert.equal(service.mails.length, before + 5);
    await requestEmail(visit(), user.email);
  });

  test('addresses that differ only in case belong to the same user, and the email goes to the stored one', async () => {
    const user = await newUser('Case.User@example.com');
    const { mail, path } = await requestEmail(visit(), 'cASE.uSER@EXAMPLE.com');
    assert.equal(mail.to, 'Case.User@example.com');
    await visit().post(path, {});
    assert.equal(await countSessions(user.id), 1);
    const same = await service.ctx.db
      .selectFrom('users')
      .select('id')
      .where('emailKey', '=', emailKey(user.email) ?? '')
      .execute();
    assert.equal(same.length, 1);
  });

  test('a disabled user gets no email, and a link that was sent before no longer works', async () => {
    const [browser, user] = [visit(), await newUser()];
    const { path } = await requestEmail(browser, user.email);
    await service.ctx.db.updateTable('users').set({ status: 'disabled' }).where('id', '=', user.id).execute();
    assert.equal((await browser.post(path, {})).status, 403);
    const before = service.mails.length;
    await browser.post('/sign-in', { email: user.email });
    await service.drain();
    assert.equal(service.mails.length, before);
    assert.equal(await countSessions(user.id), 0);
  });

  test('only paths of this service are opened after signing in', async () => {
    const user = await newUser();
    for (const next of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '/%5C%5Cevil.example\n',
      'javascript:alert(1)',
      '/enter/x',
    ]) {
      service.clock.advance({ seconds: 3601 });
      const browser = visit();
      await browser.post('/sign-in', { email: user.email, next });
      await service.drain();
      const { code } = readSignInEmail(service.mails.at(-1) as never);
      const entered = await browser.post('/sign-in/code', { code: code ?? '', next });
      assert.equal(entered.status, 303);
      assert.match(String(entered.headers.location), /^\/(console|welcome\?next=%2Fconsole)$/, next);
    }
  });

  test('without a mail server the page explains how to get a link', async () => {
    const silent = await openTestService({ withMail: false });
    try {
      await silent.asMember('owner');
      const browser = openVisitor(silent.app);
      for (const path of ['get', 'post'] as const) {
        const page = path === 'get' ? await browser.get('/sign-in') : await browser.post('/sign-in', { email: 'a@example.com' });
        assert.match(page.text, /bin\/tributary user link EMAIL/);
      }
      assert.equal(await silent.drain(), 0);
    } finally {
      await silent.close();
    }
  });
});
