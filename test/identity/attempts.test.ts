// Five hundred attempts to sign in without the emailed proof. Each category states how many it makes; none may succeed,
// and no session may exist at the end. The owner of the mailbox can still sign in after each of them.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { openTestService, type TestService } from '../support/harness.ts';
import { type Attempt, prepareAttempts, repeat, type SignInAttempts, wrongCodeFor } from '../support/sign-in-attempts.ts';

let service: TestService;
let attempts: SignInAttempts;

before(async () => {
  service = await openTestService();
  attempts = prepareAttempts(service);
});
after(async () => {
  await service.close();
  assert.ok(attempts.total() >= 500, `${attempts.total()} attempts`);
});

describe('without the emailed proof, no attempt signs in', () => {
  test('reuse: 40 uses of a link and a code that were used', async () => {
    const { path, token, code, browser } = await attempts.newVictim();
    assert.equal((await browser.post(path, {})).status, 303);
    await attempts.attemptAll([
      ...repeat(10, () => attempts.visit().post(path, {})),
      ...repeat(10, () => attempts.visit().json('POST', '/app/enter', { token })),
      ...repeat(10, () => browser.post('/sign-in/code', { code })),
      ...repeat(10, () => browser.json('POST', '/app/enter/code', { code })),
    ]);
  });

  test('expiry: 40 uses of a link and a code after 15 minutes', async () => {
    const { path, token, code, browser } = await attempts.newVictim();
    service.clock.advance({ seconds: 15 * 60 });
    await attempts.attemptAll([
      ...repeat(10, () => attempts.visit().post(path, {})),
      ...repeat(10, () => attempts.visit().json('POST', '/app/enter', { token })),
      ...repeat(10, () => browser.post('/sign-in/code', { code })),
      ...repeat(10, () => browser.json('POST', '/app/enter/code', { code })),
    ]);
  });

  test('other browser: 40 entries of the right code elsewhere', async () => {
    const { code, email, browser } = await attempts.newVictim();
    const withOwnRequest = attempts.visit();
    await withOwnRequest.post('/sign-in', { email: 'unknown@brand.example' });
    await service.drain();
    await attempts.attemptAll([
      ...repeat(15, () => attempts.visit().post('/sign-in/code', { code })),
      ...repeat(10, () => attempts.visit().json('POST', '/app/enter/code', { code })),
      ...repeat(5, () => withOwnRequest.post('/sign-in/code', { code })),
      ...repeat(10, () => attempts.visit().post('/sign-in/code', { code, email })),
    ]);
    assert.equal((await browser.post('/sign-in/code', { code })).status, 303);
  });

  test('scanners: 60 fetches of the link, in every way that mail systems fetch', async () => {
    const { path, token } = await attempts.newVictim();
    const agents = ['Mozilla/5.0 (compatible; bingbot/2.0)', 'Slackbot-LinkExpanding 1.0', 'Barracuda Sentinel', 'curl/8.5'];
    const inject = (method: string, url: string, headers: Record<string, string> = {}): ReturnType<Attempt> =>
      service.app
        .inject({ method: method as 'GET', url, headers: { host: 'api.test', ...headers } })
        .then(({ statusCode, headers: sent }) => ({ status: statusCode, headers: sent }));
    await attempts.attemptAll([
      ...repeat(20, (index) => attempts.visit({ userAgent: agents[index % agents.length] ?? '' }).get(path)),
      ...repeat(10, () => inject('HEAD', path)),
      ...repeat(10, () => attempts.visit().get(path, { 'sec-purpose': 'prefetch;prerender' })),
      ...repeat(5, () => inject('OPTIONS', path)),
      ...repeat(5, () => inject('PUT', path)),
      // A scanner that submits forms sends no Origin, because it shows no page.
      ...repeat(10, () =>
        inject('POST', path, { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': `scanner for ${token}` }),
      ),
    ]);
    assert.equal((await attempts.visit().post(path, {})).status, 303);
  });

  test('guessed codes: 40 in a row, of which ten are compared', async () => {
    const { code, browser, userId } = await attempts.newVictim();
    await attempts.attemptAll(
      repeat(40, (index) => attempts.elsewhere(browser).post('/sign-in/code', { code: wrongCodeFor(code, index + 1) })),
    );
    assert.equal((await attempts.elsewhere(browser).post('/sign-in/code', { code })).status, 400, 'the email is invalid after ten');
    assert.equal(await attempts.countSessions(userId), 0);
  });

  test('guessed codes in parallel: 60 at the same time, the right one among them after the tenth', async () => {
    const { code, browser, userId } = await attempts.newVictim();
    const first = repeat(10, (index) => attempts.elsewhere(browser).post('/sign-in/code', { code: wrongCodeFor(code, index + 1) }));
    await attempts.attemptAll(first, { parallel: true });
    await attempts.attemptAll(
      repeat(50, (index) =>
        attempts.elsewhere(browser).post('/sign-in/code', { code: index === 25 ? code : wrongCodeFor(code, index + 20) }),
      ),
      { parallel: true },
    );
    const rows = await service.ctx.db.selectFrom('emailVerifications').select('failedAttempts').where('userId', '=', userId).execute();
    assert.deepEqual(rows, [{ failedAttempts: 10 }]);
  });

  test('look-alike addresses: 30 with letters of other alphabets reach no user', async () => {
    const { email, userId } = await attempts.newVictim();
    const lookAlikes = [
      email.replace('i', '\u0456'), // Cyrillic
      email.replace('c', '\u0441'),
      email.replace('brand', 'br\u0430nd'),
      email.replace('brand', 'bra\u0578d'), // Armenian
      email.replace('brand', '\uff42rand'), // full width
      email.replace('v', '\u1d20'), // small capital
      email.replace('t', '\u200bt'), // zero width
      email.replace('@', '\uff20'),
      email.replace('brand', 'bra\u00adnd'), // soft hyphen
      email.replace('.example', '.example.'),
    ];
    const before = service.mails.length;
    await attempts.attemptAll(
      lookAlikes.flatMap((address) => [
        () => attempts.visit().post('/sign-in', { email: address }),
        () => attempts.visit().json('POST', '/app/sign-in', { email: address }),
        () => attempts.visit().post('/sign-in', { email: `"${address}"@${address}` }),
      ]),
    );
    await service.drain();
    assert.ok(
      service.mails.slice(before).every(({ to }) => to !== email),
      'no email to the look-alike',
    );
    assert.equal(service.mails.length, before);
    assert.equal(await attempts.countSessions(userId), 0);
  });

  test('addresses in other cases: 20 send the email to the same user, and create no other', async () => {
    const { email, userId } = await attempts.newVictim();
    const users = async () => (await service.ctx.db.selectFrom('users').select('id').execute()).length;
    const before = await users();
    const variants = Array.from({ length: 20 }, (_, index) =>
      [...email].map((character, at) => ((at + index) % 3 === 0 ? character.toUpperCase() : character)).join(''),
    );
    const mails = service.mails.length;
    await attempts.attemptAll(variants.map((variant) => () => attempts.visit().post('/sign-in', { email: variant })));
    await service.drain();
    const sent = service.mails.slice(mails);
    // Each comes from another network; ten recent emails that were not used are enough.
    assert.ok(sent.length > 0 && sent.length <= 10 && sent.every(({ to }) => to === email));
    assert.equal(await users(), before);
    assert.equal(await attempts.countSessions(userId), 0);
  });

  test('malformed tokens: 80 that are Unicode, truncated, extended, swapped or hashed', async () => {
    const { token, userId } = await attempts.newVictim();
    const other = await attempts.newVictim();
    const stored = await service.ctx.db.selectFrom('emailVerifications').selectAll().where('userId', '=', userId).executeTakeFirstOrThrow();
    const malformed = [
      '',
      ' ',
      'null',
      'undefined',
      '0',
      '%00',
      '%ff',
      '..',
      '../sign-in',
      '%2e%2e%2fsign-in',
      "' or 1=1 --",
      '*',
      '%25',
      '\u{1f511}',
      'a'.repeat(43),
      'A'.repeat(5000),
      token.slice(0, -1),
      token.slice(1),
      `${token}A`,
      `A${token}`,
      token.toLowerCase(),
      token.toUpperCase(),
      token.split('').reverse().join(''),
      `${token}=`,
      `${token}%00`,
      ` ${token}`,
      `${token.slice(0, 21)}${other.token.slice(21)}`,
      `${other.token.slice(0, 21)}${token.slice(21)}`,
      stored.tokenHash.toString('hex'),
      stored.tokenHash.toString('base64url'),
      stored.id,
      stored.userId ?? '',
      stored.codeHash?.toString('hex') ?? '',
      stored.browserHash?.toString('base64url') ?? '',
      token.normalize('NFKD').replace(/[A-Za-z]/, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
      Buffer.from(token).toString('base64url'),
      encodeURIComponent(`${token}\u200b`),
      encodeURIComponent(`\u202e${token}`),
      `${token}/`,
      `${token}?x=`.slice(0, -3).slice(0, 42),
    ];
    assert.equal(malformed.length, 40);
    await attempts.attemptAll(
      malformed.flatMap((text) => [
        () => attempts.visit().post(`/enter/${encodeURIComponent(text)}`, {}),
        () => attempts.visit().json('POST', '/app/enter', { token: text }),
      ]),
    );
    assert.equal(await attempts.countSessions(userId), 0);
  });

  test('forged cookies: 50 sessions and browsers that were never issued', async () => {
    const { browser, code, userId } = await attempts.newVictim();
    const stored = await service.ctx.db.selectFrom('emailVerifications').selectAll().where('userId', '=', userId).executeTakeFirstOrThrow();
    await attempts.attemptAll([
      ...repeat(20, () => attempts.forge('trb', randomBytes(32).toString('base64url')).json('GET', '/app/passkeys')),
      ...repeat(5, () => attempts.forge('trb', userId).json('GET', '/app/passkeys')),
      ...repeat(5, () => attempts.forge('trb', stored.tokenHash.toString('base64url')).json('GET', '/app/passkeys')),
      ...repeat(10, () => attempts.forge('trb-browser', stored.browserHash?.toString('base64url') ?? '').post('/sign-in/code', { code })),
      ...repeat(10, () => attempts.forge('trb-browser', randomBytes(32).toString('base64url')).post('/sign-in/code', { code })),
    ]);
    assert.equal(await browser.isSignedIn(), false);
  });

  test('session fixation: 30 cookies that were planted before the sign-in are worth nothing after it', async () => {
    const planted: Attempt[] = [];
    for (let round = 0; round < 15; round += 1) {
      const { path, code, browser } = await attempts.newVictim();
      const token = randomBytes(32).toString('base64url');
      browser.cookies.set('trb', token);
      const signedIn = round % 2 ? await browser.post(path, {}) : await browser.post('/sign-in/code', { code });
      assert.equal(signedIn.status, 303);
      assert.notEqual(browser.cookies.get('trb'), token);
      planted.push(() => attempts.forge('trb', token).json('GET', '/app/passkeys'));
      // A planted requesting browser is replaced when the email is requested.
      const plantedBrowser = attempts.visit();
      const known = randomBytes(32).toString('base64url');
      plantedBrowser.cookies.set('trb-browser', known);
      const victim = await attempts.newVictim();
      const requested = await attempts.requestEmail(plantedBrowser, victim.email);
      planted.push(() => attempts.forge('trb-browser', known).post('/sign-in/code', { code: requested.code }));
    }
    await attempts.attemptAll(planted);
  });

  test('other sites: 40 posts of the right link and code from elsewhere', async () => {
    const { path, token, code, browser, userId } = await attempts.newVictim();
    const foreign = (index: number): Record<string, string> => ({
      origin: ['https://evil.example', 'null', 'http://api.test.evil.example', 'http://api.test:81'][index % 4] ?? '',
      'sec-fetch-site': ['cross-site', 'none', 'same-site', 'cross-site'][index % 4] ?? '',
    });
    await attempts.attemptAll([
      ...repeat(10, (index) => browser.post(path, {}, foreign(index))),
      ...repeat(10, (index) => browser.post('/sign-in/code', { code }, foreign(index))),
      ...repeat(10, (index) => browser.json('POST', '/app/enter', { token }, foreign(index))),
      ...repeat(10, (index) => browser.json('POST', '/app/enter/code', { code }, foreign(index))),
    ]);
    assert.equal(await attempts.countSessions(userId), 0);
    assert.equal((await browser.post(path, {})).status, 303);
  });

  test('confirmation codes: 20 tries to sign in with what confirms a session', async () => {
    const { path, browser, userId } = await attempts.newVictim();
    await browser.post(path, {});
    assert.equal((await browser.json('POST', '/app/confirm/email')).status, 202);
    await service.drain();
    const code = /^Code: (\d{6})$/m.exec(service.mails.findLast(({ subject }) => /^\d{6} /.test(subject))?.text ?? '')?.[1] ?? '';
    assert.match(code, /^\d{6}$/);
    await attempts.attemptAll([
      ...repeat(10, () => attempts.visit().post('/sign-in/code', { code })),
      ...repeat(10, () => browser.post('/sign-in/code', { code })),
    ]);
    assert.equal(await attempts.countSessions(userId), 1);
  });
});
