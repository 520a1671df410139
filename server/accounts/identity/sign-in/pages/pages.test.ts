import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate } from '../../../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../../../test/support/harness.ts';
import { prepareAttempts, type SignInAttempts } from '../../../../../test/support/sign-in-attempts.ts';

let service: TestService;
let attempts: SignInAttempts;

before(async () => {
  service = await openTestService();
  attempts = prepareAttempts(service);
});
after(() => service.close());

describe('the sign-in pages', () => {
  test('change nothing and sign in no user when they are fetched', async () => {
    const { browser, path, userId } = await attempts.newVictim();
    for (const headers of [{}, { 'sec-purpose': 'prefetch' }, { purpose: 'prefetch' }]) {
      for (let fetched = 0; fetched < 5; fetched += 1) {
        const page = await browser.get(path, headers);
        assert.deepEqual([page.status, page.headers['set-cookie']], [200, undefined]);
      }
    }
    const head = await service.app.inject({ method: 'HEAD', url: path, headers: { host: 'api.test' } });
    assert.equal(head.statusCode, 200);
    assert.equal(await attempts.countSessions(userId), 0);
    assert.equal((await browser.post(path, {})).status, 303);
  });

  test('accept forms from themselves only', async () => {
    const { browser, path, code, email, userId } = await attempts.newVictim();
    const foreign = [
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
      { origin: 'http://api.test', 'sec-fetch-site': 'same-site' },
      { origin: 'http://api.test.evil.example', 'sec-fetch-site': 'same-origin' },
    ];
    for (const headers of foreign) {
      for (const [target, fields] of [
        [path, {}],
        ['/sign-in', { email: email }],
        ['/sign-in/code', { code: code ?? '' }],
      ] as const) {
        const page = await browser.post(target, fields, headers);
        assert.equal(page.status, 403, `${target} ${JSON.stringify(headers)}`);
      }
      const json = await browser.json('POST', '/app/enter/code', { code }, headers);
      assert.equal(json.status, 403);
    }
    const withoutOrigin = await service.app.inject({ method: 'POST', url: path, headers: { host: 'api.test' } });
    assert.equal(withoutOrigin.statusCode, 403);
    assert.equal(await attempts.countSessions(userId), 0);
  });

  test('are never stored, framed, or allowed to load anything from elsewhere', async () => {
    const { path } = await attempts.newVictim();
    for (const url of ['/sign-in', path, '/enter/unknown']) {
      const { headers } = await attempts.visit().get(url);
      assert.equal(headers['cache-control'], 'no-store');
      assert.equal(headers['referrer-policy'], 'same-origin');
      const policy = String(headers['content-security-policy']);
      assert.match(
        policy,
        /^default-src 'none'; style-src 'sha256-[\w+/=]+'; script-src 'self';.*form-action 'self'.*frame-ancestors 'none'$/,
      );
    }
  });

  test('name each problem of a link, and offer a new one', async () => {
    const { browser, path } = await attempts.newVictim();
    const unknown = await browser.get('/enter/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA');
    assert.deepEqual([unknown.status, /isn’t valid/.test(unknown.text)], [404, true]);
    service.clock.advance({ seconds: 15 * 60 });
    const expired = await browser.get(path);
    assert.deepEqual([expired.status, /has expired/.test(expired.text)], [410, true]);
    assert.match(expired.text, /Send a new link/);
    assert.equal((await browser.post(path, {})).status, 410);
  });

  test('are in German for a German browser', async () => {
    const page = await attempts.visit().get('/sign-in', { 'accept-language': 'de-CH,de;q=0.9,en;q=0.5' });
    assert.match(page.text, /<html lang="de">/);
    assert.match(page.text, /Anmelden/);
    assert.match((await attempts.visit().get('/sign-in', { 'accept-language': 'fr, en;q=0.8, de;q=0.2' })).text, /<html lang="en">/);
  });

  test('ask for the name at the first sign-in', async () => {
    const { browser, path, userId } = await attempts.newVictim();
    await browser.post(path, {});
    assert.match((await browser.get('/welcome')).text, /value="Ada"/);
    assert.equal((await browser.post('/welcome', { name: '  ' })).status, 400);
    const saved = await browser.post('/welcome', { name: 'Dana C.', next: '/console/x' });
    assert.deepEqual([saved.status, saved.headers.location], [303, '/console/x']);
    const { name } = await service.ctx.db.selectFrom('users').select('name').where('id', '=', userId).executeTakeFirstOrThrow();
    assert.equal(name, 'Dana C.');
    assert.equal((await attempts.visit().get('/welcome')).status, 303);
  });

  test('ask an affiliate for the name of the invitation, and mention no other members', async () => {
    await anAffiliate(service, { email: 'noor@example.com', firstName: 'Noor', lastName: 'Haddad', sendInvite: true });
    await service.drain();
    const mail = service.mails.findLast(({ to }) => to === 'noor@example.com');
    const browser = attempts.visit();
    await browser.post(/\/enter\/[\w-]{43}/.exec(mail?.text ?? '')?.[0] ?? '', {});
    const { text } = await browser.get('/welcome');
    assert.match(text, /value="Noor Haddad"/);
    assert.match(text, /Is this your name\?/);
    assert.doesNotMatch(text, /other members/);
  });
});
